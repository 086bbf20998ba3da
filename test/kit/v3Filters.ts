import type { Json, JsonList } from "./demoStage.ts";

/** Asks v3 a question with arguments, and gives the whole answer. */
export type AskV3 = (path: string, args: Readonly<Record<string, string>>) => Promise<Json>;

/** One question with a filter, and which items of the whole list are its answer. */
export interface Filter {
  readonly args: Readonly<Record<string, string>>;
  readonly keeps: (item: Json) => boolean;
}

/** A list of v3 and the filters that values of its own items make. */
export interface FilteredList {
  readonly path: string;
  readonly key: string;
  /** Given with every question, so that an item tells all that filters ask for. */
  readonly always?: Readonly<Record<string, string>>;
  readonly filters: (item: Json) => readonly Filter[];
}

const text = (value: unknown) => String(value);
const at = (item: Json, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (Object(value) as Json)[name], item);

/** A filter by one property: the item's own value, unless it has none. */
function same(arg: string, item: Json, ...path: readonly string[]): readonly Filter[] {
  const value = at(item, ...path);
  if (value === null || value === undefined) return [];
  return [{ args: { [arg]: text(value) }, keeps: (each) => text(at(each, ...path)) === text(value) }];
}

/** Both ends of a range, the item's own value being within. */
function range(args: readonly [start: string, end: string], item: Json, name: string): readonly Filter[] {
  if (item[name] === null) return [];
  const value = BigInt(text(item[name]));
  const has = (each: Json, holds: (found: bigint) => boolean) => each[name] !== null && holds(BigInt(text(each[name])));
  return [
    { args: { [args[0]]: text(value) }, keeps: (each) => has(each, (found) => found >= value) },
    { args: { [args[1]]: text(value) }, keeps: (each) => has(each, (found) => found <= value) },
  ];
}

const lts = ["start_lt", "end_lt"] as const;
const utimes = ["start_utime", "end_utime"] as const;

/** One who is at either end of a transfer, at its beginning, or at its end. */
function ends(arg: string, item: Json, from: string, to: string): readonly Filter[] {
  const who = text(item[from]);
  const [out, into] = [(each: Json) => each[from] === who, (each: Json) => each[to] === who];
  return [
    { args: { [arg]: who }, keeps: (each) => out(each) || into(each) },
    { args: { [arg]: who, direction: "out" }, keeps: out },
    { args: { [arg]: who, direction: "in" }, keeps: into },
  ];
}

const tokenEventRanges = (item: Json) => [
  ...range(lts, item, "transaction_lt"),
  ...range(utimes, item, "transaction_now"),
];

const transactionsOf = (trace: Json) => Object.values(Object(trace.transactions)) as JsonList;
const messagesOf = (transaction: Json) =>
  [transaction.in_msg, ...(transaction.out_msgs as JsonList)] as readonly Json[];

/** Transfers with other currencies are shown by a name of their own, by which they cannot be asked for. */
function kindOf({ type, details }: Json): string {
  if (type !== "extra_currency_transfer") return text(type);
  return "opcode" in Object(details) ? "call_contract" : "ton_transfer";
}

/** The lists whose filters are values that their items show. */
export const filteredLists: readonly FilteredList[] = [
  {
    path: "blocks",
    key: "blocks",
    filters: (item) => [
      ...same("root_hash", item, "root_hash"),
      ...same("file_hash", item, "file_hash"),
      ...same("mc_seqno", item, "masterchain_block_ref", "seqno"),
      ...same("workchain", item, "workchain"),
      ...range(lts, item, "start_lt"),
      ...range(utimes, item, "gen_utime"),
      {
        args: { workchain: text(item.workchain), shard: text(item.shard), seqno: text(item.seqno) },
        keeps: (each) => each.root_hash === item.root_hash,
      },
    ],
  },
  {
    path: "transactions",
    key: "transactions",
    filters: (item) => [
      ...same("account", item, "account"),
      ...same("hash", item, "hash"),
      ...same("lt", item, "lt"),
      ...same("mc_seqno", item, "mc_block_seqno"),
      ...range(lts, item, "lt"),
      ...range(utimes, item, "now"),
      { args: { exclude_account: text(item.account) }, keeps: (each) => each.account !== item.account },
      {
        args: {
          workchain: text(at(item, "block_ref", "workchain")),
          shard: text(at(item, "block_ref", "shard")),
          seqno: text(at(item, "block_ref", "seqno")),
        },
        keeps: (each) => JSON.stringify(each.block_ref) === JSON.stringify(item.block_ref),
      },
    ],
  },
  {
    path: "messages",
    key: "messages",
    filters: (item) => [
      ...same("msg_hash", item, "hash"),
      ...same("source", item, "source"),
      ...same("destination", item, "destination"),
      ...same("opcode", item, "opcode"),
      ...same("body_hash", item, "message_content", "hash"),
    ],
  },
  {
    path: "traces",
    key: "traces",
    always: { include_actions: "true" },
    filters: (item) => {
      const [first] = transactionsOf(item);
      if (first === undefined) return [];
      const has = (holds: (transaction: Json) => boolean) => (each: Json) => transactionsOf(each).some(holds);
      const message = messagesOf(first).find((each) => each !== null);
      const contains = ({ hash }: Json) => has((each) => messagesOf(each).some((found) => found?.hash === hash));
      return [
        ...same("trace_id", item, "trace_id"),
        ...same("mc_seqno", item, "mc_seqno_end"),
        ...range(lts, item, "end_lt"),
        ...range(utimes, item, "end_utime"),
        { args: { account: text(first.account) }, keeps: has(({ account }) => account === first.account) },
        { args: { tx_hash: text(first.hash) }, keeps: has(({ hash }) => hash === first.hash) },
        ...(message === undefined ? [] : [{ args: { msg_hash: text(message.hash) }, keeps: contains(message) }]),
      ];
    },
  },
  {
    path: "actions",
    key: "actions",
    always: { include_accounts: "true" },
    filters: (item) => {
      const [account] = item.accounts as readonly string[];
      const [transaction] = item.transactions as readonly string[];
      const has = (name: string, value: unknown) => (each: Json) => (each[name] as readonly unknown[]).includes(value);
      return [
        ...same("action_id", item, "action_id"),
        ...same("trace_id", item, "trace_id"),
        { args: { action_type: kindOf(item) }, keeps: (each) => kindOf(each) === kindOf(item) },
        ...same("mc_seqno", item, "trace_mc_seqno_end"),
        { args: { exclude_action_type: kindOf(item) }, keeps: (each) => kindOf(each) !== kindOf(item) },
        { args: { account: text(account) }, keeps: has("accounts", account) },
        { args: { tx_hash: text(transaction) }, keeps: has("transactions", transaction) },
      ];
    },
  },
  {
    path: "jetton/masters",
    key: "jetton_masters",
    filters: (item) => [...same("address", item, "address"), ...same("admin_address", item, "admin_address")],
  },
  {
    path: "jetton/wallets",
    key: "jetton_wallets",
    filters: (item) => [
      ...same("address", item, "address"),
      ...same("owner_address", item, "owner"),
      ...same("jetton_address", item, "jetton"),
      { args: { exclude_zero_balance: "true" }, keeps: (each) => each.balance !== "0" },
    ],
  },
  {
    path: "jetton/transfers",
    key: "jetton_transfers",
    filters: (item) => [
      ...ends("owner_address", item, "source", "destination"),
      ...same("jetton_master", item, "jetton_master"),
      ...tokenEventRanges(item),
    ],
  },
  {
    path: "jetton/burns",
    key: "jetton_burns",
    filters: (item) => [
      ...same("owner_address", item, "owner"),
      ...same("jetton_wallet", item, "jetton_wallet"),
      ...same("jetton_master", item, "jetton_master"),
      ...tokenEventRanges(item),
    ],
  },
  {
    path: "nft/collections",
    key: "nft_collections",
    filters: (item) => [
      ...same("collection_address", item, "address"),
      ...same("owner_address", item, "owner_address"),
    ],
  },
  {
    path: "nft/items",
    key: "nft_items",
    filters: (item) => [
      ...same("address", item, "address"),
      ...same("collection_address", item, "collection_address"),
      { args: { owner_address: text(item.owner_address) }, keeps: (each) => each.owner_address === item.owner_address },
    ],
  },
  {
    path: "nft/transfers",
    key: "nft_transfers",
    filters: (item) => [
      ...ends("owner_address", item, "old_owner", "new_owner"),
      ...same("item_address", item, "nft_address"),
      ...same("collection_address", item, "nft_collection"),
      ...tokenEventRanges(item),
    ],
  },
];

/** All items of a list, part by part. */
export async function walkList(ask: AskV3, list: FilteredList, args: Filter["args"] = {}): Promise<JsonList> {
  const items: Json[] = [];
  for (let part: JsonList | undefined; part === undefined || part.length === 500; ) {
    const answer = await ask(list.path, { ...list.always, ...args, limit: "500", offset: String(items.length) });
    part = answer[list.key] as JsonList;
    if (part === undefined) throw new Error(`${list.path} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`);
    items.push(...part);
  }
  return items;
}

/** Some of many: the first, the last, and a few in between. */
export function someOf(items: JsonList, count: number): JsonList {
  const step = Math.max(1, Math.floor((items.length - 1) / (count - 1)));
  return items.filter((_, place) => place % step === 0);
}

/** Items in an order that no question decides. */
export function inAnyOrder(items: JsonList): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
