import type { Json, JsonList } from "../demoStage.ts";
import { among, at, ends, includes, lts, range, same, text, utimes } from "./filterKinds.ts";
import type { Args, AskV3, Filter, FilteredList } from "./v3Filters.ts";

const tokenEventRanges = (item: Json) => [
  ...range(lts, item, "transaction_lt"),
  ...range(utimes, item, "transaction_now"),
];

const transactionsOf = (trace: Json) => Object.values(Object(trace.transactions)) as JsonList;
const messagesOf = (transaction: Json) =>
  [transaction.in_msg, ...(transaction.out_msgs as JsonList)] as readonly Json[];

/** Filters by each message of a transaction: by its values one by one, by all of them, and by the side it is on. */
function byOwnMessages(item: Json): readonly Filter[] {
  const isOn = (side: "in" | "out" | undefined, holds: (message: Json) => boolean) => (each: Json) =>
    [...(side === "out" ? [] : [each.in_msg as Json]), ...(side === "in" ? [] : (each.out_msgs as JsonList))].some(
      (message) => message !== null && holds(message),
    );
  return messagesOf(item).flatMap((message) => {
    if (message === null) return [];
    const some = [
      ...among("msg_hash", message, "hash"),
      ...["source", "destination", "opcode"].flatMap((name) => same(name, message, name)),
      ...same("body_hash", message, "message_content", "hash"),
    ];
    const all = (each: Json) => some.every(({ keeps }) => keeps(each));
    const args = Object.assign({}, ...some.map((one) => one.args)) as Args;
    return [
      ...some.map((one) => ({ ...one, keeps: isOn(undefined, one.keeps) })),
      ...(["in", "out"] as const).map((direction) => ({ args: { ...args, direction }, keeps: isOn(direction, all) })),
      ...same("opcode", message, "opcode").map((one) => ({
        args: { ...one.args, direction: "in" },
        keeps: isOn("in", one.keeps),
      })),
    ];
  });
}

/** Transfers of extra currencies are shown under their own type, which is not a filter value. */
function kindOf({ type, details }: Json): string {
  if (type !== "extra_currency_transfer") return text(type);
  return "opcode" in Object(details) ? "call_contract" : "ton_transfer";
}

/** At most one of these arguments may be given. */
const atMostOne =
  (...names: readonly string[]) =>
  (one: Args, other: Args) =>
    names.filter((name) => Object.hasOwn(one, name) || Object.hasOwn(other, name)).length <= 1;

const messageNames = ["msg_hash", "source", "destination", "opcode", "body_hash"];

const without = (...names: readonly string[]) => {
  return (item: Json): Json => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
};

/**
 * Filters by the message that the action's first transaction received; matches actions with a transaction at either end
 * of it.
 */
async function byMessage(item: Json, ask: AskV3): Promise<readonly Filter[]> {
  const [hash] = item.transactions as readonly string[];
  const [found] = (await ask("transactions", { hash: text(hash) })).transactions as JsonList;
  const received = at(found ?? {}, "in_msg", "hash");
  if (typeof received !== "string") return [];
  const [message] = (await ask("messages", { msg_hash: received })).messages as JsonList;
  const covered = [message?.in_msg_tx_hash, message?.out_msg_tx_hash];
  const keeps = ({ transactions }: Json) => (transactions as readonly string[]).some((each) => covered.includes(each));
  return [{ args: { msg_hash: received }, keeps, isList: true }];
}

const pageSize = 1000;

/** Filters by whether the account's own transaction began the trace. */
async function byInitiator(account: string, ask: AskV3): Promise<readonly Filter[]> {
  const roots = new Set<unknown>();
  for (let [offset, count] = [0, pageSize]; count === pageSize; offset += pageSize) {
    const args = { account, limit: text(pageSize), offset: text(offset) };
    const part = (await ask("transactions", args)).transactions as JsonList;
    for (const { hash } of part) roots.add(hash);
    count = part.length;
  }
  return [true, false].map((isBegun) => ({
    args: { account, initiated_by_account: text(isBegun) },
    keeps: (each: Json) => includes("accounts", account)(each) && roots.has(each.trace_id) === isBegun,
  }));
}

/** The elector and the configuration. */
const systemAccounts = [`-1:${"3".repeat(64)}`, `-1:${"5".repeat(64)}`];

const chainLists: readonly FilteredList[] = [
  {
    path: "blocks",
    key: "blocks",
    filters: (item) => [
      ...same("root_hash", item, "root_hash"),
      ...same("file_hash", item, "file_hash"),
      ...same("mc_seqno", item, "masterchain_block_ref", "seqno"),
      ...same("workchain", item, "workchain"),
      ...same("shard", item, "shard"),
      ...same("seqno", item, "seqno"),
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
      ...among("account", item, "account"),
      ...among("hash", item, "hash"),
      ...same("lt", item, "lt"),
      ...same("mc_seqno", item, "mc_block_seqno"),
      ...same("workchain", item, "block_ref", "workchain"),
      ...same("shard", item, "block_ref", "shard"),
      ...same("seqno", item, "block_ref", "seqno"),
      ...range(lts, item, "lt"),
      ...range(utimes, item, "now"),
      ...byOwnMessages(item),
      { args: { exclude_account: text(item.account) }, keeps: (each) => each.account !== item.account },
      {
        args: { exclude_account: systemAccounts.join() },
        keeps: ({ account }) => !systemAccounts.includes(text(account)),
      },
      {
        args: {
          workchain: text(at(item, "block_ref", "workchain")),
          shard: text(at(item, "block_ref", "shard")),
          seqno: text(at(item, "block_ref", "seqno")),
        },
        keeps: (each) => JSON.stringify(each.block_ref) === JSON.stringify(item.block_ref),
      },
    ],
    // Two filters by messages hold for one message, which the list does not show apart.
    joins: atMostOne(...messageNames),
  },
  {
    path: "messages",
    key: "messages",
    filters: (item) => [
      ...among("msg_hash", item, "hash"),
      ...among("msg_hash", item, "hash_norm"),
      ...same("hash", item, "hash"),
      ...same("source", item, "source"),
      ...same("destination", item, "destination"),
      ...same("opcode", item, "opcode"),
      ...same("body_hash", item, "message_content", "hash"),
      ...range(lts, item, "created_lt"),
      ...range(utimes, item, "created_at"),
      { args: { source: "null" }, keeps: (each) => each.source === null },
      { args: { destination: "null" }, keeps: (each) => each.destination === null },
      { args: { exclude_externals: "true" }, keeps: (each) => each.created_lt !== null },
      { args: { only_externals: "true" }, keeps: (each) => each.created_lt === null },
      {
        args: { direction: "in" },
        keeps: (each) => each.in_msg_tx_hash !== undefined,
        shows: without("out_msg_tx_hash"),
      },
      {
        args: { direction: "out" },
        keeps: (each) => each.out_msg_tx_hash !== undefined,
        shows: without("in_msg_tx_hash"),
      },
    ],
    // Of two synonyms, the service ignores the older one.
    joins: atMostOne("msg_hash", "hash"),
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
        ...among("trace_id", item, "trace_id"),
        ...same("mc_seqno", item, "mc_seqno_end"),
        ...range(lts, item, "end_lt"),
        ...range(utimes, item, "end_utime"),
        { args: { account: text(first.account) }, keeps: has(({ account }) => account === first.account) },
        { args: { tx_hash: text(first.hash) }, keeps: has(({ hash }) => hash === first.hash), isList: true },
        ...(message === undefined
          ? []
          : [{ args: { msg_hash: text(message.hash) }, keeps: contains(message), isList: true }]),
      ];
    },
    joins: atMostOne("account", "trace_id", "tx_hash", "msg_hash"),
  },
  {
    path: "actions",
    key: "actions",
    always: { include_accounts: "true" },
    filters: async (item, ask) => {
      const [account] = item.accounts as readonly string[];
      const [transaction] = item.transactions as readonly string[];
      return [
        ...among("action_id", item, "action_id"),
        ...among("trace_id", item, "trace_id"),
        { args: { action_type: kindOf(item) }, keeps: (each) => kindOf(each) === kindOf(item) },
        ...same("mc_seqno", item, "trace_mc_seqno_end"),
        { args: { exclude_action_type: kindOf(item) }, keeps: (each) => kindOf(each) !== kindOf(item) },
        {
          args: { include_system: "false" },
          keeps: ({ trace_external_hash: external, details }) =>
            external !== undefined && Object(details).source !== `-1:${"0".repeat(64)}`,
        },
        { args: { account: text(account) }, keeps: includes("accounts", account) },
        ...(await byInitiator(text(account), ask)),
        { args: { tx_hash: text(transaction) }, keeps: includes("transactions", transaction), isList: true },
        ...(await byMessage(item, ask)),
        ...range(lts, item, "trace_end_lt"),
        ...range(utimes, item, "trace_end_utime"),
      ];
    },
    // The list of an account has all its actions.
    joins: atMostOne("account", "include_system"),
  },
];

const tokenLists: readonly FilteredList[] = [
  {
    path: "jetton/masters",
    key: "jetton_masters",
    filters: (item) => [...among("address", item, "address"), ...among("admin_address", item, "admin_address")],
  },
  {
    path: "jetton/wallets",
    key: "jetton_wallets",
    filters: (item) => [
      ...among("address", item, "address"),
      ...among("owner_address", item, "owner"),
      ...same("jetton_address", item, "jetton"),
      { args: { exclude_zero_balance: "true" }, keeps: (each) => each.balance !== "0" },
    ],
  },
  {
    path: "jetton/transfers",
    key: "jetton_transfers",
    filters: (item) => [
      ...ends("owner_address", item, "source", "destination"),
      ...among("jetton_wallet", item, "source_wallet"),
      ...same("jetton_master", item, "jetton_master"),
      ...tokenEventRanges(item),
    ],
  },
  {
    path: "jetton/burns",
    key: "jetton_burns",
    filters: (item) => [
      ...among("owner_address", item, "owner"),
      ...among("jetton_wallet", item, "jetton_wallet"),
      ...same("jetton_master", item, "jetton_master"),
      ...tokenEventRanges(item),
    ],
  },
  {
    path: "nft/collections",
    key: "nft_collections",
    filters: (item) => [
      ...among("collection_address", item, "address"),
      ...among("owner_address", item, "owner_address"),
    ],
  },
  {
    path: "nft/items",
    key: "nft_items",
    filters: (item) => [
      ...among("address", item, "address"),
      ...same("collection_address", item, "collection_address"),
      ...among("owner_address", item, "owner_address"),
      {
        args: { owner_address: text(item.real_owner ?? item.owner_address), include_on_sale: "true" },
        keeps: (each) => (each.real_owner ?? each.owner_address) === (item.real_owner ?? item.owner_address),
      },
      {
        args: { collection_address: text(item.collection_address), index: text(item.index) },
        keeps: (each) => each.collection_address === item.collection_address && each.index === item.index,
      },
      { args: { sort_by_last_transaction_lt: "true" }, keeps: () => true },
    ],
  },
  {
    path: "nft/transfers",
    key: "nft_transfers",
    filters: (item) => [
      ...ends("owner_address", item, "old_owner", "new_owner"),
      ...among("item_address", item, "nft_address"),
      ...same("collection_address", item, "nft_collection"),
      ...tokenEventRanges(item),
    ],
  },
];

/** Signers and proposers of a multisig; owner and sender of a vesting contract. */
const membersOf = ({ signers, proposers }: Json) => [
  ...(signers as readonly string[]),
  ...(proposers as readonly string[]),
];
const holdersOf = ({ owner_address, sender_address }: Json) => [owner_address, sender_address];
const allowedBy = ({ whitelist }: Json) => whitelist as readonly unknown[];

const contractLists: readonly FilteredList[] = [
  {
    path: "dns/records",
    key: "records",
    whole: (accounts) => accounts.map((wallet) => ({ wallet })),
    filters: (item) => [...same("wallet", item, "dns_wallet"), ...same("domain", item, "domain")],
    joins: () => false,
  },
  {
    path: "multisig/wallets",
    key: "multisigs",
    whole: (accounts) => [{ address: accounts.join() }],
    filters: (item) =>
      [
        ...among("address", item, "address"),
        ...membersOf(item).map((member) => ({
          args: { wallet_address: member },
          keeps: (each: Json) => membersOf(each).includes(member),
          isList: true,
        })),
        {
          args: { address: text(item.address), include_orders: "false" },
          keeps: (each: Json) => each.address === item.address,
        },
      ].map((filter) =>
        "include_orders" in filter.args ? { ...filter, shows: (each: Json) => ({ ...each, orders: [] }) } : filter,
      ),
  },
  {
    path: "multisig/orders",
    key: "orders",
    whole: (accounts) => [{ address: accounts.join() }],
    filters: (item) => [...among("address", item, "address"), ...among("multisig_address", item, "multisig_address")],
  },
  {
    path: "vesting",
    key: "vesting_contracts",
    whole: (accounts) => [{ contract_address: accounts.join() }],
    filters: (item) => [
      ...among("contract_address", item, "address"),
      ...holdersOf(item).map((who) => ({
        args: { wallet_address: text(who) },
        keeps: (each: Json) => holdersOf(each).includes(who),
        isList: true,
      })),
      ...[...holdersOf(item), ...allowedBy(item)].map((who) => ({
        args: { wallet_address: text(who), check_whitelist: "true" },
        keeps: (each: Json) => [...holdersOf(each), ...allowedBy(each)].includes(who),
      })),
    ],
    joins: () => false,
  },
];

/** Lists whose filters take values that are visible in their items. */
export const filteredLists: readonly FilteredList[] = [...chainLists, ...tokenLists, ...contractLists];
