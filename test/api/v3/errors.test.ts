import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/api/declare/errors.ts";
import { defaultAnswer } from "../../../src/api/declare/errorTable.ts";
import { type RefusalData, type RefusalName, refusal, v3Refusals } from "../../../src/api/v3/args/refusals.ts";
import { answerError, v3Errors } from "../../../src/api/v3/errors.ts";
import { HistoryError } from "../../../src/history/errors.ts";
import { LibError } from "../../../src/lib/errors.ts";
import { errorsOfAllCodes } from "../../kit/api/allErrors.ts";

/** Every error with its data, status and text, as written in the contract. */
const refusals: Readonly<Record<RefusalName, readonly [RefusalData, number, string]>> = {
  badValue: [{ name: "lt" }, 422, 'schema: error converting value for "lt"'],
  badItem: [{ name: "hash", index: 2 }, 422, 'schema: error converting value for index 2 of "hash"'],
  badValues: [{ first: "x", others: 2 }, 422, "x (and 2 other errors)"],
  badSort: [{}, 422, "wrong value for sort parameter"],
  limitTooLarge: [{ limit: 5000, max: 1000 }, 422, "limit is not allowed: 5000 > 1000"],
  offsetTooLarge: [
    { offset: 100_001, max: 100_000 },
    422,
    "offset is not allowed: 100001 > 100000; continue with cursor from the X-Next-Cursor header",
  ],
  badDirection: [{}, 422, "direction should be one of: in, out"],
  directionAlone: [{}, 422, "direction can be specified only with msg_hash or opcode"],
  messageNeeded: [{}, 422, "at least one of msg_hash, body_hash, opcode should be specified"],
  oneAddressNeeded: [{}, 422, "at least 1 address required"],
  tooManyAddresses: [{ max: 1000 }, 422, "maximum 1000 addresses allowed"],
  accountsNeeded: [{}, 422, "address of account is required"],
  abiNeeded: [{}, 422, "address, code_hash or abi is required"],
  messageNameNeeded: [{}, 422, "message is required"],
  accountNeeded: [{}, 401, "address of account is required"],
  pendingAccountNeeded: [{}, 422, "at least 1 account address required"],
  pendingTraceNeeded: [{}, 422, "account or ext_msg_hash should be specified"],
  oneTraceFilter: [{}, 422, "only one of account, trace_id, tx_hash, msg_hash should be specified"],
  badActionType: [{ name: "action_type" }, 422, "action_type contains invalid characters"],
  initiatorNeeded: [{}, 422, "account is required when initiated_by_account is set"],
  badActionCursor: [{}, 422, "invalid cursor"],
  cursorAndOffset: [{}, 422, "cursor and offset can not be used together"],
  otherCursor: [{}, 422, "cursor does not match the sort order or the time filter of the request"],
  badIndex: [{}, 422, "index should contain digits only"],
  indexAlone: [{}, 422, "index parameter is not allowed without the collection_address"],
  oneOwnerForCollections: [{}, 422, "exact one owner_address required for multiple collection_address"],
  oneOwnerForJettons: [{}, 422, "exact one owner_address required for multiple jetton_address"],
  walletOrDomainNeeded: [{}, 422, "either wallet address or domain is required"],
  walletAndDomain: [{}, 422, "provide either wallet address or domain, not both"],
  bidderNeeded: [{}, 422, "bidder address is required"],
  badAuctionState: [{}, 422, "state must be one of: all, won, bidding"],
  afterAndOffset: [{}, 422, "use either after or offset, not both"],
  badAfter: [{}, 422, "invalid after cursor"],
  poolNeeded: [{}, 422, "pool parameter is required"],
  nominatorNeeded: [{}, 422, "nominator parameter is required"],
  nominatorAndPoolNeeded: [{}, 422, "nominator and pool parameters are required"],
  validatorOrPoolNeeded: [{}, 422, "validator or pool parameter is required"],
  validatorAndPoolNeeded: [{}, 422, "validator and pool parameters are required"],
  contractNotFound: [{}, 404, "account not found"],
  poolNotFound: [{}, 404, "Pool not found"],
  multisigNeeded: [{}, 422, "At least one of address or wallet_address should be specified"],
  orderNeeded: [{}, 422, "At least one of address or multisig_address should be specified"],
  vestingNeeded: [{}, 422, "at least one of contract_address or wallet_address is required"],
  vestingTwice: [{}, 422, "only one of contract_address or wallet_address should be specified"],
  listTooLong: [{ name: "opcodes", max: 1000 }, 422, "opcodes list exceeds maximum length of 1000"],
  badOpcode: [{ index: 3, value: "zz" }, 422, "invalid opcode format at index 3: zz"],
  bocNeeded: [{}, 401, "boc is required"],
  addressNeeded: [{}, 401, "address is required"],
  methodNeeded: [{}, 401, "method is required"],
  holderAndAdnl: [{}, 422, "provide either stake_holder_address or adnl_address, not both"],
  badKey: [{ name: "adnl_address" }, 422, "adnl_address must be a 32-byte value in hex, base64 or base64url format"],
  embeddedLimit: [
    { name: "return_validators", max: 100 },
    422,
    "limit must not exceed 100 when return_validators is true",
  ],
  utimeOrder: [{}, 422, "start_utime must be less than or equal to end_utime"],
  blocksNotFound: [{}, 404, "blocks not found"],
  masterBlockNotFound: [{ seqno: 7 }, 404, "masterchain block 7 not found"],
  adjacentNotFound: [{}, 404, "adjacent transactions not found"],
  emulatedNotFound: [{}, 404, "emulated traces not found"],
  actionNotFound: [{}, 404, "action_id not found"],
  traceOrActionNeeded: [{}, 400, "trace_id or action_id is required"],
  notWallet: [{}, 409, "not a wallet"],
  badStackType: [{ type: "dict" }, 500, "unsupported stack parameter type: dict"],
  noV2: [{}, 500, "ton-http-api endpoint is not specified"],
  badV2Stack: [{ why: "cut" }, 501, "failed to decode api/v2 stack: cut"],
  noneInState: [{ name: "balance" }, 500, "balance is none"],
  noPending: [{}, 500, "emulatedTracesRepository is not initialized"],
  nothingIndexed: [{}, 500, "internal server error: no masterchain block is indexed yet"],
  v2Answer: [{ status: 542, text: "no" }, 542, "no"],
};

describe("the table of errors", () => {
  it("lists exceptions only: a row that equals the default of its kind or prefix is refused", async () => {
    const listed = (await errorsOfAllCodes("text")).filter(({ code }) => Object.hasOwn(v3Errors.codes, code));
    const same = listed.filter((error) => isDeepStrictEqual(answerError(error), defaultAnswer(v3Errors, error)(error)));
    expect(same.map(({ code }) => code)).toEqual([]);
    expect(listed.map(({ code }) => code).toSorted()).toEqual(Object.keys(v3Errors.codes).toSorted());
  });

  it("uses every prefix", async () => {
    const codes = (await errorsOfAllCodes("text")).map(({ code }) => code);
    expect(v3Errors.prefixes.filter(([prefix]) => !codes.some((code) => code.startsWith(prefix)))).toEqual([]);
  });

  it.each(Object.entries(refusals))("has the text of the contract for %s", (name, [data, status, text]) => {
    expect(Object.keys(v3Refusals)).toContain(name);
    expect(answerError(refusal(name as RefusalName, data))).toEqual({ status, text });
  });

  it.each([
    [new ApiError("api/key", "x"), 401, "API key does not exist"],
    [new ApiError("api/network", "x", { data: { network: "a", allowed: [] } }), 403, "Network not allowed"],
    [
      new ApiError("api/limit", "x", { data: { perSecond: 1, burst: 1, remaining: 0, retryMs: 1, resetMs: 1 } }),
      429,
      "Ratelimit exceeded",
    ],
    [new ApiError("api/not-found", "x"), 404, "Not Found"],
    [new ApiError("api/method", "x", { data: { method: "PUT", allowed: "POST" } }), 405, "method PUT is not supported"],
    [new ApiError("api/body", "bad JSON"), 422, "bad JSON"],
    [new HistoryError("history/timeout", "x"), 503, "the query took too long; try again, or ask for less at once"],
    [new LibError("lib/deadline", "x"), 503, "the answer took too long; try again, or ask for less at once"],
    [new HistoryError("history/database", "x"), 503, "the index cannot be reached"],
  ])("answers %s", (error, status, text) => {
    expect(answerError(error)).toEqual({ status, text });
  });

  it("answers unknown codes and internal errors without details", () => {
    const internal = { status: 500, text: "internal server error: unexpected" };
    const nameless = new ApiError("api/refusal", "secret", { data: { refusal: "toString", data: {} } });
    for (const error of [new Error("secret"), "secret", undefined, new LibError("lib/shape", "secret"), nameless])
      expect(answerError(error)).toEqual(internal);
  });
});
