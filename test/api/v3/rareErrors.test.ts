import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";
import { joinLive, type LiveStage } from "../../kit/api/liveStage.ts";
import { knownWallet } from "../../kit/api/v3/v3Stage.ts";
import { openFresh } from "../../kit/history/database.ts";
import { indexChain } from "../../kit/history/indexedChain.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";

/** An executor that returns a stack value without a form in the API. */
const oddMachine = {
  supportedGlobalVersion: 13,
  runGetMethod: async () => ({
    kind: "done",
    exitCode: 0,
    gasUsed: 1n,
    stack: [{ kind: "builder", cell: beginCell().storeBit(true).cell() }],
    vmLog: "",
  }),
  runTransaction: () => Promise.reject(new Error("not asked for here")),
  runTickTock: () => Promise.reject(new Error("not asked for here")),
} as unknown as Executor;

let database: Database;
let live: LiveStage;
let server: TestServer;

beforeAll(async () => {
  database = await openFresh("postgres");
  const ledger = importSplitChain();
  await indexChain(database, ledger);
  const history = new History(contractHistory, { database });
  const lite = new LocalLiteServer({ ledger });
  live = joinLive({ server: lite, ledger, executor: oddMachine, history, clock: systemClock });
  server = await openApiServer(v3Api, { history, ...live });
});

afterAll(async () => {
  await server?.close();
  await live?.close();
  await database?.close();
});

async function ask(path: string, body?: object): Promise<unknown> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${server.origin}/api/v3/${path}`, init);
  return [response.status, await response.json()];
}

describe("rare errors", () => {
  it("a stack that cannot be shown", async () => {
    expect(await ask("runGetMethod", { address: knownWallet, method: "seqno", stack: [] })).toEqual([
      501,
      { code: 501, error: "failed to decode api/v2 stack: a builder has no form of its own" },
    ]);
  });

  it("a wallet whose last transaction is not indexed", async () => {
    await database.write((session) => session.run("update latest_account_states set last_trans_hash = null"));
    for (const name of ["walletInformation", "wallet"]) {
      expect(await ask(`${name}?address=${knownWallet}`)).toEqual([
        500,
        { code: 500, error: "last_transaction_hash is none" },
      ]);
    }
    const [status, body] = (await ask(`addressInformation?address=${knownWallet}`)) as [number, object];
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ last_transaction_hash: null, last_transaction_lt: null }),
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
  ])("a body that is %s", async (_what, text) => {
    for (const name of ["message", "runGetMethod", "estimateFee", "decode"]) {
      const response = await fetch(`${server.origin}/api/v3/${name}`, { method: "POST", body: text });
      expect([response.status, await response.json()]).toEqual([422, { code: 422, error: expect.any(String) }]);
    }
  });
});
