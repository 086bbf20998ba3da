/** How an argument keeps a list within the scope of the index. */
export type ScopeNeed =
  /** All its accounts must be in the scope: then the index has everything about them. */
  | { readonly kind: "account"; readonly argument: string }
  /** All its accounts must be in the scope, and only what they sent is asked for. */
  | { readonly kind: "sender"; readonly argument: string }
  /** The scope must name it as a jetton. */
  | { readonly kind: "jetton"; readonly argument: string }
  /** The scope must name it as a collection. */
  | { readonly kind: "collection"; readonly argument: string }
  /** No scope makes a list by it complete: owners get tokens without taking part. */
  | { readonly kind: "never"; readonly argument: string };

/** When an endpoint answers on an index with a scope. */
export interface ScopeRule {
  /** Whether the answer comes from the index: then a header says what the index covers. */
  readonly isIndexed: boolean;
  /** Of these arguments that are given, one must keep the answer within the scope. */
  readonly oneOf: readonly ScopeNeed[];
  /** Arguments that name single things: they are answered from whatever trace they came with, but not by nothing. */
  readonly keys: readonly string[];
}

const account = (argument: string): ScopeNeed => ({ kind: "account", argument });
const sender = (argument: string): ScopeNeed => ({ kind: "sender", argument });
const jetton = (argument: string): ScopeNeed => ({ kind: "jetton", argument });
const collection = (argument: string): ScopeNeed => ({ kind: "collection", argument });
const never = (argument: string): ScopeNeed => ({ kind: "never", argument });

function within(oneOf: readonly ScopeNeed[], keys: readonly string[] = []): ScopeRule {
  return { isIndexed: true, oneOf, keys };
}

/** Answers what the index has: there is nothing by which a request could be outside. */
const whatThereIs: ScopeRule = within([]);
/** Does not answer from the index, or only adds to what was predicted. */
const notIndexed: ScopeRule = { isIndexed: false, oneOf: [], keys: [] };
/** With `use_v2` they do not read the index. */
const oneAccount: ScopeRule = within([account("address")]);
const ofTraces = within([account("account")], ["trace_id", "tx_hash", "msg_hash"]);

/** The rule of every endpoint of v3 for an index with a scope, by its name. */
export const scopeRules: Readonly<Record<string, ScopeRule>> = {
  accountStates: within([account("address")]),
  walletStates: within([account("address")]),
  addressBook: whatThereIs,
  metadata: whatThereIs,
  traces: ofTraces,
  events: ofTraces,
  actions: within([account("account")], ["trace_id", "action_id", "tx_hash", "msg_hash"]),
  balanceChanges: within([], ["trace_id", "action_id"]),
  pendingTraces: notIndexed,
  pendingActions: notIndexed,
  pendingTransactions: notIndexed,
  masterchainInfo: whatThereIs,
  blocks: whatThereIs,
  masterchainBlockShardState: whatThereIs,
  masterchainBlockShards: whatThereIs,
  transactions: within([account("account")], ["hash"]),
  transactionsByMasterchainBlock: whatThereIs,
  transactionsByMessage: within([account("source"), account("destination")], ["msg_hash", "body_hash"]),
  adjacentTransactions: within([], ["hash"]),
  messages: within([account("source"), account("destination")], ["msg_hash", "hash", "body_hash"]),
  "jetton/masters": within([account("address"), never("admin_address")]),
  "jetton/wallets": within([account("address"), jetton("jetton_address"), never("owner_address")]),
  "jetton/transfers": within([
    jetton("jetton_master"),
    account("jetton_wallet"),
    sender("owner_address"),
    sender("address"),
  ]),
  "jetton/burns": within([
    jetton("jetton_master"),
    account("jetton_wallet"),
    account("owner_address"),
    account("address"),
  ]),
  "nft/collections": within([account("collection_address"), never("owner_address")]),
  "nft/items": within([account("address"), collection("collection_address"), never("owner_address")]),
  "nft/transfers": within([
    collection("collection_address"),
    account("item_address"),
    sender("owner_address"),
    sender("address"),
  ]),
  "nft/sales": within([account("address")]),
  "dns/records": within([never("wallet")], ["domain"]),
  "multisig/wallets": within([account("address"), never("wallet_address")]),
  "multisig/orders": within([account("address"), account("multisig_address")]),
  vesting: within([account("contract_address"), never("wallet_address")]),
  topAccountsByBalance: whatThereIs,
  decode: notIndexed,
  addressInformation: oneAccount,
  account: oneAccount,
  walletInformation: oneAccount,
  wallet: oneAccount,
  message: notIndexed,
  runGetMethod: notIndexed,
  estimateFee: notIndexed,
};
