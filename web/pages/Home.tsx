import { v3 } from "../api/ask.ts";
import { about } from "../api/features.ts";
import { useHead } from "../api/live.ts";
import type { Action, Block } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { formatCount } from "../format/coins.ts";
import { Bars } from "../parts/Chart.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { ActionList } from "../parts/Sentence.tsx";
import { Ago, BlockLink } from "../parts/values.tsx";
import { Wallets } from "./Wallets.tsx";

const shownBlocks = 12;
const chartBlocks = 40;

/** The newest blocks and actions of the chain. */
export function Home() {
  const { seqno } = useHead();
  const askBlocks = v3("blocks", { limit: 3 * chartBlocks });
  const blocks = useAsk(askBlocks, seqno);
  return (
    <>
      <h1>{about().network === "" ? "Explorer" : about().network}</h1>
      <Await of={blocks}>{({ blocks: list }) => <Summary blocks={list} />}</Await>
      {about().local && <Wallets version={seqno} />}
      <div class="columns">
        <NewestActions version={seqno} />
        <Panel title="Newest blocks" from={[askBlocks]}>
          <Await of={blocks}>{({ blocks: list }) => <BlockRows blocks={list} />}</Await>
        </Panel>
      </div>
    </>
  );
}

interface Round {
  readonly seqno: number;
  readonly at: number;
  readonly transactions: number;
}

/** Transactions of each masterchain block, including those of its shard blocks; oldest first. */
function listRounds(blocks: readonly Block[]): Round[] {
  const rounds = new Map<number, Round>();
  for (const block of blocks) {
    const { seqno } = block.masterchain_block_ref;
    const former = rounds.get(seqno);
    const at = Math.max(former?.at ?? 0, Number(block.gen_utime));
    rounds.set(seqno, { seqno, at, transactions: (former?.transactions ?? 0) + block.tx_count });
  }
  const sorted = [...rounds.values()].toSorted((a, b) => a.seqno - b.seqno);
  // The limit of the list may cut shard blocks of the oldest one.
  return sorted.slice(1).slice(-chartBlocks);
}

function Summary({ blocks }: { readonly blocks: readonly Block[] }) {
  const rounds = listRounds(blocks);
  const newest = rounds[rounds.length - 1];
  const oldest = rounds[0];
  if (newest === undefined || oldest === undefined) return null;
  const seconds = Math.max(1, newest.at - oldest.at);
  const count = rounds.reduce((sum, { transactions }) => sum + transactions, 0);
  return (
    <div class="tiles">
      <div class="tile">
        <span class="caption">Newest block</span>
        <strong class="number">{formatCount(newest.seqno)}</strong>
        <Ago at={newest.at} />
      </div>
      <div class="tile">
        <span class="caption">Transactions a second</span>
        <strong class="number">{(count / seconds).toFixed(1)}</strong>
        <span>over {rounds.length} blocks</span>
      </div>
      <div class="tile">
        <span class="caption">Time between blocks</span>
        <strong class="number">{(seconds / Math.max(1, rounds.length - 1)).toFixed(1)} s</strong>
        <span>on average</span>
      </div>
      <div class="tile chart">
        <span class="caption">Transactions a block</span>
        <Bars
          values={rounds.map(({ transactions }) => transactions)}
          label={`Transactions of the last ${rounds.length} blocks`}
        />
      </div>
    </div>
  );
}

function BlockRows({ blocks }: { readonly blocks: readonly Block[] }) {
  const rows = blocks.filter(({ workchain, tx_count: count }) => workchain === -1 || count > 0).slice(0, shownBlocks);
  return (
    <ul class="rows">
      {rows.map((block) => (
        <li key={block.root_hash}>
          <span>
            {block.workchain === -1 ? "Block " : ""}
            <BlockLink block={block} />
          </span>
          <span class="aside">
            <span>
              {block.tx_count} transaction{block.tx_count === 1 ? "" : "s"}
            </span>
            <Ago at={block.gen_utime} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const perTrace = 3;
const shownActions = 20;

/** Limits the actions of one trace: a payout to thousands must not hide everything else. */
function thin(actions: readonly Action[]): Action[] {
  const counts = new Map<string, number>();
  const kept = actions.filter(({ trace_id: id }) => {
    const count = (counts.get(id ?? "") ?? 0) + 1;
    counts.set(id ?? "", count);
    return count <= perTrace;
  });
  return kept.slice(0, shownActions);
}

/** What users did; the chain's own actions come with every block. */
function NewestActions({ version }: { readonly version: number }) {
  const ask = v3("actions", { include_system: false, limit: 200 });
  const actions = useAsk(ask, version);
  return (
    <Panel title="Newest actions" from={[ask]}>
      <Await of={actions}>
        {({ actions: list }) =>
          list.length === 0 ? (
            <Empty>Nothing has happened yet: send a message and it appears here.</Empty>
          ) : (
            <ActionList actions={thin(list)} />
          )
        }
      </Await>
    </Panel>
  );
}
