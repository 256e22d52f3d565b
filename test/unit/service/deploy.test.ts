import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { ERROR_STATUS, type ErrorCode, ServiceError } from "../../../src/shared/errors.ts";
import { serviceOptions } from "../../support/service-options.ts";

// What hosts the service. Docker runs on few machines that run the tests, so these read its files.

const dockerfile = read("service/Dockerfile");
const compose = parse(read("service/compose.yaml"), { merge: true });
const caddyfile = read("service/deploy/Caddyfile");

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Returns the arguments of an instruction of the Dockerfile in its exec form. */
function execForm(instruction: string): string[] {
  const [, text = ""] = new RegExp(`^\\s*${instruction} (\\[.*\\])$`, "m").exec(dockerfile) ?? [];
  return JSON.parse(text);
}

describe("the Dockerfile", () => {
  test("copies files that are in the repository, or made by its build", () => {
    const copies = [...dockerfile.matchAll(/^COPY (?:--from=(\w+) )?(.*)$/gm)].map(
      ([, stage, paths = ""]) => ({
        stage,
        sources: paths.split(" ").slice(0, -1),
      }),
    );
    expect(copies.map(({ stage }) => stage).filter((stage) => stage !== undefined)).toContain("build");
    const sources = copies.flatMap(({ stage, sources }) =>
      stage === "dependencies" ? [] : sources.map((path) => path.replace("/build/", "")),
    );
    const made = ["dist", "service/dist"];
    expect(sources.filter((path) => !made.includes(path) && !existsSync(join(ROOT, path)))).toEqual([]);
    expect(sources).toEqual(expect.arrayContaining(made));
  });

  test("runs scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const names = [...dockerfile.matchAll(/"npm", "run", "([\w:]+)"/g)].map(([, name]) => name);
    expect(names).toEqual(["build", "build:service"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
  });

  test("starts the service without a shell, not as root, and stops it by SIGTERM", () => {
    const [, final = ""] = dockerfile.split(/^FROM node:\$\{NODE\}$/m);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(execForm("ENTRYPOINT")).toEqual(["tini", "--", "node", "/app/service/dist/main.js"]);
    expect(execForm("CMD").join(" ")).toContain("/healthz");
    expect(final).toMatch(/^VOLUME \["\/results", "\/tmp"\]$/m);
  });

  test("sets options that the service has", () => {
    const [, text = ""] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const given = (JSON.parse(text) as string[]).filter((arg) => arg.startsWith("--"));
    expect(given).toEqual(["--host", "--results"]);
    expect(serviceOptions()).toEqual(expect.arrayContaining(given));
  });

  test("leaves keys, builds and packages of the machine out of the image", () => {
    const ignored = read("service/Dockerfile.dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["service/deploy", "**/node_modules", "**/dist", ".git"]));
  });
});

describe("compose.yaml", () => {
  const copies = Object.entries<Record<string, unknown>>(compose.services).filter(
    ([name]) => name !== "proxy",
  );

  test("runs two copies that share the results, with names that stay", () => {
    expect(copies.map(([, { hostname }]) => hostname)).toEqual(["service-1", "service-2"]);
    for (const [name, copy] of copies) {
      expect(copy).toMatchObject({
        hostname: name,
        networks: ["inside"],
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        volumes: ["results:/results", { type: "volume", target: "/tmp" }],
      });
      expect(copy).not.toHaveProperty("ports");
    }
    expect(compose.networks.inside).toEqual({ internal: true });
  });

  test("sets options that the service has, and gives calls the time to end", () => {
    const [[, copy] = ["", {}]] = copies;
    const command = copy.command as string[];
    const names = command.map((arg) => arg.replace(/=.*/, ""));
    expect(serviceOptions()).toEqual(expect.arrayContaining(names));
    const limit = Number(/--stop-limit=(\d+)/.exec(command.join(" "))?.[1]);
    expect(Number.parseInt(String(copy.stop_grace_period), 10)).toBeGreaterThan(limit);
  });

  test("mounts files that exist, and names the copies as the proxy does", () => {
    const mounts = compose.services.proxy.volumes.filter((mount: unknown) => /^\./.test(String(mount)));
    expect(mounts).toEqual(["./deploy/Caddyfile:/etc/caddy/Caddyfile:ro"]);
    expect(existsSync(join(ROOT, "service/deploy/Caddyfile"))).toBe(true);
    const [, upstreams = ""] = /\{\$COPIES:([^}]*)\}/.exec(caddyfile) ?? [];
    expect(upstreams.split(" ")).toEqual(copies.map(([name]) => `${name}:8788`));
    expect(dockerfile).toMatch(/^EXPOSE 8788$/m);
  });
});

describe("the Caddyfile", () => {
  test("answers with codes of the contract and their statuses", () => {
    const answers = [...caddyfile.matchAll(/respond `(.*)` (\d+)$/gm)].map(([, body = "", status]) => ({
      body: JSON.parse(body),
      status: Number(status),
    }));
    expect(answers.map(({ body }) => body.error.code)).toEqual([
      "input_too_large",
      "timeout",
      "rate_limited",
      "internal_error",
    ]);
    for (const { body, status } of answers) {
      expect(status).toBe(ERROR_STATUS[body.error.code as ErrorCode]);
      expect(body).toEqual({ success: false, error: ServiceError.fromWire(body.error).toWire() });
    }
  });
});
