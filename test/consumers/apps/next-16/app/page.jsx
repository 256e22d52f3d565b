"use client";

import { useEffect } from "react";
import { offerJobs } from "../jobs.js";

export default function Page() {
  useEffect(() => offerJobs(), []);
  return <h1>App</h1>;
}
