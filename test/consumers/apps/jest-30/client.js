const { createClient } = require("stayput");

exports.client = createClient();
