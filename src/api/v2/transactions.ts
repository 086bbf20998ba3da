import { locateResult, locateSource, type MessageKey } from "../../chain/locate.ts";
import { listBlockEntries, listBlockTransactions, listTransactions } from "../../chain/transactions.ts";
import { type ArgValues, optional, withDefault } from "../../lib/kit/arg.ts";
import { list } from "../../lib/kit/shape.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import { arg } from "../declare/argument.ts";
import { ApiError } from "../declare/errors.ts";
import { chainProof, largeProof } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { addressArg, boolArg, hashArg, intArg, longArg, notNegativeArg, refuse } from "./args.ts";
import { accountPartArg, ignoringEmpty, namedBlock, namedBlockArgs } from "./blockArgs.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { blockTransactions, blockTransactionsExt, extTransaction, rawTransactions } from "./shapes/transactions.ts";

const listingArgs = {
  ...namedBlockArgs,
  after_lt: arg(
    "Logical time of the last transaction of the page before; used together with `after_hash`.",
    optional(notNegativeArg),
  ),
  after_hash: arg(
    "Account of the last transaction of the page before; used together with `after_lt`.",
    ignoringEmpty(accountPartArg),
  ),
  count: arg("Largest number of transactions in the answer.", withDefault(intArg({ min: 1, max: 10_000 }), 40)),
};

function listingOf(args: ArgValues<typeof listingArgs>) {
  const { after_lt: lt, after_hash: account, count } = args;
  if ((lt === undefined) !== (account === undefined)) throw refuse("after_lt and after_hash should be used together");
  const after = lt === undefined || account === undefined ? undefined : { account, lt };
  return { block: namedBlock(args), after, count };
}

export const getBlockTransactions = endpoint({
  name: "getBlockTransactions",
  proof: chainProof,
  tag: "transactions",
  summary: "Ids of a block's transactions by account, then logical time.",
  description: "For the next page, give `after_lt` and `after_hash` of the last one; `after_hash` is its account.",
  args: listingArgs,
  result: blockTransactions,
  cache: "forever",
  run: onChain(async (chain, args) => ({ ...(await listBlockEntries(chain, listingOf(args))), count: args.count })),
});

export const getBlockTransactionsExt = endpoint({
  name: "getBlockTransactionsExt",
  proof: largeProof,
  tag: "transactions",
  summary: "A block's whole transactions by account, then logical time.",
  description: "For the next page, give `after_lt` and `after_hash` of the last one; `after_hash` is its account.",
  args: listingArgs,
  result: blockTransactionsExt,
  cache: "forever",
  run: onChain(async (chain, args) => ({
    ...(await listBlockTransactions(chain, listingOf(args))),
    count: args.count,
  })),
});

const historyArgs = {
  address: arg("Address of the account.", addressArg(), "wallet"),
  limit: arg("Largest number of transactions in the answer.", withDefault(intArg({ min: 1, max: 1000 }), 10), {
    value: 3,
  }),
  lt: arg("Logical time of the transaction to begin with; used together with `hash`.", optional(longArg({ min: 0 }))),
  hash: arg("Hash of the transaction to begin with; used together with `lt`.", optional(hashArg())),
  to_lt: arg("Only transactions after this logical time.", withDefault(longArg(), 0n)),
  archival: arg("Accepted for older clients; servers with the history are found without it.", optional(boolArg)),
};

type HistoryArgs = ArgValues<typeof historyArgs>;

/** The history before a transaction does not change; from the newest one it grows. */
function untilGrown({ hash }: HistoryArgs) {
  return hash === undefined ? "head" : "forever";
}

function pointOf({ lt, hash }: Pick<HistoryArgs, "lt" | "hash">): TransactionPoint | undefined {
  if ((lt === undefined) !== (hash === undefined)) throw refuse("lt and hash should be used together");
  return lt === undefined || hash === undefined ? undefined : { lt, hash };
}

function historyQueryOf(args: HistoryArgs, from: TransactionPoint | undefined) {
  return { from, limit: args.limit, toLt: args.to_lt };
}

/** Notes that the list ends where no server has more, although the history continues: nothing proves that. */
function noteCut(isCut: boolean, { notes, proof }: RequestContext): void {
  if (isCut && proof !== undefined)
    throw new ApiError("api/no-proof", "no server has the rest of this history; ask for fewer transactions");
  if (isCut) {
    notes.addHeader("X-Tongate-History", "cut");
    notes.doNotKeep();
  }
}

const historyNote =
  "Servers with the needed history are found automatically, whatever `archival` says. If no server has the rest, the list ends early, with the header `X-Tongate-History: cut`.";

export const getTransactions = endpoint({
  name: "getTransactions",
  proof: largeProof,
  tag: "transactions",
  summary: "An account's transactions, newest first.",
  description: `Begins with the transaction \`lt\`, \`hash\` itself. ${historyNote}`,
  args: historyArgs,
  result: list(extTransaction),
  cache: untilGrown,
  run: onChain(async (chain, args, context) => {
    // Only here a logical time of zero means absent.
    const from = pointOf({ lt: args.lt === 0n ? undefined : args.lt, hash: args.hash });
    const { items, isCut } = await listTransactions(chain, args.address.address, historyQueryOf(args, from));
    noteCut(isCut, context);
    return items;
  }),
});

export const getTransactionsStd = endpoint({
  name: "getTransactionsStd",
  proof: largeProof,
  tag: "transactions",
  summary: "An account's transactions, newest first, and where the next page begins.",
  description: `Begins with the transaction \`lt\`, \`hash\` itself. ${historyNote}`,
  args: historyArgs,
  result: rawTransactions,
  cache: untilGrown,
  run: onChain(async (chain, args, context) => {
    const history = await listTransactions(chain, args.address.address, historyQueryOf(args, pointOf(args)));
    noteCut(history.isCut, context);
    return history;
  }),
});

const messageArgs = {
  source: arg("Address of the sender.", addressArg({ missing: "empty source address" }), "source"),
  destination: arg("Address of the receiver.", addressArg({ missing: "empty destination address" }), "destination"),
  created_lt: arg("Logical time at which the message was created.", notNegativeArg, "createdLt"),
};

function keyOf({ source, destination, created_lt: createdLt }: ArgValues<typeof messageArgs>): MessageKey {
  return { source: source.address, destination: destination.address, createdLt };
}

const located = { tag: "transactions", args: messageArgs, result: extTransaction, cache: "forever" } as const;

const locateNote =
  "Searches the blocks after the message and then up to 512 transactions of the account; 404 when it is not among them.";

export const tryLocateTx = endpoint({
  ...located,
  name: "tryLocateTx",
  proof: largeProof,
  summary: "The transaction that received a message.",
  description: locateNote,
  statuses: [404],
  run: onChain((chain, args) => locateResult(chain, keyOf(args))),
});

export const tryLocateResultTx = endpoint({
  ...located,
  name: "tryLocateResultTx",
  proof: largeProof,
  summary: "The transaction that received a message.",
  description: `The same as \`tryLocateTx\`. ${locateNote}`,
  statuses: [404],
  run: onChain((chain, args) => locateResult(chain, keyOf(args))),
});

export const tryLocateSourceTx = endpoint({
  ...located,
  name: "tryLocateSourceTx",
  proof: largeProof,
  summary: "The transaction that sent a message.",
  statuses: [404],
  run: onChain((chain, args) => locateSource(chain, keyOf(args))),
});
