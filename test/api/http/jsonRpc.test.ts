import { describe, expect, it } from "vitest";
import { readRpc } from "../../../src/api/http/jsonRpc.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

function single(body: unknown) {
  const read = runAtOnce(readRpc(typeof body === "string" ? body : JSON.stringify(body)));
  return read.kind === "single" ? read.item : read;
}

const asked = (params: unknown) => ({ asked: { kind: "call", method: "m", params }, echo: "" });

describe("a JSON-RPC request", () => {
  it.each([
    [undefined, {}],
    [null, {}],
    [[], {}],
    ["x", {}],
    [5, {}],
    [{ a: 1 }, { a: 1 }],
  ])("with params %j is called with %j", (params, given) => {
    expect(single({ method: "m", params })).toEqual(asked(given));
  });

  it.each([
    [{ id: 7 }, ',"id":7'],
    [{ id: "7", jsonrpc: "2.0" }, ',"jsonrpc":"2.0","id":"7"'],
    [{ id: null }, ',"id":null'],
    [{ jsonrpc: 2, id: { a: [1] } }, ',"jsonrpc":"2.0","id":{"a":[1]}'],
    [{ jsonrpc: "1.0" }, ',"jsonrpc":"2.0"'],
  ])("echoes the id %j unchanged, with version 2.0", (meta, echo) => {
    expect(single({ ...meta, method: "m" })).toEqual({ ...asked({}), echo });
  });

  it("keeps every digit of a large id", () => {
    expect(single('{"id":18446744073709551615,"method":"m"}')).toMatchObject({ echo: ',"id":18446744073709551615' });
  });

  it.each([
    [{ method: "m", params: [1] }, "params must contain an object"],
    [{}, "method is missing"],
    [{ method: 5 }, "method must be a string"],
    ["x", "a request must be an object"],
  ])("%j is refused: %s", (body, message) => {
    expect(single(JSON.stringify(body))).toMatchObject({
      asked: { kind: "refused", error: { code: "api/rpc", message } },
    });
  });

  it.each(["{bad json", "[]", JSON.stringify(Array(101).fill({ method: "m" })), '{"method":"a","method":"b"}'])(
    "the body %s has no request",
    (body) => {
      expect(refusalCode(() => runAtOnce(readRpc(body)))).toBe("api/rpc");
    },
  );

  it("may be one of a hundred, each decoded separately", () => {
    const body = [{ method: "m", id: 1 }, 5, ...Array(98).fill({ method: "m" })];
    const read = runAtOnce(readRpc(JSON.stringify(body)));
    const items = read.kind === "batch" ? read.items : [];
    expect(items).toHaveLength(100);
    expect(items[0]).toEqual({ ...asked({}), echo: ',"id":1' });
    expect(items[1]).toMatchObject({ asked: { kind: "refused" }, echo: "" });
  });
});
