import { afterEach, expect, it } from "vitest";
import { endpointsOver } from "../../src/api/declare/endpoint.ts";
import { defaultAnswerLimits } from "../../src/api/http/answers/AnswerWriter.ts";
import { v3Api } from "../../src/api/v3/envelope.ts";
import { accountStateFull, type ListedAccount } from "../../src/api/v3/shapes/accounts.ts";
import { list } from "../../src/lib/kit/shape.ts";
import { makeAddress } from "../../src/model/Address.ts";
import type { Hash } from "../../src/model/Hash.ts";
import { openApiServer, type TestServer } from "../kit/api/apiServer.ts";

/* What the public service serves fits in the default budget of an answer. */

let server: TestServer | undefined;

afterEach(() => server?.destroy());

/** Larger than the codes of the usual wallets, tokens and exchanges. */
const codeBytes = 24_000;
const dataBytes = 8_000;

function makeState(at: number): ListedAccount {
  const hash = at.toString(16).padStart(64, "0") as Hash;
  return {
    ...{ withBoc: true, isSuspended: false },
    row: {
      account: makeAddress(0, hash),
      hash,
      balance: 1_000_000_000n,
      balanceExtra: undefined,
      status: "active",
      frozenHash: undefined,
      dataHash: hash,
      codeHash: hash,
      lastTransHash: hash,
      lastTransLt: 1n,
      timestamp: 1,
      dataBoc: Buffer.alloc(dataBytes, at),
    },
    codeBoc: Buffer.alloc(codeBytes, at),
    methods: [85_143],
    interfaces: ["wallet_v4r2"],
  };
}

it("1,000 account states with code and data are one answer", async () => {
  const states = Array.from({ length: 1_000 }, (_, at) => makeState(at + 1));
  const endpoint = endpointsOver<undefined>();
  const states3 = endpoint({
    ...{ name: "states", tag: "attack", summary: "", args: {} },
    result: list(accountStateFull)("States.", (all: readonly ListedAccount[]) => all),
    run: () => states,
  });
  server = await openApiServer({ ...v3Api, endpoints: [states3] }, undefined, { answers: defaultAnswerLimits });
  const answer = await fetch(`${server.origin}/api/v3/states`, { headers: { "accept-encoding": "identity" } });
  expect(answer.status).toBe(200);
  const found: readonly Record<string, unknown>[] = JSON.parse(await answer.text());
  expect(found).toHaveLength(1_000);
  expect([found[6]?.code_boc, found[6]?.data_boc, found[6]?.address]).toEqual([
    Buffer.alloc(codeBytes, 7).toString("base64"),
    Buffer.alloc(dataBytes, 7).toString("base64"),
    `0:${"0".repeat(63)}7`,
  ]);
});
