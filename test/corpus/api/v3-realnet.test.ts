import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listChains, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";
import type { Json, JsonList } from "../../kit/api/demoStage.ts";
import { actionsOf, asTexts, countsOf, messagesOf, statesAfter, transactionsIn } from "../../kit/api/v3/v3Agreement.ts";
import { filteredLists } from "../../kit/api/v3/v3FilteredLists.ts";
import {
  type AskV3,
  type Filter,
  type FilteredList,
  inAnyOrder,
  letThrough,
  pairsOf,
  sampleOf,
  walkList,
  walkWhole,
} from "../../kit/api/v3/v3Filters.ts";
import { openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { repeats } from "../../kit/suite/everything.ts";

const longMs = 900_000;
const shortAnswer = 200;
const eachPair = repeats({ usual: 4, all: 3 });

const hex = (base64: unknown) => Buffer.from(String(base64), "base64").toString("hex");
const lower = (address: unknown) => String(address).toLowerCase();

/** The fields of a transaction that both the answer and the recording of a second parser have. */
function reported(item: Json): Json {
  const { account, hash, lt, now, mc_block_seqno, prev_trans_hash, prev_trans_lt, total_fees, trace_id } = item;
  const [description, received] = [item.description as Json, item.in_msg as Json | null];
  const { compute_ph: compute, action } = description as Readonly<Record<string, Json | undefined>>;
  return {
    ...{ hash: hex(hash), account: lower(account), lt, now, mc_seqno: mc_block_seqno, total_fees },
    ...{ prev_trans_hash: hex(prev_trans_hash), prev_trans_lt, trace_root: hex(trace_id) },
    ...{ orig_status: item.orig_status, end_status: item.end_status, aborted: description.aborted },
    exit_code: compute?.exit_code,
    // If no gas was paid for, the contract swaps the two.
    gas_used: compute?.gas_used === "0" ? compute.gas_fees : compute?.gas_used,
    msgs_created: action?.msgs_created,
    in_msg: received && hex(received.hash),
    out_msgs: (item.out_msgs as JsonList).map((sent) => hex(sent.hash)),
  };
}

/** The second parser's names of account states. */
const statuses = new Map<unknown, string>([
  ["uninitialized", "uninit"],
  ["non-existing", "nonexist"],
]);
const statusOf = (word: unknown) => statuses.get(word) ?? word;

function recorded(line: Json): Json {
  const { hash, account, lt, now, mc_seqno, prev_trans_hash, prev_trans_lt } = line;
  const [compute, action, received] = [line.compute, line.action, line.in_msg] as readonly (Json | null)[];
  return {
    ...{ hash, account, lt, now, mc_seqno, total_fees: line.total_fees, prev_trans_hash, prev_trans_lt },
    ...{ trace_root: line.trace_root, aborted: line.aborted },
    ...{ orig_status: statusOf(line.orig_status), end_status: statusOf(line.end_status) },
    exit_code: compute?.exit_code,
    gas_used: compute?.gas_used,
    msgs_created: action?.msgs_created,
    in_msg: received?.hash ?? null,
    out_msgs: line.out_msgs,
  };
}

describeCorpusPart("v3 over recorded chains", "*/index.json", (folder) => {
  const names = listChains(folder);

  describe.each(names)("%s", (name) => {
    let stage: IndexStage;
    let server: TestServer;
    const whole = new Map<string, JsonList>();

    const ask: AskV3 = async (path, args) => {
      const response = await fetch(`${server.origin}/api/v3/${path}?${new URLSearchParams(args)}`);
      return (await response.json()) as Json;
    };
    /** Every pair of filters is tried on one of the chains; some of them in the ordinary run. */
    const isOfChain = (_: Filter, at: number) => at % (names.length * eachPair) === names.indexOf(name);
    const walk = async (list: FilteredList) => {
      const found = whole.get(list.path) ?? (await walkWhole(ask, list));
      whole.set(list.path, found);
      return found;
    };

    beforeAll(async () => {
      stage = await openIndexStage(importChain(join(folder, name)), await openFresh("postgres"));
      await stage.indexer({}).run(new AbortController().signal);
      const { database } = stage;
      const history = new History({ ...contractHistory, isTestnet: true, timeoutMs: 600_000 }, { database });
      server = await openApiServer(v3Api, { history }, { maxUrlBytes: 131_072 });
    }, longMs);
    afterAll(async () => {
      await server?.close();
      await stage?.close();
    });

    it.each(filteredLists)(
      "returns for $path with every filter, and with pairs of filters, the matching items of the whole list",
      async (list) => {
        const all = await walk(list);
        const asked = new Set<string>();
        for (const item of sampleOf(all, 3)) {
          const filters = await list.filters(item, ask);
          const isShort = (filter: Filter) => letThrough(all, filter).length <= shortAnswer;
          // Pairs with long answers are skipped: they equal the answer to one of the filters. So are single filters of
          // other items than the first with long answers: those differ only in where they begin.
          const tried =
            item === all[0]
              ? [...filters, ...pairsOf(list, filters).filter(isOfChain).filter(isShort)]
              : filters.filter(isShort);
          for (const filter of tried) {
            // Items share values; each is requested once.
            const key = JSON.stringify(filter.args);
            if (asked.has(key)) continue;
            asked.add(key);
            const found = await walkList(ask, list, filter.args);
            expect([filter.args, inAnyOrder(found)]).toEqual([filter.args, inAnyOrder(letThrough(all, filter))]);
          }
        }
      },
      longMs,
    );

    it(
      "shows transactions, messages, traces, actions, blocks and accounts alike in every list",
      async () => {
        const walkBy = async (path: string) => walk(filteredLists.find((list) => list.path === path) as FilteredList);
        const transactions = await walkBy("transactions");
        const traces = await walkBy("traces");
        const blocks = await walkBy("blocks");
        const known = new Map(transactions.map((each) => [each.hash, each]));
        const reported = transactionsIn(traces);
        expect(asTexts(reported)).toEqual(asTexts(reported.map(({ hash }) => known.get(hash))));
        expect(asTexts(await walkBy("messages"))).toEqual(asTexts(messagesOf(transactions)));
        const actions = (await walkBy("actions")).map(({ accounts: _all, ...own }) => own);
        expect(asTexts(actions)).toEqual(asTexts(actionsOf(traces)));
        expect(blocks.map(({ tx_count: count }) => count)).toEqual(countsOf(blocks, transactions));
        const states = statesAfter(transactions);
        const { accounts } = await ask("accountStates", { address: states.map((each) => each.address).join() });
        expect(accounts).toEqual(states.map((each) => expect.objectContaining(each)));
      },
      longMs,
    );

    const lines = join(name, "transactions.jsonl.gz");
    if (existsSync(join(folder, lines))) {
      it("shows every transaction like a second parser", async () => {
        const list = filteredLists.find(({ path }) => path === "transactions");
        const found = list === undefined ? [] : await walk(list);
        const byHash = (a: Json, b: Json) => (String(a.hash) < String(b.hash) ? -1 : 1);
        const expected = (readJsonLinesGz(folder, lines) as JsonList).map(recorded).sort(byHash);
        expect(found.map(reported).sort(byHash)).toEqual(expected);
      });
    }
  });
});
