import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CellError } from "../../../src/cell/errors.ts";
import type { CodedError } from "../../../src/lib/errors.ts";
import { LibError } from "../../../src/lib/libErrors.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { openV2Server, type TestServer } from "../../kit/apiServer.ts";
import { openFixtureServer } from "../../kit/fixtureServer.ts";

/* The rows of the contract's table of errors that are no question of one endpoint's arguments, asked over HTTP. */

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask(server: TestServer, path: string, body?: string): Promise<Answered> {
  const init = body === undefined ? {} : { method: "POST", body };
  const response = await fetch(`${server.origin}/api/v2/${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const stamp = expect.stringMatching(/^\d{10}:(_|\d+):\d+(\.\d{1,3})?$/);
const refusal = (status: number, error: unknown, extra: unknown = stamp): Answered => ({
  status,
  body: { ok: false, error, code: status, "@extra": extra },
});

const elector = `-1:${"3".repeat(64)}`;

describe("over a chain", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openFixtureServer();
  });
  afterAll(() => server.close());

  it("of two names for a parameter one counts in a query, and both are refused in a body", async () => {
    const both = { config_id: 15, param: 1 };
    const inQuery = await ask(server, "getConfigParam?config_id=15&param=1");
    const alone = await ask(server, "getConfigParam?config_id=15");
    expect([inQuery.status, inQuery.body.result]).toEqual([200, alone.body.result]);
    const refused = refusal(422, "only one of config_id or param should be specified");
    expect(await ask(server, "getConfigParam", JSON.stringify(both))).toEqual(refused);
    const rpc = JSON.stringify({ method: "getConfigParam", params: both });
    expect(await ask(server, "jsonRPC", rpc)).toEqual(refused);
    const withNull = await ask(server, "getConfigParam", JSON.stringify({ ...both, param: null }));
    expect(withNull.body.result).toEqual(alone.body.result);
  });

  it.each([
    ["noSuchMethod", undefined, refusal(404, "Not Found", "_")],
    ["jsonRPC", undefined, refusal(405, "method GET is not supported", "_")],
    ["runGetMethod", undefined, refusal(405, "method GET is not supported", "_")],
    ["sendBoc?boc=x", undefined, refusal(405, "method GET is not supported", "_")],
    ["jsonRPC", '{"method":"nothing"}', refusal(404, "Method not found", "_")],
    ["jsonRPC", '{"method":"getMasterchainInfo","params":[1]}', refusal(422, "params must contain an object", "_")],
    ["jsonRPC", '{"params":{}}', refusal(422, "method is missing", "_")],
    ["jsonRPC", '{"method":5}', refusal(422, "method must be a string", "_")],
    ["jsonRPC", '{"method":', refusal(422, expect.any(String), "_")],
    ["jsonRPC", "[]", refusal(422, "a batch must hold 1 to 100 requests, not 0", "_")],
    ["jsonRPC", '{"method":"shards","method":"shards"}', refusal(422, expect.any(String), "_")],
    ["getAddressState", '{"address":"x","api_key":"y"}', refusal(422, "Unknown property 'api_key'")],
    ["getAddressState", "[]", refusal(422, "the body must be a JSON object")],
    ["getAddressState?address=%zz", undefined, refusal(400, expect.stringContaining("percent-encoding"), "_")],
    ["detectHash", "{}", refusal(422, "empty hash")],
    ["detectHash?hash=abc", undefined, refusal(422, "invalid hash: 'abc'")],
    [
      `getAddressState?address=7:${"1".repeat(64)}`,
      undefined,
      refusal(500, expect.stringMatching(/^VALIDATE_ACCOUNT_STATEshard block id/)),
    ],
    [
      "getLibraries",
      JSON.stringify({ libraries: Array.from({ length: 17 }, (_, i) => i.toString(16).padStart(64, "0")) }),
      refusal(500, "INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum"),
    ],
    ["sendBoc", '{"boc":"AAAA"}', refusal(500, expect.stringMatching(/^INVALID_BAG_OF_CELLS: body/))],
    [
      "estimateFee",
      JSON.stringify({ address: elector, body: "te6cckEBAQEAAgAAAEysuc0=", init_code: "AAAA", init_data: "" }),
      refusal(500, expect.stringMatching(/^INVALID_BAG_OF_CELLS: init_code/)),
    ],
    [
      "runGetMethod",
      JSON.stringify({ address: elector, method: 1, stack: [["tvm.Cell", "AAAA"]] }),
      refusal(500, expect.stringMatching(/^cannot deserialize bag-of-cells: /)),
    ],
    [
      "runGetMethod",
      JSON.stringify({ address: elector, method: 1, stack: [["num", String(2n ** 256n)]] }),
      refusal(422, `Invalid number: ${2n ** 256n}`),
    ],
    [
      "runGetMethod",
      JSON.stringify({ address: elector, method: 1, stack: Array(8001).fill(["num", 1]) }),
      refusal(500, "TVM stack size exceeds limit"),
    ],
    [
      "runGetMethodStd",
      JSON.stringify({ address: elector, method: 1, stack: [nested(8000)] }),
      refusal(500, "TVM stack size exceeds limit"),
    ],
  ])("answers %s with %.60s", async (path, body, wanted) => {
    expect(await ask(server, path, body)).toEqual(wanted);
  });

  it("takes and gives as many stack entries as tonlib does, and no more", async () => {
    const nobody = `0:${"7".repeat(64)}`;
    const run = (count: number) =>
      ask(server, "runGetMethod", JSON.stringify({ address: nobody, method: 1, stack: Array(count).fill(["num", 1]) }));
    // Without code the stack comes back, with the number of the method on it.
    expect((await run(7999)).status).toBe(200);
    expect(await run(8000)).toEqual(refusal(500, "TVM stack size exceeds limit"));
  });
});

/** A tuple of so many numbers. */
function nested(count: number): object {
  const number = { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "1" } };
  return { "@type": "tvm.stackEntryTuple", tuple: { "@type": "tvm.tuple", elements: Array(count).fill(number) } };
}

const said = (serverCode: number) =>
  new LiteError("lite/server", "x", { data: { serverCode, serverMessage: "not in db" } });

describe("over lite servers that fail", () => {
  it.each<[CodedError, number, string]>([
    [said(601), 500, "LITE_SERVER_FAILURE: not in db"],
    [said(602), 500, "LITE_SERVER_ERROR: not in db"],
    [said(603), 500, "LITE_SERVER_WARNING: not in db"],
    [said(621), 500, "LITE_SERVER_PROTOVIOLATION: not in db"],
    [said(651), 500, "LITE_SERVER_NOTREADY: not in db"],
    [said(652), 500, "LITE_SERVER_TIMEOUT: not in db"],
    [said(653), 500, "LITE_SERVER_CANCELLED: not in db"],
    [said(-701), 500, "LITE_SERVER_UNKNOWN: not in db"],
    [new LiteError("lite/proof", "a lie"), 500, "VALIDATE_BLOCK_PROOF: a lie"],
    [new LiteError("lite/refused", "gone"), 500, "LITE_SERVER_NETWORK: gone"],
    [new LiteError("lite/timeout", "slow"), 504, "LITE_SERVER_NETWORK timeout"],
    [new LibError("lib/deadline", "slow"), 504, "LITE_SERVER_NETWORK timeout"],
    [new LiteError("lite/none", "0: dead"), 542, "failed to get session: no workers available: 0: dead"],
    [new LiteError("lite/busy", "busy"), 503, "busy"],
    [new TvmError("tvm/busy", "busy"), 503, "busy"],
    [new CellError("cell/boc-cut", "cut"), 500, "INVALID_BAG_OF_CELLS: cut"],
  ])("answers %s", async (error, status, text) => {
    const open = () => {
      throw error;
    };
    const server = await openV2Server({}, { isLive: () => true, chains: { open } });
    expect(await ask(server, `getAddressState?address=${elector}`)).toEqual(refusal(status, text));
    if (error.code === "lite/none")
      expect(await ask(server, "getConsensusBlock")).toEqual(refusal(500, "no workers alive"));
    await server.close();
  });
});
