import { v3 } from "../api/ask.ts";
import { checkBy, liteId } from "../api/check.ts";
import type { Transaction as TransactionData } from "../api/types.ts";
import { useErrorWords } from "../api/useErrorWords.ts";
import { useUntilFound } from "../api/useUntilFound.ts";
import { href } from "../browser/router.ts";
import { hashInPath, parseHash } from "../format/hash.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Story } from "../parts/Sentence.tsx";
import { Badge, BlockLink, Coins, HashText, Moment } from "../parts/values.tsx";
import { outcomeOf } from "../trace/model.ts";
import { TraceView } from "../trace/TraceView.tsx";
import { explainFailure } from "../trace/words.ts";
import type { PageProps } from "./PageProps.ts";
import { Messages } from "./tx/Messages.tsx";
import { Phases } from "./tx/Phases.tsx";
import { Replay } from "./tx/Replay.tsx";
import { DataChange, StateChange } from "./tx/StateChange.tsx";
import type { TransactionPanel } from "./tx/TransactionPanel.ts";

/** One transaction: what it did, its trace, and every field. */
export function Transaction({ params: [given = ""] }: PageProps) {
  const hash = parseHash(given);
  return (
    <>
      <h1>Transaction</h1>
      {hash === undefined ? (
        <p class="failure">This is not the hash of a transaction: {given.slice(0, 100)}</p>
      ) : (
        <ByHash hash={hash} />
      )}
    </>
  );
}

function ByHash({ hash }: { readonly hash: string }) {
  const ask = v3("transactions", { hash: [hash], limit: 1 });
  const loaded = useUntilFound(ask, isFilled);
  return (
    <Await of={loaded}>
      {({ transactions: [found] }) =>
        found === undefined ? <Missing hash={hash} /> : <Found transaction={found} from={ask} />
      }
    </Await>
  );
}

const isFilled = ({ transactions }: { readonly transactions: readonly unknown[] }): boolean => transactions.length > 0;

/** The hash may belong to a message; wallets and tools often give those out. */
function Missing({ hash }: { readonly hash: string }) {
  const ask = v3("transactionsByMessage", { msg_hash: [hash], limit: 1 });
  const loaded = useUntilFound(ask, isFilled);
  return (
    <Await of={loaded}>
      {({ transactions: [found] }) =>
        found === undefined ? (
          <Empty>
            There is no transaction or message with this hash in the index. If it was just sent, this page shows it as
            soon as it is in a block.
          </Empty>
        ) : (
          <Found transaction={found} from={ask} />
        )
      }
    </Await>
  );
}

function Found({ transaction, from }: TransactionPanel) {
  const askActions = v3("actions", { tx_hash: [transaction.hash], limit: 50 });
  const actions = useUntilFound(askActions, ({ actions: list }) => list.length > 0);
  const askTrace = v3("traces", { tx_hash: [transaction.hash], include_actions: true, limit: 1 });
  const trace = useUntilFound(askTrace, ({ traces: [found] }) => found?.transactions !== undefined);
  const traced = trace.kind === "ok" ? (trace.data.traces[0]?.transactions ?? {}) : {};
  const words = useErrorWords([transaction, ...Object.values(traced)]);
  return (
    <>
      <Panel title="What happened" from={[from, askActions]} check={checkOf(transaction)}>
        <Await of={actions}>{({ actions: list }) => <Story actions={list} />}</Await>
        <Summary transaction={transaction} />
      </Panel>
      <Panel
        title="Trace"
        from={[askTrace, ...words]}
        note={
          transaction.trace_id !== undefined && (
            <a href={href(`/trace/${hashInPath(transaction.trace_id)}`)}>Value flow and whole trace</a>
          )
        }
      >
        <Await of={trace}>
          {({ traces: [found] }) =>
            found?.trace === undefined || found.transactions === undefined ? (
              <Empty>{found?.warning ?? "The trace is not complete yet."}</Empty>
            ) : (
              <TraceView
                trace={found.trace}
                transactions={found.transactions}
                {...(found.actions === undefined ? {} : { actions: found.actions })}
                marked={transaction.hash}
              />
            )
          }
        </Await>
      </Panel>
      <Phases transaction={transaction} from={from} />
      <Messages transaction={transaction} from={from} />
      <StateChange transaction={transaction} from={from} />
      <DataChange transaction={transaction} from={from} />
      {!transaction.emulated && <Replay transaction={transaction} />}
    </>
  );
}

/** The block of the transaction has it: the first one of the account after the logical time before. */
function checkOf({ account, lt, hash, now, block_ref, emulated }: TransactionData) {
  if (emulated) return undefined;
  const after = { after_lt: (BigInt(lt) - 1n).toString(), after_hash: account.slice(account.indexOf(":") + 1) };
  return checkBy(
    "getBlockTransactionsExt",
    { ...liteId(block_ref), ...after, count: 1 },
    ({ transactions: [found] }) => [
      ["the hash", hash, found?.transaction_id.hash],
      ["the time", now, found?.utime],
    ],
  );
}

const outcomes = {
  good: ["good", "Success"],
  failed: ["bad", "Failed"],
  skipped: ["plain", "No code ran"],
  set: ["plain", "Set by hand"],
} as const;

function Summary({ transaction }: { readonly transaction: TransactionData }) {
  const outcome = outcomeOf(transaction);
  const [tone, word] = outcomes[outcome];
  const why = explainFailure({ transaction, outcome });
  return (
    <Facts
      facts={[
        [
          "Result",
          <>
            <Badge tone={tone}>{word}</Badge> {why}
          </>,
        ],
        ["Account", <AddressLink key="account" address={transaction.account} isFull />],
        ["Hash", <HashText key="hash" hash={transaction.hash} isFull />],
        ["Time", <Moment key="time" at={transaction.now} />],
        [
          "Block",
          <>
            <BlockLink block={transaction.block_ref} />
            {transaction.block_ref.workchain !== -1 && (
              <span class="muted">
                , in masterchain block{" "}
                <BlockLink block={{ workchain: -1, shard: "8000000000000000", seqno: transaction.mc_block_seqno }} />
              </span>
            )}
          </>,
        ],
        [
          "Logical time",
          <span key="lt" class="number">
            {transaction.lt}
          </span>,
          "The order of events within the chain",
        ],
        ["Fees", <Coins key="fees" value={transaction.total_fees} />],
      ]}
    />
  );
}
