import { describe, expect, test, vi } from "vitest";
import type { AskPassword, Client, PasswordRequest } from "../../../src/index.ts";
import type { ErrorDetails } from "../../../src/shared/errors.ts";
import type { Job, Outcome } from "../../../src/shared/protocol.ts";
import { file, setUp } from "../../support/fake-client.ts";
import { done, type FakeFactory } from "../../support/fake-worker.ts";
import { refusal } from "../../support/refusal.ts";

const made = done("made");

function refused(code: "password_required" | "wrong_password", details: ErrorDetails = {}): Outcome {
  return { ok: false, error: { code, message: "Locked.", details } };
}

/** Ends the jobs of a client one after another, and returns their passwords. */
async function passwordsOf(factory: FakeFactory, outcomes: readonly Outcome[]) {
  const passwords: unknown[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const { job: given, finish } = await factory.job(index);
    passwords.push(passwordIn(given));
    finish(outcome);
  }
  expect(factory.jobs).toHaveLength(outcomes.length);
  return passwords;
}

function passwordIn(job: Job): unknown {
  if ("inputs" in job) return job.inputs.map((input) => ("password" in input ? input.password : undefined));
  return "password" in job ? job.password : undefined;
}

/** The methods that take a function, with what their job makes. */
const CALLS: readonly (readonly [string, (client: Client, password: AskPassword) => unknown, Outcome])[] = [
  ["convert", (client, password) => client.convert({ file, output_format: "txt", password }), made],
  ["unlockPdf", (client, password) => client.unlockPdf({ file, password }), made],
  ["splitPdf", (client, password) => client.splitPdf({ file, every: 1, password }), made],
  [
    "inspect",
    (client, password) => client.inspect({ file, password }),
    { ok: true, value: { format: "pdf", size: 9, encrypted: false } },
  ],
  [
    "renderPages",
    (client, password) => client.renderPages({ file, password }).next(),
    { ok: true, value: null },
  ],
];

describe.each(CALLS)("%s with a function as the password", (_, call, success) => {
  test("does not call it for a file that opens", async () => {
    const { client, factory } = setUp();
    const ask = vi.fn<AskPassword>(() => "a");
    const running = call(client, ask);
    expect(await passwordsOf(factory, [success])).toEqual([undefined]);
    await running;
    expect(ask).not.toHaveBeenCalled();
  });

  test("asks again until the password is right", async () => {
    const { client, factory } = setUp();
    const attempts: number[] = [];
    const running = call(client, async (asked, { attempt }) => {
      expect(asked).toBe(file);
      attempts.push(attempt);
      return `try ${attempt}`;
    });
    const outcomes = [refused("password_required"), refused("wrong_password"), success];
    expect(await passwordsOf(factory, outcomes)).toEqual([undefined, "try 1", "try 2"]);
    await running;
    expect(attempts).toEqual([1, 2]);
  });

  test.each([undefined, null])("rejects with the code of the last run for the answer %s", async (nothing) => {
    const { client, factory } = setUp();
    const running = call(client, (__, { attempt }) => (attempt === 1 ? "a" : (nothing as undefined)));
    const ended = expect(running).rejects.toThrow(refusal("wrong_password"));
    await passwordsOf(factory, [refused("password_required"), refused("wrong_password")]);
    await ended;
  });
});

describe("a function as the password", () => {
  test("is called for each file of a merge by itself", async () => {
    const { client, factory } = setUp();
    const files = ["one", "two", "three"].map((name) => new File(["%PDF-1.7\n"], `${name}.pdf`));
    const asked: [number, number][] = [];
    const running = client.mergePdf({
      file: files,
      password: (locked, { attempt }) => {
        asked.push([files.indexOf(locked as File), attempt]);
        return `${asked.length}`;
      },
    });
    const outcomes = [
      refused("password_required", { file_index: 0 }),
      refused("wrong_password", { file_index: 0 }),
      refused("password_required", { file_index: 2 }),
      made,
    ];
    expect(await passwordsOf(factory, outcomes)).toEqual([
      [undefined, undefined, undefined],
      ["1", undefined, undefined],
      ["2", undefined, undefined],
      ["2", undefined, "3"],
    ]);
    await running;
    expect(asked).toEqual([
      [0, 1],
      [0, 2],
      [2, 1],
    ]);
  });

  test("is called for the only file of a merge", async () => {
    const { client, factory } = setUp();
    const running = client.mergePdf({
      file: [file],
      sequence: [{ file: 0, page: 1 }],
      password: () => "abc",
    });
    expect(await passwordsOf(factory, [refused("password_required"), made])).toEqual([[undefined], ["abc"]]);
    await running;
  });

  test("of inspect is called for what was found without the password", async () => {
    const { client, factory } = setUp();
    const found = { format: "pdf", size: 9, encrypted: true, opens_with_empty_password: false } as const;
    const outcome = { ok: true, value: found } as const;
    const running = client.inspect({ file, password: () => "a" });
    const opened = { ok: true, value: { ...found, pages: 3 } } as const;
    expect(await passwordsOf(factory, [outcome, opened])).toEqual([undefined, "a"]);
    expect((await running).pages).toBe(3);
  });

  test("is not called after other errors", async () => {
    const { client, factory } = setUp();
    const ask = vi.fn<AskPassword>(() => "a");
    const running = client.unlockPdf({ file, password: ask });
    const ended = expect(running).rejects.toThrow(refusal("not_encrypted"));
    const error = { code: "not_encrypted", message: "Not protected.", details: {} } as const;
    await passwordsOf(factory, [{ ok: false, error }]);
    await ended;
    expect(ask).not.toHaveBeenCalled();
  });

  test.each([
    ["throws", () => Promise.reject(new RangeError("closed")), new RangeError("closed")],
    ["returns no text", () => 7 as never, refusal("invalid_parameter", { parameter: "password" })],
  ] as const)("that %s rejects the call", async (_, ask, error) => {
    const { client, factory } = setUp();
    const ended = expect(client.unlockPdf({ file, password: ask })).rejects.toThrow(error);
    await passwordsOf(factory, [refused("password_required")]);
    await ended;
  });

  test.each(["abort", "close"] as const)("ends the call at once on %s while it is asked", async (way) => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    let heard: (request: PasswordRequest) => void = () => {};
    const asked = new Promise<PasswordRequest>((resolve) => {
      heard = resolve;
    });
    const running = client.splitPdf(
      {
        file,
        pages: "1",
        password: (_, request) => {
          heard(request);
          return new Promise(() => {});
        },
      },
      { signal: controller.signal },
    );
    const ended = running.catch((reason: unknown) => reason);
    await passwordsOf(factory, [refused("password_required")]);
    const { signal } = await asked;
    expect(signal.aborted).toBe(false);
    if (way === "abort") controller.abort("enough");
    else client.close();
    const reason = await ended;
    expect(signal.reason).toBe(reason);
    expect(reason).toEqual(way === "abort" ? "enough" : expect.objectContaining({ code: "client_closed" }));
  });

  test("is refused by protectPdf, and in a list", async () => {
    const { client } = setUp();
    const wrong = refusal("invalid_parameter", { parameter: "password" });
    // @ts-expect-error
    await expect(client.protectPdf({ file, password: () => "a" })).rejects.toThrow(wrong);
    // @ts-expect-error
    await expect(client.mergePdf({ file: [file, file], password: [() => "a", ""] })).rejects.toThrow(wrong);
  });

  test("may be left by the loop of renderPages", async () => {
    const { client, factory } = setUp();
    const pages = client.renderPages({ file, password: () => "a" });
    const first = pages.next();
    (await factory.job(0)).finish(refused("password_required"));
    const { report, finish } = await factory.job(1);
    const delivered = { page: 1, blob: new Blob([], { type: "image/png" }), width: 1, height: 1 };
    const more = report({ delivered });
    expect((await first).value).toMatchObject({ page: 1 });
    const next = report({ delivered: { ...delivered, page: 2 } });
    const left = pages.return();
    expect([await more, await next]).toEqual([true, false]);
    finish({ ok: true, value: null });
    await left;
  });
});
