import { type CodedError, isCoded } from "../../../lib/errors.ts";
import { ApiError } from "../../declare/errors.ts";

/** The values in a text. */
export type RefusalData = Readonly<Record<string, string | number | bigint>>;

/** A refusal of v3. */
export interface RefusalRow {
  readonly status: number | ((data: RefusalData) => number);
  readonly text: string | ((data: RefusalData) => string);
}

const row = (status: RefusalRow["status"], text: RefusalRow["text"]): RefusalRow => ({ status, text });

/** Every refusal of v3 with its own text, in the order of the contract's table. */
export const v3Refusals = {
  badValue: row(422, ({ name }) => `schema: error converting value for "${name}"`),
  badItem: row(422, ({ name, index }) => `schema: error converting value for index ${index} of "${name}"`),
  badValues: row(422, ({ first, others }) => `${first} (and ${others} other error${others === 1 ? "" : "s"})`),
  badSort: row(422, "wrong value for sort parameter"),
  limitTooLarge: row(422, ({ limit, max }) => `limit is not allowed: ${limit} > ${max}`),
  offsetTooLarge: row(
    422,
    ({ offset, max }) =>
      `offset is not allowed: ${offset} > ${max}; continue with cursor from the X-Next-Cursor header`,
  ),
  badDirection: row(422, "direction should be one of: in, out"),
  directionAlone: row(422, "direction can be specified only with msg_hash or opcode"),
  messageNeeded: row(422, "at least one of msg_hash, body_hash, opcode should be specified"),
  oneAddressNeeded: row(422, "at least 1 address required"),
  tooManyAddresses: row(422, ({ max }) => `maximum ${max} addresses allowed`),
  accountsNeeded: row(422, "address of account is required"),
  abiNeeded: row(422, "address, code_hash or abi is required"),
  messageNameNeeded: row(422, "message is required"),
  accountNeeded: row(401, "address of account is required"),
  pendingAccountNeeded: row(422, "at least 1 account address required"),
  pendingTraceNeeded: row(422, "account or ext_msg_hash should be specified"),
  oneTraceFilter: row(422, "only one of account, trace_id, tx_hash, msg_hash should be specified"),
  badActionType: row(422, ({ name }) => `${name} contains invalid characters`),
  initiatorNeeded: row(422, "account is required when initiated_by_account is set"),
  badActionCursor: row(422, "invalid cursor"),
  cursorAndOffset: row(422, "cursor and offset can not be used together"),
  otherCursor: row(422, "cursor does not match the sort order or the time filter of the request"),
  badIndex: row(422, "index should contain digits only"),
  indexAlone: row(422, "index parameter is not allowed without the collection_address"),
  oneOwnerForCollections: row(422, "exact one owner_address required for multiple collection_address"),
  oneOwnerForJettons: row(422, "exact one owner_address required for multiple jetton_address"),
  walletOrDomainNeeded: row(422, "either wallet address or domain is required"),
  walletAndDomain: row(422, "provide either wallet address or domain, not both"),
  bidderNeeded: row(422, "bidder address is required"),
  badAuctionState: row(422, "state must be one of: all, won, bidding"),
  afterAndOffset: row(422, "use either after or offset, not both"),
  badAfter: row(422, "invalid after cursor"),
  poolNeeded: row(422, "pool parameter is required"),
  nominatorNeeded: row(422, "nominator parameter is required"),
  nominatorAndPoolNeeded: row(422, "nominator and pool parameters are required"),
  validatorOrPoolNeeded: row(422, "validator or pool parameter is required"),
  validatorAndPoolNeeded: row(422, "validator and pool parameters are required"),
  contractNotFound: row(404, "account not found"),
  poolNotFound: row(404, "Pool not found"),
  multisigNeeded: row(422, "At least one of address or wallet_address should be specified"),
  orderNeeded: row(422, "At least one of address or multisig_address should be specified"),
  vestingNeeded: row(422, "at least one of contract_address or wallet_address is required"),
  vestingTwice: row(422, "only one of contract_address or wallet_address should be specified"),
  listTooLong: row(422, ({ name, max }) => `${name} list exceeds maximum length of ${max}`),
  badOpcode: row(422, ({ index, value }) => `invalid opcode format at index ${index}: ${value}`),
  bocNeeded: row(401, "boc is required"),
  addressNeeded: row(401, "address is required"),
  methodNeeded: row(401, "method is required"),
  holderAndAdnl: row(422, "provide either stake_holder_address or adnl_address, not both"),
  badKey: row(422, ({ name }) => `${name} must be a 32-byte value in hex, base64 or base64url format`),
  embeddedLimit: row(422, ({ name, max }) => `limit must not exceed ${max} when ${name} is true`),
  utimeOrder: row(422, "start_utime must be less than or equal to end_utime"),
  blocksNotFound: row(404, "blocks not found"),
  masterBlockNotFound: row(404, ({ seqno }) => `masterchain block ${seqno} not found`),
  adjacentNotFound: row(404, "adjacent transactions not found"),
  emulatedNotFound: row(404, "emulated traces not found"),
  actionNotFound: row(404, "action_id not found"),
  traceOrActionNeeded: row(400, "trace_id or action_id is required"),
  notWallet: row(409, "not a wallet"),
  badStackType: row(500, ({ type }) => `unsupported stack parameter type: ${type}`),
  noV2: row(500, "ton-http-api endpoint is not specified"),
  badV2Stack: row(501, ({ why }) => `failed to decode api/v2 stack: ${why}`),
  noneInState: row(500, ({ name }) => `${name} is none`),
  noPending: row(500, "emulatedTracesRepository is not initialized"),
  nothingIndexed: row(500, "internal server error: no masterchain block is indexed yet"),
  /** The answer of v2, passed on. */
  v2Answer: row(
    ({ status }) => Number(status),
    ({ text }) => String(text),
  ),
} as const satisfies Readonly<Record<string, RefusalRow>>;

export type RefusalName = keyof typeof v3Refusals;

/** The error for a refusal of v3; the table has its status and text. */
export function refusal(name: RefusalName, data: RefusalData = {}): ApiError<"api/refusal"> {
  return new ApiError("api/refusal", `v3 refuses: ${name}`, { data: { refusal: name, data } });
}

/** How a refusal is answered; `undefined` for a name that is not in the table. */
export function findRefusal({
  data,
}: CodedError<"api/refusal">): { readonly status: number; readonly text: string } | undefined {
  if (!Object.hasOwn(v3Refusals, data.refusal)) return undefined;
  const { status, text }: RefusalRow = v3Refusals[data.refusal as RefusalName];
  return {
    status: typeof status === "number" ? status : status(data.data),
    text: typeof text === "string" ? text : text(data.data),
  };
}

/** Whether an error is about an unreadable value; such errors are answered together. */
export function isBadValue(error: unknown): error is CodedError<"api/refusal"> {
  return isCoded(error, "api/refusal") && (error.data.refusal === "badValue" || error.data.refusal === "badItem");
}

/** One refusal for all unreadable values of a request: the text of the first, and the number of the others. */
export function badValues(first: CodedError<"api/refusal">, others: number): CodedError<"api/refusal"> {
  return others === 0 ? first : refusal("badValues", { first: findRefusal(first)?.text ?? first.message, others });
}
