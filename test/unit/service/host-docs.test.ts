import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { readPage } from "../../../docs/.vitepress/pages.ts";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { type RequestLog, RequestRecord } from "../../../service/http/request-log.ts";
import { DEFAULTS } from "../../../service/http/service-options.ts";
import { serviceOptions } from "../../support/service-options.ts";

const page = readPage("docs/guides/host-the-service.md");

describe("docs/guides/host-the-service.md", () => {
  test("lists the options of the command line", () => {
    const listed = [...page.matchAll(/^\| `(--[\w-]+)`/gm)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining(serviceOptions()));
    expect(listed).toHaveLength(serviceOptions().length);
  });

  test("says their defaults", () => {
    const rows = [...page.matchAll(/^\| `--([\w-]+)` +\| ([\d,]+) /gm)];
    const said = Object.fromEntries(
      rows.map(([, name = "", value = ""]) => [name, Number(value.replace(",", ""))]),
    );
    expect(said).toMatchObject({
      "upload-limit": DEFAULTS.uploadLimit / 1e6,
      concurrency: DEFAULTS.concurrency,
      waiting: DEFAULTS.waiting,
      threads: DEFAULTS.threads,
      heap: DEFAULTS.heapLimit,
      "time-limit": DEFAULTS.timeLimit / 1_000,
      "upload-time": DEFAULTS.uploadTimeLimit / 1_000,
      keep: DEFAULTS.keepFor / 60_000,
    });
  });

  test("lists the fields of the log", () => {
    const socket = { bytesRead: 1, bytesWritten: 1 };
    const response = Object.assign(new EventEmitter(), { headersSent: true, statusCode: 404 });
    const entries: RequestLog[] = [];
    const record = new RequestRecord(
      { method: "GET", socket } as unknown as IncomingMessage,
      response as unknown as ServerResponse,
      (entry) => entries.push(entry),
    );
    record.code = "not_found";
    response.emit("finish");
    const [, table = ""] = /^\| Field [^\n]*\n([\s\S]*?)\n\n/m.exec(page) ?? [];
    const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(entries.flatMap((entry) => Object.keys(entry)).toSorted());
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    expect([...Object.keys(JSON.parse(example)), "code"].toSorted()).toEqual(listed.toSorted());
  });
});

describe("service/deploy/kubernetes.yaml", () => {
  const text = readFileSync(join(ROOT, "service/deploy/kubernetes.yaml"), "utf8");
  const [deployment, , service, policy] = parseAllDocuments(text).map((document) => document.toJS());

  test("sets options that the service has, and gives calls the time to end", () => {
    const { spec } = deployment.spec.template;
    const [{ args, lifecycle, volumeMounts }] = spec.containers;
    const names = args.map((arg: string) => arg.replace(/=.*/, ""));
    expect(serviceOptions()).toEqual(expect.arrayContaining(names));
    const limit = Number(/--stop-limit=(\d+)/.exec(args.join(" "))?.[1]);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(limit + lifecycle.preStop.sleep.seconds);
    const volumes = spec.volumes.map(({ name }: { readonly name: string }) => name);
    expect(volumes).toEqual(volumeMounts.map(({ name }: { readonly name: string }) => name));
  });

  test("restarts no copy whose results folder is gone, but sends it no requests", () => {
    const [{ livenessProbe, readinessProbe }] = deployment.spec.template.spec.containers;
    expect(livenessProbe).toMatchObject({ tcpSocket: { port: "http" } });
    expect(livenessProbe).not.toHaveProperty("httpGet");
    expect(readinessProbe.httpGet.path).toBe("/healthz");
  });

  test("names its pods in the same way everywhere, and lets nothing out", () => {
    const { labels } = deployment.spec.template.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    expect(policy.spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], egress: [] });
  });
});
