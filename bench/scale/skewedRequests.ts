import { collectionAt, itemAt, madeHash, masterAt, personAt, walletAt } from "../../kit/history/made/madeChain.ts";
import type { V3Request } from "../../kit/history/queryMix.ts";
import {
  combineFilters,
  type FilterSubjects,
  isOfMessage,
  listFilters,
  ownOrder,
  type Values,
} from "../../kit/history/v3Filters.ts";
import { makeAddress } from "../../src/model/Address.ts";
import type { Hash } from "../../src/model/Hash.ts";
import type { SkewedChain } from "./loadSkewed.ts";

const deep = "99000";
const most = "1000";
/** The opcode of external messages. */
const externalOpcode = "0x7369676e";

function subjectsOf({ firstSeqno, nextSeqno, blockLts, busy }: SkewedChain): FilterSubjects {
  const middle = (firstSeqno + nextSeqno) >> 1;
  return {
    hot: personAt(0),
    other: busy[4] ?? personAt(1),
    nobody: makeAddress(0, "9".repeat(64) as Hash),
    hotWallet: walletAt(0),
    hotMaster: masterAt(0),
    hotCollection: collectionAt(0),
    hotItem: itemAt(0),
    commonBody: madeHash(8, 0),
    commonOpcode: "0x0f8a7ea5",
    shards: ["4000000000000000", "8000000000000000"],
    blocks: [middle, middle + 1],
    lt: BigInt(middle * blockLts + 2),
    lastLt: BigInt(nextSeqno * blockLts),
    lastTime: 1_700_000_000 + nextSeqno,
  };
}

/** Each operation with each of its filters alone, then with two of them, then what was found to cost most. */
export function* listRequests(chain: SkewedChain): Generator<V3Request> {
  const subjects = subjectsOf(chain);
  for (const [path, filters] of Object.entries(listFilters(subjects))) {
    const isAsked = (query: Values) => path !== "transactionsByMessage" || isOfMessage(query);
    const alone = filters.flatMap(({ common, rare }) => [common, rare]).filter(isAsked);
    for (const query of alone) for (const limit of ["10", most]) yield { path, query: { ...query, limit } };
    const turnsOf = ({ isPair, pairs }: { readonly isPair: boolean; readonly pairs: number }) =>
      isPair ? [pairs % 2] : [];
    for (const { query, turn } of combineFilters(filters, { maxTogether: 2, turnsOf })) {
      if (!isAsked(query)) continue;
      yield {
        path,
        query: { ...(ownOrder.has(path) ? {} : { sort: turn === 0 ? "desc" : "asc" }), ...query, limit: "10" },
      };
    }
  }
  yield* listHostile(subjects, chain);
}

/** Several busy accounts with a time, many accounts, large pages with everything included, deep offsets. */
function* listHostile(subjects: FilterSubjects, { busy, firstSeqno, nextSeqno }: SkewedChain): Generator<V3Request> {
  const { hot, other, hotMaster, hotCollection, commonBody, commonOpcode: opcode } = subjects;
  const middle = String(1_700_000_000 + ((firstSeqno + nextSeqno) >> 1));
  const many = Array.from({ length: 1_000 }, (_, at) => personAt(at));
  const since = { start_utime: middle };
  for (const limit of ["10", most]) {
    yield { path: "transactions", query: { account: [hot, other], ...since, limit } };
    yield { path: "transactions", query: { account: [...busy.slice(0, 3)], ...since, limit } };
    yield { path: "transactions", query: { account: many, ...since, limit } };
    yield { path: "jetton/transfers", query: { owner_address: many, jetton_master: hotMaster, ...since, limit } };
    yield { path: "messages", query: { source: hot, opcode, limit } };
    yield { path: "messages", query: { opcode, ...since, limit } };
    yield { path: "messages", query: { destination: hot, opcode: "0x2", ...since, limit } };
    yield { path: "transactionsByMessage", query: { opcode, source: hot, limit } };
    yield { path: "transactionsByMessage", query: { body_hash: commonBody, destination: hotCollection, limit } };
    yield { path: "actions", query: { account: hot, action_type: "nft_transfer", ...since, limit } };
    yield { path: "actions", query: { account: hot, action_type: "auction_bid", ...since, limit } };
    yield { path: "actions", query: { account: hot, include_accounts: "true", include_transactions: "true", limit } };
    yield { path: "traces", query: { account: hot, include_actions: "true", limit } };
    yield { path: "nft/items", query: { owner_address: hot, collection_address: hotCollection, limit } };
    yield {
      path: "nft/items",
      query: { owner_address: hot, collection_address: hotCollection, sort_by_last_transaction_lt: "true", limit },
    };
    yield { path: "jetton/wallets", query: { jetton_address: hotMaster, sort: "desc", limit } };
  }
  const lists: readonly V3Request[] = [
    { path: "transactions", query: { account: hot } },
    { path: "transactions", query: { account: [hot, other], ...since } },
    { path: "messages", query: { destination: hot } },
    { path: "messages", query: { source: hot, opcode } },
    { path: "messages", query: {} },
    { path: "messages", query: { opcode: externalOpcode } },
    { path: "messages", query: since },
    { path: "messages", query: { source: hot, ...since } },
    { path: "messages", query: { destination: hot, ...since } },
    { path: "messages", query: { body_hash: commonBody } },
    { path: "actions", query: { account: hot } },
    { path: "actions", query: { account: hot, action_type: "jetton_transfer" } },
    { path: "traces", query: { account: hot } },
    { path: "jetton/transfers", query: { owner_address: hot } },
    { path: "jetton/transfers", query: { owner_address: hot, jetton_master: hotMaster } },
    { path: "jetton/wallets", query: { jetton_address: hotMaster } },
    { path: "nft/items", query: { owner_address: hot } },
    { path: "nft/items", query: { owner_address: hot, collection_address: hotCollection } },
  ];
  for (const { path, query } of lists) yield { path, query: { ...query, limit: "20", offset: deep } };
}
