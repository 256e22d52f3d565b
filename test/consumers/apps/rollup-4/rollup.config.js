import resolve from "@rollup/plugin-node-resolve";

export default { input: "app.js", output: { dir: "public" }, plugins: [resolve({ browser: true })] };
