/** The address of a file that ships beside the worker. Vite knows this form, and so does scripts/build.mjs. */
declare module "*?url" {
  const address: string;
  export default address;
}
