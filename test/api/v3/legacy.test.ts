import { describe, expect, it } from "vitest";
import { stackEntries } from "../../../src/api/v3/args/legacyStack.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import type { V3Services } from "../../../src/api/v3/services/Services.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../../../src/model/vm/VmStack.ts";
import { openApiServer } from "../../kit/api/apiServer.ts";
import { knownWallet } from "../../kit/api/v3/v3Stage.ts";

const boc = "te6cckEBAQEAAgAAAEysuc0=";

const history = new History(contractHistory, {
  database: { read: () => Promise.reject(new Error("the index is not asked here")) },
});

const posted = {
  message: { boc },
  runGetMethod: { address: knownWallet, method: "seqno", stack: [] },
  estimateFee: { address: knownWallet, body: boc },
};

async function askAll(services: V3Services): Promise<readonly (readonly [string, number, unknown])[]> {
  const server = await openApiServer(v3Api, services);
  const base = `${server.origin}/api/v3`;
  const answers: (readonly [string, number, unknown])[] = [];
  for (const name of ["addressInformation", "account", "walletInformation", "wallet"]) {
    const response = await fetch(`${base}/${name}?use_v2=true&address=${knownWallet}`);
    answers.push([name, response.status, await response.json()]);
  }
  for (const [name, body] of Object.entries(posted)) {
    const response = await fetch(`${base}/${name}`, { method: "POST", body: JSON.stringify(body) });
    answers.push([name, response.status, await response.json()]);
  }
  await server.close();
  return answers;
}

const names = [
  "addressInformation",
  "account",
  "walletInformation",
  "wallet",
  "message",
  "runGetMethod",
  "estimateFee",
];

describe("endpoints in the style of v2", () => {
  it("are rejected without a chain", async () => {
    const error = "ton-http-api endpoint is not specified";
    expect(await askAll({ history })).toEqual(names.map((name) => [name, 500, { code: 500, error }]));
  });

  it("are rejected with the status and text of v2, get-methods always with 500", async () => {
    const chains = {
      open: () => {
        throw new LiteError("lite/none", "all are away");
      },
    };
    const error = "failed to get session: no workers available (archival=0 mode=Single)";
    expect(await askAll({ history, live: { isLive: () => false, chains } })).toEqual(
      names.map((name) => {
        const code = name === "runGetMethod" ? 500 : 542;
        return [name, code, { code, error }];
      }),
    );
  });
});

const showStack = (stack: VmStack): unknown => JSON.parse(JSON.stringify(stackEntries.encode(stack)));

describe("a stack", () => {
  const int = (value: bigint): VmStackValue => ({ kind: "int", value });
  const tuple = (...items: readonly VmStackValue[]): VmStackValue => ({ kind: "tuple", items });
  const nothing: VmStackValue = { kind: "null" };

  it("has an entry for every value, and lists for chains of pairs", () => {
    expect(
      showStack([
        int(-5n),
        { kind: "nan" },
        { kind: "cell", cell: emptyCell },
        { kind: "slice", slice: wholeSlice(emptyCell) },
        nothing,
        tuple(int(1n), tuple(int(2n), nothing)),
        tuple(int(255n), tuple()),
      ]),
    ).toEqual([
      { type: "num", value: "-0x5" },
      { type: "num", value: "NaN" },
      { type: "cell", value: boc },
      { type: "slice", value: boc },
      { type: "list", value: [] },
      {
        type: "list",
        value: [
          { type: "num", value: "0x1" },
          { type: "num", value: "0x2" },
        ],
      },
      {
        type: "tuple",
        value: [
          { type: "num", value: "0xff" },
          { type: "tuple", value: [] },
        ],
      },
    ]);
  });

  it("is rejected if it has a value without a form", () => {
    expect(() => showStack([{ kind: "builder", cell: emptyCell } as unknown as VmStackValue])).toThrow(
      expect.objectContaining({ code: "api/refusal", data: expect.objectContaining({ refusal: "badV2Stack" }) }),
    );
  });

  it("is rejected if it is nested too deep", () => {
    let deep: VmStackValue = int(1n);
    for (let depth = 0; depth < 200; depth++) deep = tuple(deep, int(0n), int(0n));
    expect(() => showStack([deep])).toThrow(
      expect.objectContaining({
        data: { refusal: "v2Answer", data: { status: 500, text: "Result stack depth >= 100" } },
      }),
    );
  });
});
