import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountReader } from "../../../src/history/ingest/accounts.ts";
import { decodeBatch } from "../../../src/history/ingest/decode.ts";
import { poolHeads, serverHeads } from "../../../src/history/ingest/heads.ts";
import { Questions } from "../../../src/history/ingest/Questions.ts";
import { StateMemory } from "../../../src/history/ingest/StateMemory.ts";
import { openSource } from "../../../src/history/ingest/source.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { checkBlocks, checkStates, checkTransactions } from "../../kit/checkIngest.ts";
import { type Ingested, listBatches, noEnd, noLookups } from "../../kit/ingestStage.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localChain.ts";
import { importSplitChain } from "../../kit/splitChain.ts";

let kit: ChainKit;
let chain: TestChain;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  for (let i = 0; i < 4; i++) {
    await chain.send(chain.wallet(i), { to: makeAddress(0, String(i).repeat(64)), amount: 1_000_000_000n });
    await chain.rounds(2);
  }
});
afterAll(() => kit.close());

function trusted(proofs: "check" | "trust"): TrustedChain {
  const zeroState = chain.net.ledger.zero.id;
  return new TrustedChain({ start: zeroState, zeroState, proofs });
}

const modules = { clock: systemClock, random: seededRandom("heads") };

describe("the heads of a server", () => {
  it("are proved by signatures, and all blocks by them: a local network", async () => {
    const { lite: server, ledger } = chain.net;
    const heads = serverHeads(server, trusted("check"), systemClock);
    const source = openSource({ server, heads, ...modules }, { attempts: 1 });
    const parts = { server, lookups: noLookups, questions: new Questions(modules), memory: new StateMemory() };
    const reader = new AccountReader(parts);
    const steps: Ingested[] = [];
    for (const batch of await listBatches(source.batches({ from: 1, to: ledger.headId.seqno }, noEnd))) {
      const decoded = decodeBatch(batch);
      steps.push({ batch, decoded, read: await reader.read(decoded, noEnd) });
    }
    checkBlocks(ledger, steps);
    expect(checkTransactions(ledger, steps).transactions).toBeGreaterThan(8);
    expect(checkStates(ledger, steps)).toBeGreaterThan(8);
  });

  it("are waited for", async () => {
    const { lite: server, ledger } = chain.net;
    const heads = serverHeads(server, trusted("check"), systemClock);
    const now = ledger.headId;
    expect(await heads.reach(now.seqno, noEnd)).toEqual(now);
    const next = heads.reach(now.seqno + 1, noEnd);
    await chain.rounds(1);
    expect((await next).seqno).toBe(now.seqno + 1);
  });

  it("of another network are refused", async () => {
    const zeroState = importSplitChain().zero.id;
    const foreign = new TrustedChain({ start: zeroState, zeroState, proofs: "check" });
    const heads = serverHeads(chain.net.lite, foreign, systemClock);
    await expect(heads.reach(1, noEnd)).rejects.toMatchObject({ code: "lite/proof" });
  });

  it("are waited for no longer than the signal allows", async () => {
    const end = new AbortController();
    const heads = serverHeads(chain.net.lite, trusted("check"), systemClock);
    const never = heads.reach(chain.net.ledger.headId.seqno + 50, end.signal);
    end.abort(new LiteError("lite/closed", "enough"));
    await expect(never).rejects.toMatchObject({ code: "lite/closed" });
  });
});

describe("the heads of a pool", () => {
  it("are the pool's own", async () => {
    const block = chain.net.ledger.headId;
    const asked: number[] = [];
    const waitHead = async (after: number) => {
      asked.push(after);
      return { block, genUtime: 0 };
    };
    expect(await poolHeads({ waitHead }).reach(7, noEnd)).toEqual(block);
    expect(asked).toEqual([6]);
  });
});
