/** A row of the contract's error table: the text, and the requests that return it. */
export interface ErrorRow {
  readonly status: number;
  readonly text: RegExp;
  readonly where: readonly string[];
}

const row = (status: number, text: string | RegExp, ...where: readonly string[]): ErrorRow => ({
  status,
  text: typeof text === "string" ? new RegExp(`^${text.replace(/[()[\].?]/g, "\\$&")}$`) : text,
  where,
});

const validators = ["validators/events", "validators/elections", "validators/cycles", "validators/complaints"];
const lists = [
  ...["blocks", "masterchainBlockShards", "transactions", "transactionsByMasterchainBlock", "transactionsByMessage"],
  ...["messages", "topAccountsByBalance", "jetton/masters", "jetton/wallets", "jetton/transfers", "jetton/burns"],
  ...["nft/collections", "nft/items", "nft/transfers", "dns/records", "multisig/wallets", "multisig/orders"],
  ...["vesting", "traces", "events", "actions"],
  ...validators,
];

const unsorted = ["masterchainBlockShards", "topAccountsByBalance", "jetton/masters", "nft/collections", "nft/items"];
const pools = "staking/nominatorPools";
const poolLists = ["nominatorEvents", "nominatorRewards", "validatorEvents", "validatorRewards"].map(
  (name) => `${pools}/${name}`,
);
const sortedLists = lists.filter((name) => ![...unsorted, "dns/records", "vesting"].includes(name));

/** Every row of v3 §1.11 that requests of the case table can return, in the order of the contract. */
export const contractErrors: readonly ErrorRow[] = [
  row(422, /^schema: error converting value for "\w+"$/, ...lists),
  row(422, /^schema: error converting value for index \d+ of "\w+"$/, "transactions", "accountStates", "traces"),
  row(422, /^schema: error .* \(and 1 other error\)$/, ...lists),
  row(422, /^schema: error .* \(and 2 other errors\)$/, ...lists),
  row(422, "wrong value for sort parameter", ...sortedLists),
  row(422, "limit is not allowed: 1001 > 1000", ...lists),
  row(422, "direction should be one of: in, out", "messages", "transactionsByMessage", "transactions"),
  row(422, "direction can be specified only with msg_hash or opcode", "transactions"),
  row(422, "at least one of msg_hash, body_hash, opcode should be specified", "transactionsByMessage"),
  row(422, "at least 1 address required", "addressBook", "metadata", "nft/sales"),
  row(422, "maximum 1000 addresses allowed", "accountStates", "walletStates", "nft/sales"),
  row(422, "address of account is required", "accountStates", "walletStates"),
  row(401, "address of account is required", "addressInformation", "walletInformation", "account", "wallet"),
  row(422, "at least 1 account address required", "pendingTransactions"),
  row(422, "account or ext_msg_hash should be specified", "pendingTraces", "pendingActions"),
  row(422, "only one of account, trace_id, tx_hash, msg_hash should be specified", "traces", "events"),
  row(422, "action_type contains invalid characters", "actions"),
  row(422, "exclude_action_type contains invalid characters", "actions"),
  row(422, "account is required when initiated_by_account is set", "actions"),
  row(422, "invalid cursor", "actions"),
  row(422, "cursor and offset can not be used together", "actions"),
  row(422, "cursor does not match the sort order or the time filter of the request", "actions"),
  row(422, "index should contain digits only", "nft/items"),
  row(422, "index parameter is not allowed without the collection_address", "nft/items"),
  row(422, "exact one owner_address required for multiple collection_address", "nft/items"),
  row(422, "exact one owner_address required for multiple jetton_address", "jetton/wallets"),
  row(422, "either wallet address or domain is required", "dns/records"),
  row(422, "provide either wallet address or domain, not both", "dns/records"),
  row(422, "bidder address is required", "dns/activeAuctions"),
  row(422, "state must be one of: all, won, bidding", "dns/activeAuctions"),
  row(422, "use either after or offset, not both", "dns/activeAuctions"),
  row(422, "invalid after cursor", "dns/activeAuctions"),
  row(422, "pool parameter is required", `${pools}/pool`, `${pools}/nominatorEvents`),
  row(422, "nominator parameter is required", `${pools}/nominator`),
  row(422, "nominator and pool parameters are required", `${pools}/nominatorRewards`),
  row(422, "validator or pool parameter is required", `${pools}/validatorEvents`),
  row(422, "validator and pool parameters are required", `${pools}/validatorRewards`),
  row(422, "start_utime must be less than or equal to end_utime", ...poolLists),
  row(404, "Pool not found", `${pools}/pool`),
  row(422, "At least one of address or wallet_address should be specified", "multisig/wallets"),
  row(422, "At least one of address or multisig_address should be specified", "multisig/orders"),
  row(422, "at least one of contract_address or wallet_address is required", "vesting"),
  row(422, "only one of contract_address or wallet_address should be specified", "vesting"),
  row(422, "opcodes list exceeds maximum length of 1000", "decode"),
  row(422, "bodies list exceeds maximum length of 1000", "decode"),
  row(422, /^invalid opcode format at index \d+: .+$/, "decode"),
  row(422, "provide either stake_holder_address or adnl_address, not both", ...validators),
  row(
    422,
    /^(?:adnl_address|validator_pubkey) must be a 32-byte value in hex, base64 or base64url format$/,
    ...validators,
  ),
  row(422, "limit must not exceed 100 when return_participants is true", "validators/elections"),
  row(422, "limit must not exceed 100 when return_validators is true", "validators/cycles"),
  row(422, "start_utime must be less than or equal to end_utime", ...validators),
  row(401, "boc is required", "message"),
  row(401, "address is required", "runGetMethod"),
  row(401, "method is required", "runGetMethod"),
  row(404, "blocks not found", "masterchainBlockShardState", "masterchainBlockShards"),
  row(
    404,
    /^masterchain block \d+ not found$/,
    ...["transactions", "transactionsByMasterchainBlock", "traces", "events", "actions"],
  ),
  row(404, "adjacent transactions not found", "adjacentTransactions"),
  row(404, "emulated traces not found", "pendingTransactions"),
  row(404, "action_id not found", "balanceChanges"),
  row(400, "trace_id or action_id is required", "balanceChanges"),
  row(409, "not a wallet", "walletInformation", "wallet"),
  row(500, /^unsupported stack parameter type: .+$/, "runGetMethod"),
];
