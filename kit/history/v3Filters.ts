import type { Address } from "../../src/model/Address.ts";
import type { Hash } from "../../src/model/Hash.ts";

export type Values = Readonly<Record<string, string | readonly string[]>>;

/** A filter: values that very many rows have, and values that few or no rows have. */
export interface Filter {
  readonly common: Values;
  readonly rare: Values;
}

/** What very many rows of a chain have, and what none has. */
export interface FilterSubjects {
  readonly hot: Address;
  /** Also has many rows. */
  readonly other: Address;
  readonly nobody: Address;
  readonly hotWallet: Address;
  readonly hotMaster: Address;
  readonly hotCollection: Address;
  readonly hotItem: Address;
  readonly commonBody: Hash;
  readonly commonOpcode: string;
  /** A shard of most blocks, and one of few or none. */
  readonly shards: readonly [common: string, rare: string];
  /** A block with transactions, and another one. */
  readonly blocks: readonly [common: number, rare: number];
  /** The logical time of a transaction, and the last of all. */
  readonly lt: bigint;
  readonly lastLt: bigint;
  readonly lastTime: number;
}

const one = (name: string, common: string, rare: string): Filter => ({
  common: { [name]: common },
  rare: { [name]: rare },
});
const never = "9".repeat(64);
const rareOpcode = "0x2";

function rangesOf({ lastLt, lastTime }: FilterSubjects): readonly Filter[] {
  return [
    { common: { start_utime: "1", end_utime: String(lastTime) }, rare: { start_utime: String(lastTime + 1) } },
    { common: { start_lt: "1", end_lt: String(lastLt) }, rare: { end_lt: "1" } },
  ];
}

type OperationFilters = Readonly<Record<string, readonly Filter[]>>;

/** The filters of each operation whose list grows with the chain. */
export function listFilters(subjects: FilterSubjects): OperationFilters {
  return {
    ...chainFilters(subjects),
    ...traceFilters(subjects),
    ...transferFilters(subjects),
    ...entityFilters(subjects),
  };
}

function chainFilters(subjects: FilterSubjects): OperationFilters {
  const { hot, other, nobody, commonBody, commonOpcode } = subjects;
  const ranges = rangesOf(subjects);
  const [seqno, otherSeqno] = subjects.blocks.map(String) as [string, string];
  const [shard, otherShard] = subjects.shards;
  return {
    transactions: [
      one("workchain", "0", "-1"),
      one("shard", shard, otherShard),
      one("seqno", seqno, "999999999"),
      one("mc_seqno", seqno, otherSeqno),
      one("account", hot, nobody),
      { common: { account: `${hot},${other}` }, rare: { account: `${nobody},${other}` } },
      one("exclude_account", hot, nobody),
      one("hash", never, never),
      one("lt", String(subjects.lt), "7"),
      one("msg_hash", never, never),
      one("body_hash", commonBody, never),
      one("opcode", commonOpcode, rareOpcode),
      { common: { opcode: commonOpcode, direction: "in" }, rare: { opcode: rareOpcode, direction: "out" } },
      one("source", other, nobody),
      one("destination", hot, nobody),
      ...ranges,
    ],
    transactionsByMessage: [
      one("msg_hash", never, never),
      one("body_hash", commonBody, never),
      one("opcode", commonOpcode, rareOpcode),
      one("source", other, nobody),
      one("destination", hot, nobody),
      one("direction", "in", "out"),
    ],
    messages: [
      one("msg_hash", never, never),
      one("body_hash", commonBody, never),
      { common: { source: other }, rare: { source: "null" } },
      one("source", other, nobody),
      { common: { destination: hot }, rare: { destination: "null" } },
      one("destination", hot, nobody),
      one("opcode", commonOpcode, rareOpcode),
      one("direction", "in", "out"),
      one("exclude_externals", "true", "true"),
      one("only_externals", "true", "true"),
      ...ranges,
    ],
    blocks: [
      one("workchain", "0", "5"),
      one("shard", shard, otherShard),
      one("seqno", seqno, "999999999"),
      one("root_hash", never, never),
      one("mc_seqno", seqno, otherSeqno),
      ...ranges,
    ],
  };
}

function traceFilters(subjects: FilterSubjects): OperationFilters {
  const { hot, nobody } = subjects;
  const ranges = rangesOf(subjects);
  const [seqno, otherSeqno] = subjects.blocks.map(String) as [string, string];
  return {
    traces: [
      one("account", hot, nobody),
      one("trace_id", never, never),
      one("tx_hash", never, never),
      one("msg_hash", never, never),
      one("mc_seqno", seqno, otherSeqno),
      ...ranges,
    ],
    actions: [
      one("account", hot, nobody),
      one("tx_hash", never, never),
      one("msg_hash", never, never),
      one("trace_id", never, never),
      one("mc_seqno", seqno, otherSeqno),
      one("action_type", "ton_transfer", "auction_bid"),
      { common: { action_type: ["ton_transfer", "jetton_swap"] }, rare: { action_type: ["auction_bid", "dns_renew"] } },
      one("exclude_action_type", "ton_transfer", "auction_bid"),
      one("supported_action_types", "v1", "auction_bid"),
      ...ranges,
    ],
  };
}

function transferFilters(subjects: FilterSubjects): OperationFilters {
  const { hot, nobody, hotWallet, hotMaster, hotCollection, hotItem } = subjects;
  const ranges = rangesOf(subjects);
  return {
    "jetton/transfers": [
      one("owner_address", hot, nobody),
      one("jetton_wallet", hotWallet, nobody),
      one("jetton_master", hotMaster, nobody),
      one("direction", "in", "out"),
      ...ranges,
    ],
    "jetton/burns": [
      one("address", hot, nobody),
      one("jetton_wallet", hotWallet, nobody),
      one("jetton_master", hotMaster, nobody),
      ...ranges,
    ],
    "nft/transfers": [
      one("owner_address", hot, nobody),
      one("item_address", hotItem, nobody),
      one("collection_address", hotCollection, nobody),
      one("direction", "in", "out"),
      ...ranges,
    ],
  };
}

function entityFilters(subjects: FilterSubjects): OperationFilters {
  const { hot, other, nobody, hotWallet, hotMaster, hotCollection, hotItem } = subjects;
  return {
    "jetton/wallets": [
      one("address", hotWallet, nobody),
      one("owner_address", hot, nobody),
      { common: { owner_address: [hot, other] }, rare: { owner_address: [nobody, other] } },
      one("jetton_address", hotMaster, nobody),
      { common: { jetton_address: [hotMaster, other] }, rare: { jetton_address: [nobody, other] } },
      one("exclude_zero_balance", "true", "false"),
      one("sort", "desc", "asc"),
    ],
    "nft/items": [
      one("address", hotItem, nobody),
      one("owner_address", hot, nobody),
      { common: { owner_address: [hot, other] }, rare: { owner_address: [nobody, other] } },
      one("collection_address", hotCollection, nobody),
      { common: { collection_address: [hotCollection, other] }, rare: { collection_address: [nobody, other] } },
      one("index", "2", "1"),
      one("include_on_sale", "true", "false"),
      one("sort_by_last_transaction_lt", "true", "false"),
    ],
  };
}

/** Lists that have an order of their own without `sort`. */
export const ownOrder: ReadonlySet<string> = new Set(["jetton/wallets", "nft/items"]);

const sizeOf = (set: number): number => set.toString(2).replaceAll("0", "").length;

/** Every set of at most so many filters, alternating common and rare values; `turnsOf` names the turns of a set. */
export function* combineFilters(
  filters: readonly Filter[],
  {
    maxTogether,
    turnsOf,
  }: {
    readonly maxTogether: number;
    turnsOf(set: { readonly isPair: boolean; readonly pairs: number }): readonly number[];
  },
): Generator<{ readonly query: Values; readonly turn: number }> {
  let pairs = 0;
  for (let set = 0; set < 1 << filters.length; set++) {
    if (sizeOf(set) > maxTogether) continue;
    const isPair = sizeOf(set) > 1;
    if (isPair) pairs++;
    for (const turn of turnsOf({ isPair, pairs })) {
      const chosen = filters.map(({ common, rare }, at) => {
        return ((set >> at) & 1) === 0 ? {} : ((set * 7 + at * 3 + turn) & 1) === 0 ? common : rare;
      });
      yield { query: Object.assign({}, ...chosen), turn };
    }
  }
}

/** Whether a request names messages, without which there is no list of their transactions. */
export const isOfMessage = (query: Values): boolean =>
  ["msg_hash", "body_hash", "opcode"].some((name) => name in query);
