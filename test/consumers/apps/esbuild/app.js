import { offerJobs } from "./jobs.js";

offerJobs({ assetUrl: "/stayput/" });
