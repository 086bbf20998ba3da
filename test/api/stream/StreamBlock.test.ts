import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderBlock } from "../../../src/api/stream/renderEvents.ts";
import { makeStreamBlock } from "../../../src/api/stream/StreamBlock.ts";
import { readSubscription, sseWording } from "../../../src/api/stream/Subscription.ts";
import { readBlockFacts } from "../../../src/history/events/BlockFacts.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { type Hash, hashToBase64 } from "../../../src/model/Hash.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { type GrowingChain, growSplitChain } from "../../kit/localnet/splitChain.ts";

const lastSeqno = 40;
/** The most transactions of a trace that is shown whole: none, few, those of all traces of the chain. */
const limits = [0, 2, 4_000] as const;
const never = new AbortController().signal;

let chain: GrowingChain;
let stage: IndexStage;
/** The events of each block, as they were when it was the newest one. */
const live = new Map<number, readonly string[][]>();

beforeAll(async () => {
  chain = growSplitChain(1);
  stage = await openIndexStage(chain.ledger);
  for (let seqno = 1; seqno <= lastSeqno; seqno++) {
    if (seqno > 1) chain.grow();
    await stage.indexer({ to: seqno }).run(never);
    live.set(seqno, await Promise.all(limits.map((limit) => eventsOf(seqno, limit))));
  }
}, 600_000);
afterAll(() => stage.close());

const types = ["transactions", "actions", "trace", "account_state_change", "jettons_change", "blocks"];
const context = {
  ...{ wording: sseWording, maxAddresses: 10, mayAskForAll: true },
  ...{ headers: {}, before: undefined },
};

async function eventsOf(mcSeqno: number, maxTraceTransactions: number, partial = false): Promise<string[]> {
  const history = new History({ ...contractHistory, maxTraceTransactions }, { database: stage.database });
  const facts = await history.read({}, (reading) => readBlockFacts(reading, mcSeqno));
  if (facts === undefined) throw new Error(`there is no block ${mcSeqno}`);
  const block = runAtOnce(makeStreamBlock(facts));
  const externals = [...block.traces, ...block.open].map(({ external }) => external);
  const given = { types, addresses: ["*"], partial, trace_external_hash_norms: [...externals, "0".repeat(64)] };
  return renderBlock(block, readSubscription(given, context).subscription).map(({ text }) => `${text}}`);
}

interface TransactionsEvent {
  readonly type: string;
  readonly transactions: readonly { readonly hash: string; readonly mc_block_seqno: number }[];
}

async function listTransactions(limit: (typeof limits)[number], partial: boolean) {
  const found: { readonly hash: string; readonly at: number; readonly own: number }[] = [];
  for (let at = 1; at <= lastSeqno; at++) {
    // The first test shows that they are the same again.
    const texts = partial ? await eventsOf(at, limit, true) : live.get(at)?.[limits.indexOf(limit)];
    const events = (texts ?? []).map((text) => JSON.parse(text) as TransactionsEvent);
    for (const { transactions } of events.filter(({ type }) => type === "transactions"))
      for (const { hash, mc_block_seqno: own } of transactions) found.push({ hash, at, own });
  }
  return found;
}

/** Transactions that the index has, of complete traces or of all. */
async function indexed(condition: string): Promise<readonly string[]> {
  const rows = await stage.database.query(
    `select encode(t.hash, 'hex') as hash from transactions t join traces r using (trace_id) where ${condition}`,
  );
  return rows.map(({ hash }) => hashToBase64(String(hash) as Hash)).toSorted();
}

describe("the events of a recorded chain", () => {
  it("are the same live and replayed, for every block", async () => {
    for (let seqno = 1; seqno <= lastSeqno; seqno++) {
      const replayed = await Promise.all(limits.map((limit) => eventsOf(seqno, limit)));
      expect(replayed, `block ${seqno}`).toEqual(live.get(seqno));
    }
    expect([...live.values()].flatMap(([, , all]) => all ?? []).length).toBeGreaterThan(200);
  });

  it("have every transaction of a complete trace once, however few a trace may show", async () => {
    for (const limit of limits) {
      const hashes = (await listTransactions(limit, false)).map(({ hash }) => hash);
      expect(new Set(hashes).size, `limit ${limit}`).toBe(hashes.length);
      const complete = await indexed(
        limit === 4_000 ? "r.state = 'complete'" : `r.state = 'complete' or r.nodes > ${limit}`,
      );
      expect(hashes.toSorted(), `limit ${limit}`).toEqual(complete);
    }
  });

  it("have a trace that is too long for one event in the blocks of its transactions", async () => {
    const waits = async (limit: (typeof limits)[number]) =>
      (await listTransactions(limit, false)).filter(({ at, own }) => at > own).length;
    expect([await waits(0), await waits(4_000)]).toEqual([0, 5]);
  });

  it("have every transaction in its own block for those who ask for parts", async () => {
    for (const limit of limits) {
      const transactions = await listTransactions(limit, true);
      expect(transactions.filter(({ at, own }) => at !== own)).toEqual([]);
      expect(transactions.map(({ hash }) => hash).toSorted()).toEqual(await indexed("true"));
    }
  });

  it("have a trace that is open for more than ten minutes as far as it is, and the rest with its blocks", async () => {
    const [long] = await stage.database.query(
      "select encode(trace_id, 'hex') as id, mc_seqno_start as first from traces where mc_seqno_end - mc_seqno_start = 2",
    );
    const [id, first] = [hashToBase64(String(long?.id) as Hash), Number(long?.first)];
    // The same chain with ten minutes between its blocks.
    await stage.database.write(async (session) => {
      await session.run(`update blocks set gen_utime = gen_utime + mc_block_seqno * 600;
        update transactions set now = now + mc_block_seqno * 600;
        update traces set start_utime = start_utime + mc_seqno_start * 600`);
    });
    const shown = async (seqno: number, limit = 4_000) =>
      (await eventsOf(seqno, limit))
        .map((text) => JSON.parse(text) as Record<string, unknown>)
        .flatMap((event) => {
          const list = Object.values(Object(event.transactions)) as readonly { readonly trace_id?: string }[];
          const own = list.filter(({ trace_id: of }) => of === id).length;
          return own === 0 ? [] : [`${event.type} ${own}`];
        });
    const all = await Promise.all([0, 1, 2].map((at) => shown(first + at)));
    // The block between has none of its transactions.
    expect(all).toEqual([[], ["transactions 1", "trace 1"], ["transactions 1", "trace 2"]]);
    const replayed = await eventsOf(first + 1, 4_000);
    // The tables as they were when the trace was open.
    await stage.database.write(async (session) => {
      await session.run(`delete from transactions where mc_block_seqno > ${first + 1};
        update traces set state = 'pending', mc_seqno_end = ${first + 1}, nodes = 1 where mc_seqno_end = ${first + 2}`);
    });
    expect(await eventsOf(first + 1, 4_000)).toEqual(replayed);
  });
});
