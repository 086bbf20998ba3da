import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/api/client/client.ts";
import { openLight } from "../../../../src/api/client/light/openLight.ts";
import { UnprovedError } from "../../../../src/api/client/verify/UnprovedError.ts";
import { liteApi } from "../../../../src/api/lite/envelope.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import { isCoded } from "../../../../src/lib/errors.ts";
import type { JsonInput } from "../../../../src/lib/json.ts";
import { zeroHash } from "../../../../src/model/Hash.ts";
import { openApiServer, type TestServer } from "../../../kit/api/apiServer.ts";
import { serveProofs } from "../../../kit/api/proofStage.ts";
import { trustOf } from "../../../kit/api/provedRecords.ts";
import { openChainKit, type TestChain } from "../../../kit/localnet/localChain.ts";

const kit = await openChainKit();
let chain: TestChain;
let full: TestServer;
let lite: TestServer;

beforeAll(async () => {
  chain = await kit.open();
  await chain.rounds(3);
  const served = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
  full = served;
  lite = await openApiServer(liteApi, served.services, { lastingBytes: 1 << 20 });
});

afterAll(async () => {
  await full?.close();
  await lite?.close();
  await kit.close();
});

const base = () => `${lite.origin}/api/lite/v1`;

function trustHere(change: object = {}) {
  const { id } = chain.net.ledger.zero;
  return trustOf({ zeroState: { ...id, ...change }, initBlock: { ...id, ...change } });
}

/** Calls of v2 whose results do not depend on who computes them. */
function calls(): readonly (readonly [name: string, args: JsonInput])[] {
  const { address } = chain.wallet(0);
  const { seqno } = chain.net.ledger.headId;
  return [
    ["getMasterchainInfo", {}],
    ["getAddressInformation", { address }],
    ["getExtendedAddressInformation", { address }],
    ["getWalletInformation", { address }],
    ["getAddressBalance", { address, seqno }],
    ["getAddressState", { address }],
    ["getShards", { seqno }],
    ["lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno }],
    ["getBlockTransactionsExt", { workchain: -1, shard: "-9223372036854775808", seqno }],
    ["getConfigParam", { config_id: 34 }],
    ["getConfigAll", {}],
    ["runGetMethod", { address, method: "seqno", stack: [] }],
    ["detectAddress", { address }],
  ];
}

/** Changes a byte of every answer to a query over HTTP. */
const lying: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const at = bytes.length >> 1;
  return new Response(bytes.with(at, (bytes[at] ?? 0) ^ 1), { status: response.status });
};

describe("a client of lite servers over HTTP", () => {
  it("has the results of v2", async () => {
    const light = openLight(base(), { trust: trustHere() }, chain.clock);
    const methods = createClient(`${full.origin}/api/v2`) as unknown as Readonly<
      Record<string, (args: JsonInput) => Promise<unknown>>
    >;
    for (const [name, args] of calls()) {
      const [actual, expected] = [await light.ask(name, args), await methods[name]?.(args)];
      expect([name, actual]).toEqual([name, expected]);
    }
  });

  it("sends messages", async () => {
    const light = openLight(base(), { trust: trustHere() }, chain.clock);
    const [from, to] = [chain.wallet(0), chain.wallet(1)];
    const boc = writeBoc(chain.sign(from, { to: to.address, amount: 1_000_000_000n })).toString("base64");
    const before = chain.balance(to.address);
    await light.ask("sendBoc", { boc });
    await chain.rounds(2);
    expect(chain.balance(to.address)).toBeGreaterThan(before);
  });

  it("believes no server that changes a byte", async () => {
    // The head is proved by an honest server, then each answer is changed.
    let isLying = false;
    const changing: typeof fetch = (...given) => (isLying ? lying : fetch)(...given);
    for (const [name, args] of calls().filter(([each]) => each !== "detectAddress")) {
      const light = openLight(base(), { trust: trustHere(), fetch: changing }, chain.clock);
      isLying = false;
      await light.ask("getMasterchainInfo", {});
      isLying = true;
      if (name !== "getMasterchainInfo")
        expect([name, await outcomeOf(light.ask(name, args))]).toEqual([name, expect.stringMatching(refused)]);
    }
    const cold = openLight(base(), { trust: trustHere(), fetch: lying }, chain.clock);
    expect(await outcomeOf(cold.ask("getMasterchainInfo", {}))).toMatch(refused);
  });

  it("believes no server of another network, none that is behind, and says when there is none", async () => {
    const other = openLight(base(), { trust: trustHere({ rootHash: zeroHash }) }, chain.clock);
    await expect(other.ask("getMasterchainInfo", {})).rejects.toBeInstanceOf(UnprovedError);
    const late = { ...chain.clock, now: () => chain.clock.now() + 3_600_000, monotonic: () => 0 };
    const behind = openLight(base(), { trust: trustHere() }, Object.assign(Object.create(chain.clock), late));
    await expect(behind.ask("getMasterchainInfo", {})).rejects.toMatchObject({ code: "verify/old-head" });
    const nobody = openLight("http://127.0.0.1:1/api/lite/v1", { trust: trustHere() }, chain.clock);
    await expect(nobody.ask("getMasterchainInfo", {})).rejects.toMatchObject({ code: "lite/refused" });
    const wrongPath = openLight(`${lite.origin}/api/v9`, { trust: trustHere() }, chain.clock);
    await expect(wrongPath.ask("getMasterchainInfo", {})).rejects.toMatchObject({ code: "lite/refused" });
  });
});

/** Codes with which an answer that was changed is refused: by its proof, by its bytes, or as an error of the server. */
const refused = /^(?:verify\/|lite\/|cell\/|chain\/)/;

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    return `result ${JSON.stringify(await work)}`;
  } catch (error) {
    return isCoded(error) ? error.code : `uncoded ${error}`;
  }
}
