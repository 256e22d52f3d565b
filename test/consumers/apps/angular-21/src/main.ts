import { afterNextRender, Component } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { offerJobs } from "../jobs.js";

@Component({ selector: "app-root", template: "<h1>App</h1>" })
class App {
  constructor() {
    afterNextRender(() => offerJobs({ assetUrl: "/stayput/" }));
  }
}

bootstrapApplication(App);
