import { describe, expect, expectTypeOf, test } from "vitest";
import { type ErrorCode, type ErrorDetails, ServiceError } from "../../../../src/shared/errors.ts";

describe("ServiceError", () => {
  test("has details of its code", () => {
    const error = new ServiceError("invalid_page_selection", "Wrong.", { position: 2, page_count: 12 });
    expect(error.details.position).toBe(2);
    expectTypeOf(error.details.position).toEqualTypeOf<number | undefined>();
    // @ts-expect-error: an index is a number
    expect(new ServiceError("invalid_page_selection", "Wrong.", { position: "2" })).toBeInstanceOf(Error);
  });

  test("gives details the type of the code that is compared", () => {
    const thrown: unknown = new ServiceError("rate_limited", "Wait.", { retry_after: 30 });
    if (!(thrown instanceof ServiceError)) throw thrown;
    expectTypeOf(thrown.code).toEqualTypeOf<ErrorCode>();
    if (thrown.code !== "rate_limited") throw thrown;
    expectTypeOf(thrown.details.retry_after).toEqualTypeOf<number | undefined>();
    expectTypeOf(thrown.details).toEqualTypeOf<ErrorDetails<"rate_limited">>();
    expect(thrown.details.retry_after).toBe(30);
  });

  test("differs from other values in both branches of instanceof", () => {
    const lengthOf = (value: ServiceError | string) =>
      value instanceof ServiceError ? value.message.length : value.length;
    expect([lengthOf(new ServiceError("offline", "No.")), lengthOf("four")]).toEqual([3, 4]);
  });

  test("keeps its code, status and details as plain data", () => {
    const wire = new ServiceError("input_too_large", "Large.", { limit: "pages" }).toWire();
    expect(structuredClone(wire)).toEqual({
      code: "input_too_large",
      message: "Large.",
      details: { limit: "pages" },
    });
    expect(ServiceError.fromWire(wire)).toMatchObject({ status: 413, name: "ServiceError", ...wire });
  });
});
