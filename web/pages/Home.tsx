import { v3 } from "../api/ask.ts";
import { about } from "../api/features.ts";
import { useHead } from "../api/live.ts";
import type { Action, Block } from "../api/types.ts";
import { type Loaded, useAsk } from "../api/useAsk.ts";
import { href } from "../browser/router.ts";
import { formatCount } from "../format/coins.ts";
import { formatMoment } from "../format/time.ts";
import { Bars } from "../parts/Chart.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { ActionList } from "../parts/Sentence.tsx";
import { Ago, BlockLink, useNow } from "../parts/values.tsx";
import { countActivity } from "./home/activity.ts";
import { listRounds } from "./home/rounds.ts";
import { askUsers, firstCount, type UserTransaction } from "./home/userTransactions.ts";
import { useUserTransactions } from "./home/useUserTransactions.ts";
import { Wallets } from "./home/Wallets.tsx";

const shownBlocks = 12;
const chartBlocks = 40;

/** The newest blocks and what users did; what the chain itself does with every block is left out. */
export function Home() {
  const { seqno } = useHead();
  const askBlocks = v3("blocks", { limit: 3 * chartBlocks });
  const blocks = useAsk(askBlocks, seqno);
  const users = useUserTransactions(seqno);
  const list = users.kind === "ok" ? users.data : [];
  return (
    <>
      <h1>{about().network === "" ? "Explorer" : about().network}</h1>
      <Await of={blocks}>{(data) => <Summary blocks={data.blocks} users={list} />}</Await>
      <ActivityPanel users={users} />
      {about().local && <Wallets version={seqno} />}
      <div class="columns">
        <Await of={users}>{(data) => <NewestActions users={data} />}</Await>
        <Panel title="Newest blocks" from={[askBlocks]} note={<a href={href("/list/blocks")}>All blocks</a>}>
          <Await of={blocks}>{(data) => <BlockRows blocks={data.blocks} />}</Await>
        </Panel>
      </div>
    </>
  );
}

interface SummaryProps {
  readonly blocks: readonly Block[];
  readonly users: readonly UserTransaction[];
}

function Summary({ blocks, users }: SummaryProps) {
  const rounds = listRounds(blocks, users, users.length < firstCount);
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
        <span>of users, over {rounds.length} blocks</span>
      </div>
      <div class="tile">
        <span class="caption">Time between blocks</span>
        <strong class="number">{(seconds / Math.max(1, rounds.length - 1)).toFixed(1)} s</strong>
        <span>on average</span>
      </div>
      <div class="tile chart">
        <span class="caption">Transactions of users a block</span>
        <Bars
          values={rounds.map(({ transactions }) => transactions)}
          names={rounds.map((round) => `Block ${formatCount(round.seqno)}: ${round.transactions}`)}
          label={`Transactions of users in the last ${rounds.length} blocks: ${count}`}
        />
      </div>
    </div>
  );
}

function ActivityPanel({ users }: { readonly users: Loaded<readonly UserTransaction[]> }) {
  const now = useNow();
  const list = users.kind === "ok" ? users.data : [];
  // A local network may be ahead of this clock.
  const { unit, buckets } = countActivity(
    list.map(({ at }) => at),
    Math.max(now, list[0]?.at ?? 0),
  );
  const count = buckets.reduce((sum, each) => sum + each.count, 0);
  const name = (at = 0) => formatMoment(at).slice(unit === "day" ? 0 : 11, unit === "day" ? 10 : 16);
  return (
    <Panel
      title={`Activity by ${unit}`}
      from={[askUsers()]}
      note={`${formatCount(count)} transactions of users${list.length < firstCount ? "" : ", the newest ones"}.`}
    >
      <Bars
        values={buckets.map((each) => each.count)}
        names={buckets.map((each) => `${name(each.at)}: ${each.count}`)}
        label={`Transactions of users in the last ${buckets.length} ${unit}s: ${count}`}
        height={24}
      />
      <div class="scale">
        <span>{name(buckets[0]?.at)}</span>
        <span>{name(buckets[buckets.length >> 1]?.at)}</span>
        <span>{name(buckets.at(-1)?.at)}</span>
      </div>
    </Panel>
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

/** As many traces as have the actions of one list. */
const shownTraces = 40;

/** What users did: the actions of the traces of their newest transactions. */
function NewestActions({ users }: { readonly users: readonly UserTransaction[] }) {
  const traces = [...new Set(users.map(({ trace }) => trace))].slice(0, shownTraces);
  const ask = traces.length === 0 ? undefined : v3("actions", { trace_id: traces, limit: 200 });
  // Newer transactions have other traces: what was shown of older ones stays until their actions are there.
  const actions = useAsk(ask, users.length, "newest actions");
  return (
    <Panel title="Newest actions" from={[ask]}>
      {ask === undefined && <Empty>Nothing has happened yet: send a message and it appears here.</Empty>}
      <Await of={actions}>{({ actions: list }) => <ActionList actions={thin(list)} />}</Await>
    </Panel>
  );
}
