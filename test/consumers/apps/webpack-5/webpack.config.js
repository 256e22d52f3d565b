export default { mode: "production", entry: "./app.js", output: { path: `${import.meta.dirname}/public` } };
