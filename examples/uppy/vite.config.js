/** In place of a server: answers each upload with its length. */
const uploads = {
  name: "uploads",
  configureServer({ middlewares }) {
    middlewares.use("/upload", async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      response.setHeader("Content-Type", "application/json").end(JSON.stringify({ length }));
    });
  },
};

export default { plugins: [uploads] };
