import { offerJobs } from "./jobs.js";

offerJobs();
