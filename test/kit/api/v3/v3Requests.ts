import type { Json, JsonList } from "../demoStage.ts";

/** Sends a v3 request and returns the whole answer. */
export type Ask = (path: string, args: Readonly<Record<string, string>>) => Promise<Json>;

/** A request, the type of its answer, and the accounts that its address book must contain. */
export interface TypedRequest {
  readonly path: string;
  readonly type: string;
  /** Variants of the arguments, each one request. */
  readonly forms: readonly Readonly<Record<string, string>>[];
  /** The list that must not be empty. */
  readonly key?: string;
  readonly book?: (answer: Json) => readonly unknown[];
  /** Whether the answer must contain metadata of tokens among those accounts. */
  readonly hasMetadata?: boolean;
}

const listIn = (item: Json, key: string) => (item[key] ?? []) as JsonList;
const fieldsOf = (key: string, ...names: readonly string[]) => {
  return (answer: Json) => listIn(answer, key).flatMap((item) => names.flatMap((name) => item[name]));
};

/** The accounts of a transaction: its own, the sender and the receivers. */
function partners(transaction: Json): readonly unknown[] {
  const sent = listIn(transaction, "out_msgs").map(({ destination }) => destination);
  return [transaction.account, Object(transaction.in_msg).source, ...sent];
}

const rawAddress = /^-?[0-9]+:[0-9A-F]{64}$/;

/** Every account in the details, at any depth. */
export function accountsIn(details: unknown): readonly unknown[] {
  if (typeof details === "string") return rawAddress.test(details) ? [details] : [];
  return Object.values(Object(details)).flatMap(accountsIn);
}

const ofTransactions = (answer: Json) => listIn(answer, "transactions").flatMap(partners);
const ofActions = (actions: JsonList) =>
  actions.flatMap((each) => [...accountsIn(each.details), ...listIn(each, "transactions_full").flatMap(partners)]);
const ofTraces = (key: string) => (answer: Json) =>
  listIn(answer, key).flatMap((trace) => [
    ...(Object.values(Object(trace.transactions)) as JsonList).flatMap(partners),
    ...ofActions(listIn(trace, "actions")),
  ]);

const many = { limit: "1000" };

function transactionRequests(known: Json): readonly TypedRequest[] {
  const about = { type: "Transactions", key: "transactions", book: ofTransactions };
  const { account, hash, lt, mc_block_seqno, now } = known;
  return [
    {
      ...about,
      path: "transactions",
      forms: [
        many,
        { account: `${account}`, sort: "asc" },
        { hash: `${hash}` },
        { lt: `${lt}` },
        { mc_seqno: `${mc_block_seqno}`, ...many },
        { start_utime: `${now}`, end_utime: `${now}` },
        { exclude_account: `${account}`, end_lt: `${lt}` },
      ],
    },
    { ...about, path: "transactionsByMasterchainBlock", forms: [{ seqno: `${mc_block_seqno}` }] },
    { ...about, path: "adjacentTransactions", forms: [{ hash: `${hash}` }] },
    { ...about, path: "transactionsByMessage", forms: [{ opcode: "0x0f8a7ea5" }, { opcode: "0x178d4519" }] },
  ];
}

function traceRequests({ account }: Json): readonly TypedRequest[] {
  const ofAction = (answer: Json) => ofActions(listIn(answer, "actions"));
  const actions = { type: "ActionsPage", key: "actions", book: ofAction, hasMetadata: true };
  return [
    {
      ...{ path: "traces", type: "Traces", key: "traces", book: ofTraces("traces"), hasMetadata: true },
      forms: [{ ...many, sort: "asc" }, { include_actions: "true" }, { account: `${account}`, include_actions: "1" }],
    },
    {
      ...{ path: "events", type: "Events", key: "events", book: ofTraces("events"), hasMetadata: true },
      forms: [many],
    },
    {
      ...{ ...actions, path: "actions" },
      forms: [
        many,
        { ...many, sort: "asc", supported_action_types: "v1" },
        { account: `${account}`, include_accounts: "true", include_transactions: "true" },
      ],
    },
  ];
}

function tokenRequests(): readonly TypedRequest[] {
  const list = (path: string, type: string, key: string, ...names: readonly string[]): TypedRequest => {
    return { path, type, key, forms: [many], book: fieldsOf(key, ...names), hasMetadata: true };
  };
  const [reply, many2] = ["response_destination", [many, { ...many, sort: "asc" }]];
  const transfers = ["source", "destination", "source_wallet", "jetton_master", reply];
  return [
    list("jetton/masters", "JettonMasters", "jetton_masters", "address", "admin_address"),
    list("jetton/wallets", "JettonWallets", "jetton_wallets", "address", "owner", "jetton"),
    { ...list("jetton/transfers", "JettonTransfers", "jetton_transfers", ...transfers), forms: many2 },
    list("jetton/burns", "JettonBurns", "jetton_burns", "owner", "jetton_wallet", "jetton_master", reply),
    list("nft/collections", "NFTCollections", "nft_collections", "address", "owner_address"),
    list("nft/items", "NFTItems", "nft_items", "address", "collection_address", "owner_address"),
    {
      ...list("nft/transfers", "NFTTransfers", "nft_transfers", "nft_address", "nft_collection", "old_owner"),
      book: fieldsOf("nft_transfers", "nft_address", "nft_collection", "old_owner", "new_owner", reply),
    },
  ];
}

/** The accounts used in requests about particular contract types. */
export interface KnownContracts {
  readonly wallet: string;
  readonly sales: readonly string[];
  readonly multisig: string;
  readonly vesting: string;
  readonly domain: string;
}

function contractRequests(known: KnownContracts): readonly TypedRequest[] {
  const orderOf = (order: Json) => [order.address, ...(order.signers as readonly unknown[])];
  const parsed = (order: Json) => listIn(order, "actions").flatMap((each) => [each.destination, ...accountsIn(each)]);
  const saleOf = ({ nft_item: item, ...sale }: Json) => {
    const { address, collection_address, owner_address } = Object(item);
    return [...accountsIn(sale), address, collection_address, owner_address];
  };
  return [
    {
      ...{ path: "nft/sales", type: "NFTSales", key: "nft_sales", hasMetadata: true },
      forms: [{ address: known.sales.join() }],
      book: (answer) => listIn(answer, "nft_sales").flatMap(saleOf),
    },
    {
      ...{ path: "dns/records", type: "DNSRecords", key: "records" },
      forms: [{ domain: known.domain }, { wallet: known.wallet }],
      book: fieldsOf("records", "nft_item_address", "nft_item_owner", "dns_wallet"),
    },
    {
      ...{ path: "dns/activeAuctions", type: "DNSAuctions" },
      forms: [{ bidder: known.wallet }, { bidder: known.wallet, include_nft_items: "1" }],
      book: fieldsOf("auctions", "nft_item_address", "max_bid_address"),
    },
    {
      ...{ path: "multisig/wallets", type: "Multisigs", key: "multisigs" },
      forms: [{ address: known.multisig }, { wallet_address: known.wallet, include_orders: "false" }],
      book: (answer) => [
        ...fieldsOf("multisigs", "address", "signers", "proposers")(answer),
        ...listIn(answer, "multisigs").flatMap((wallet) => listIn(wallet, "orders").flatMap(orderOf)),
      ],
    },
    {
      ...{ path: "multisig/orders", type: "MultisigOrders", key: "orders" },
      forms: [{ multisig_address: known.multisig }, { multisig_address: known.multisig, parse_actions: "1" }],
      book: (answer) => [
        ...fieldsOf("orders", "address", "signers", "multisig_address")(answer),
        ...listIn(answer, "orders").flatMap(parsed),
      ],
    },
    {
      ...{ path: "vesting", type: "Vesting", key: "vesting_contracts" },
      forms: [{ contract_address: known.vesting }, { wallet_address: known.wallet, check_whitelist: "1" }],
      book: fieldsOf("vesting_contracts", "address", "sender_address", "owner_address", "whitelist"),
    },
  ];
}

/** A local network has a validator set, and no elections. */
function validatorRequests(): readonly TypedRequest[] {
  return [
    { path: "validators/events", type: "ValidatorEvents", forms: [{}, { type: "recover_failed", start_utime: "5" }] },
    { path: "validators/elections", type: "ValidatorElections", forms: [{}, { return_participants: "1" }] },
    { path: "validators/cycles", type: "ValidatorCycles", key: "cycles", forms: [{}, { return_validators: "1" }] },
    { path: "validators/complaints", type: "ValidatorComplaints", forms: [{}] },
  ];
}

/** Requests about a nominator pool and those who take part in it. */
export function stakingRequests(known: KnownPool): readonly TypedRequest[] {
  const path = (name: string) => `staking/nominatorPools/${name}`;
  const { pool, nominator, validator } = known;
  const times = { start_utime: "1", end_utime: "4000000000" };
  const eventBook = (...names: readonly string[]) => fieldsOf("events", "pool_address", ...names);
  const given = (...addresses: readonly string[]) => addresses.map((each) => each.toUpperCase());
  return [
    {
      ...{ path: path("pool"), type: "NominatorPool", key: "active_nominators", forms: [{ pool }] },
      book: (answer) => [...given(pool), answer.validator_address, ...fieldsOf("active_nominators", "address")(answer)],
    },
    {
      ...{ path: path("nominator"), type: "NominatorPools", key: "nominator_pools", forms: [{ nominator }] },
      book: (answer) => [...given(nominator), ...fieldsOf("nominator_pools", "pool_address")(answer)],
    },
    {
      ...{ path: path("nominatorEvents"), type: "NominatorEvents", key: "events" },
      forms: [{ pool }, { pool, nominator, ...times }],
      book: (answer) => [...given(pool), ...eventBook("nominator_address")(answer)],
    },
    {
      ...{ path: path("nominatorRewards"), type: "NominatorRewards", key: "rewards" },
      forms: [
        { pool, nominator },
        { pool, nominator, ...times },
      ],
      book: () => given(pool, nominator),
    },
    {
      ...{ path: path("validatorEvents"), type: "PoolValidatorEvents", key: "events" },
      forms: [{ pool }, { validator, ...times }],
      book: eventBook("validator_address"),
    },
    {
      ...{ path: path("validatorRewards"), type: "PoolValidatorRewards", key: "rewards" },
      forms: [
        { pool, validator },
        { pool, validator, ...times },
      ],
      book: () => given(pool, validator),
    },
  ];
}

/** A nominator pool, one of its nominators and its validator. */
export interface KnownPool {
  readonly pool: string;
  readonly nominator: string;
  readonly validator: string;
}

function accountRequests(accounts: string, known: KnownContracts): readonly TypedRequest[] {
  const one = [{ address: known.wallet }, { address: known.wallet, use_v2: "1" }];
  return [
    {
      ...{ path: "accountStates", type: "Accounts", key: "accounts", hasMetadata: true },
      forms: [{ address: accounts }, { address: accounts, include_boc: "0" }],
      book: fieldsOf("accounts", "address"),
    },
    {
      ...{ path: "walletStates", type: "Wallets", key: "wallets", hasMetadata: true },
      forms: [{ address: accounts }],
      book: fieldsOf("wallets", "address"),
    },
    { path: "addressBook", type: "{AddressBookRow}", forms: [{ address: known.wallet }, { address: "nobody" }] },
    { path: "metadata", type: "{AddressMetadata}", forms: [{ address: known.sales[0] ?? "" }] },
    { path: "topAccountsByBalance", type: "AccountBalance[]", forms: [many] },
    { path: "addressInformation", type: "V2AddressInformation", forms: one },
    { path: "account", type: "V2AddressInformation", forms: one },
    { path: "walletInformation", type: "V2WalletInformation", forms: one },
    { path: "wallet", type: "V2WalletInformation", forms: one },
    { path: "decode", type: "Decoded", forms: [{ opcodes: "0x0f8a7ea5", bodies: "te6cckEBAQEAAgAAAEysuc0=" }] },
  ];
}

/** The actions of an answer, including those in its traces. */
export function actionsIn(answer: Json): JsonList {
  const traces = [...listIn(answer, "traces"), ...listIn(answer, "events")];
  return [...listIn(answer, "actions"), ...traces.flatMap((trace) => listIn(trace, "actions"))];
}

/** Requests for pending traces and actions, by account and by external message. */
export function pendingRequests(account: string, external: string): readonly TypedRequest[] {
  const forms = [{ account }, { ext_msg_hash: external }];
  const ofAction = (answer: Json) => ofActions(listIn(answer, "actions"));
  return [
    {
      ...{ path: "pendingTraces", type: "Traces", key: "traces", book: ofTraces("traces"), hasMetadata: true },
      forms,
    },
    {
      ...{ path: "pendingActions", type: "Actions", key: "actions", book: ofAction, hasMetadata: true },
      forms: [...forms, { account, include_transactions: "true" }],
    },
    {
      ...{ path: "pendingTransactions", type: "Transactions", key: "transactions", book: ofTransactions },
      forms: [{ account }],
    },
  ];
}

/** Every v3 GET request that an index with the demo set can answer, in its variants. */
export async function listRequests(ask: Ask, known: KnownContracts): Promise<readonly TypedRequest[]> {
  const found = await ask("transactions", { account: known.wallet, limit: "1" });
  const transaction = listIn(found, "transactions")[0] ?? {};
  const richest = (await ask("topAccountsByBalance", many)) as unknown as JsonList;
  const seqno = { seqno: `${transaction.mc_block_seqno}` };
  const blocks = { type: "Blocks", key: "blocks" };
  return [
    { path: "masterchainInfo", type: "MasterchainInfo", forms: [{}] },
    { ...blocks, path: "blocks", forms: [many, { workchain: "0", sort: "asc" }] },
    { ...blocks, path: "masterchainBlockShardState", forms: [seqno] },
    { ...blocks, path: "masterchainBlockShards", forms: [seqno] },
    ...transactionRequests(transaction),
    {
      ...{ path: "messages", type: "Messages", key: "messages", hasMetadata: true },
      forms: [many, { direction: "in" }, { direction: "out" }, { source: "null" }, { exclude_externals: "1" }],
      book: fieldsOf("messages", "source", "destination"),
    },
    ...traceRequests(transaction),
    { path: "balanceChanges", type: "BalanceChanges", forms: [{ trace_id: `${transaction.trace_id}` }] },
    ...tokenRequests(),
    ...contractRequests(known),
    ...validatorRequests(),
    ...accountRequests(richest.map(({ account }) => account).join(), known),
  ];
}
