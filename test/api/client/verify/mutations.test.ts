import { afterAll, beforeAll, expect, it } from "vitest";
import { isCoded } from "../../../../src/lib/errors.ts";
import type { JsonInput } from "../../../../src/lib/json.ts";
import { seededRandom } from "../../../../src/lib/random.ts";
import type { TestServer } from "../../../kit/api/apiServer.ts";
import { Dice } from "../../../kit/api/Dice.ts";
import { askRpc, checkReceived, mutateAnswer, serveProofs } from "../../../kit/api/proofStage.ts";
import { openChainKit, type TestChain } from "../../../kit/localnet/localChain.ts";
import { repeats } from "../../../kit/suite/everything.ts";

const kit = await openChainKit();
let chain: TestChain;
let server: TestServer;

beforeAll(async () => {
  chain = await kit.open();
  await chain.rounds(4);
  server = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
});

afterAll(async () => {
  await server.close();
  await kit.close();
});

function callsHere(): readonly (readonly [name: string, args: JsonInput])[] {
  const { address } = chain.wallet(0);
  const seqno = chain.net.ledger.headId.seqno;
  return [
    ["getAddressInformation", { address }],
    ["getWalletInformation", { address }],
    ["getMasterchainInfo", {}],
    ["getShards", { seqno }],
    ["getBlockHeader", { workchain: -1, shard: "-9223372036854775808", seqno }],
    ["getBlockTransactions", { workchain: -1, shard: "-9223372036854775808", seqno }],
    ["getTransactions", { address, limit: 2 }],
    ["getConfigParam", { config_id: 15 }],
    ["runGetMethod", { address, method: "seqno", stack: [] }],
    ["detectAddress", { address }],
  ];
}

it("accepts no other result, whatever is changed in an answer or its proof", async () => {
  const calls = callsHere();
  const { id } = chain.net.ledger.zero;
  const perCall = Math.ceil(repeats({ usual: 250, all: 21_000 }) / calls.length);
  const codes = new Set<string>();
  let accepted = 0;
  for (const [at, [name, args]] of calls.entries()) {
    const honest = await askRpc(server.origin, name, { ...Object(args), proof: 1, proof_since: 0 });
    const dice = new Dice(seededRandom(`proof ${at}`));
    for (let i = 0; i < perCall; i++) {
      const here = { start: { zeroState: id, initBlock: id }, clock: chain.clock };
      try {
        const result = await checkReceived([name, args], mutateAnswer(honest, dice), here);
        expect(result).toEqual(honest.result);
        accepted++;
      } catch (error) {
        if (!isCoded(error) || !error.code.startsWith("verify/")) throw error;
        codes.add(error.code);
      }
    }
  }
  expect([...codes].sort()).toEqual(expect.arrayContaining(["verify/answer", "verify/changed", "verify/head"]));
  // Only where a byte is not read at all, such as a part of a proof beside the way to what it proves.
  expect(accepted / (perCall * calls.length)).toBeLessThan(0.2);
});
