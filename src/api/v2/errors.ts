import type { Step } from "../../chain/errors.ts";
import { type CodedError, type ErrorCode, isCoded } from "../../lib/errors.ts";
import { answerCoded, type ErrorTable } from "../declare/errorTable.ts";

/** What `@extra` of an error holds: time and duration as for any answer, "_" when no endpoint ran, or no `@extra`. */
type Extra = "stamp" | "_" | "none";

/** One error as v2 answers it. */
interface ErrorAnswer {
  /** The HTTP status, which is also `code` in the body. */
  readonly status: number;
  readonly text: string;
  readonly extra: Extra;
}

type ErrorText<Code extends ErrorCode> = (error: CodedError<Code>) => string;

const ownMessage = ({ message }: CodedError) => message;

function row<Code extends ErrorCode>(
  status: number,
  text: string | ErrorText<Code> = ownMessage,
  extra: Extra = "stamp",
): (error: CodedError<Code>) => ErrorAnswer {
  return (error) => ({ status, text: typeof text === "string" ? text : text(error), extra });
}

/** An internal error: the log has the details, the answer does not. */
const internal: ErrorAnswer = { status: 500, text: "internal error", extra: "stamp" };
const ours = () => internal;
const network = row(500, ({ message }) => `LITE_SERVER_NETWORK: ${message}`);
const late = row(504, "LITE_SERVER_NETWORK timeout");
const stopping = row(503, "this server is stopping");

const serverKinds = new Map<number, string>([
  [601, "FAILURE"],
  [602, "ERROR"],
  [603, "WARNING"],
  [621, "PROTOVIOLATION"],
  [651, "NOTREADY"],
  [652, "TIMEOUT"],
  [653, "CANCELLED"],
]);

/** Prefixes of a server's error message, by the step of a longer request that failed. */
const stepTexts = new Map<string | undefined, string>([
  ["from-block" satisfies Step, "lookup from block error: "],
  ["shards-at-lt" satisfies Step, "failed to get shards at create_lt: "],
]);

function liteServerText({ data, message }: CodedError<"lite/server">): string {
  const [before, kind] = [stepTexts.get(data.step) ?? "", serverKinds.get(data.serverCode) ?? "UNKNOWN"];
  return `${before}LITE_SERVER_${kind}: ${data.serverMessage ?? message}`;
}

/** By the data that a server failed to prove. */
const proofKinds = new Map<string | undefined, string>([
  ["account", "ACCOUNT_STATE"],
  ["transaction", "TRANSACTION"],
  ["transactions", "TRANSACTION"],
  ["block transactions", "TRANSACTION"],
  ["configuration", "CONFIG"],
]);

function proofText({ data, message }: CodedError<"lite/proof">): string {
  return `VALIDATE_${proofKinds.get(data.what) ?? "BLOCK_PROOF"}: ${message}`;
}

/** The list of servers belongs to the log; a caller without a key only learns when all servers need a key. */
function noServerText({ data, message }: CodedError<"lite/none">): string {
  const text = `failed to get session: no workers available (archival=0 mode=${data.mode ?? "Single"})`;
  return data.servers?.length === 0 ? `${text}: ${message}` : text;
}

/** What servers name where there is no block to name, as nodes write it. */
const noBlock = `(-2147483648,0000000000000000,0):${"0".repeat(64)}:${"0".repeat(64)}`;

/** How v2 answers errors (v2 contract, section 1.7). */
export const v2Errors: ErrorTable<ErrorAnswer> = {
  kinds: { caller: row(422), remote: row(500), ours },
  prefixes: [
    ["cell/boc-", row(500, ({ message }) => `INVALID_BAG_OF_CELLS: ${message}`)],
    ["cell/", row(500, ({ message }) => `cannot deserialize bag-of-cells: ${message}`)],
    ["chain/", row(500)],
    ["contracts/", row(500)],
    ["history/", ours],
    ["localnet/", ours],
  ],
  codes: {
    "api/refusal": ours,
    "api/boc": row(500, ({ data, message }) => `INVALID_BAG_OF_CELLS: ${data.field}${message}`),
    "api/send": row(400),
    "api/stack-entry": row(542),
    "api/stack-value": row(500),
    "api/token": row(500, "failed to serialize TokenData"),
    "api/not-found": row(404, "Not Found", "_"),
    "api/method": row(405, ({ data }) => `method ${data.method} is not supported`, "_"),
    "api/rpc-method": row(404, "Method not found", "_"),
    "api/rpc": row(422, ownMessage, "_"),
    "api/url": row(400, ownMessage, "_"),
    "api/body-size": row(413, ownMessage, "_"),
    "api/url-size": row(414, ownMessage, "_"),
    "api/header-size": row(431, ownMessage, "_"),
    "api/slow-request": row(408, ownMessage, "_"),
    "api/key": row(401, "API key does not exist", "none"),
    "api/network": row(403, "Network not allowed", "none"),
    "api/local-controls": row(403, ownMessage, "none"),
    "api/limit": row(429, "Ratelimit exceeded", "none"),
    "api/answer-size": row(413),
    "api/busy": row(503),
    "api/unready": row(503),

    "lib/argument": row(422, ({ data }) => `failed to parse ${data.argument}`),
    "lib/deadline": late,
    "lib/aborted": row(503, "the request was cancelled"),
    "lib/storage": row(
      503,
      ({ data }) => `a file of this server cannot be used (${data.reason}); see the server's log`,
    ),

    "model/address": row(422, "failed to parse address"),
    "model/hash": row(422, "failed to parse hash"),
    "model/shard": row(422, "failed to parse shard"),
    "model/unknown": row(500),
    "model/value": row(500),

    "lite/timeout": late,
    "lite/closed": stopping,
    "lite/refused": network,
    "lite/handshake": network,
    "lite/frame": network,
    "lite/tl": network,
    "lite/server": row(500, liteServerText),
    "lite/busy": row(503),
    "lite/proof": row(500, proofText),
    "lite/none": row(542, noServerText),
    "lite/behind": network,
    "lite/lost": network,
    "lite/record": ours,
    "lite/record-full": row(503),

    "tvm/timeout": row(500),
    "tvm/closed": stopping,

    "chain/no-workchain": row(500, `VALIDATE_ACCOUNT_STATEshard block id ${noBlock} in answer is invalid`),
    "chain/not-token": row(409, "Smart contract is not Jetton or NFT"),
    "chain/not-found": row(404, "transaction not found"),
    "chain/no-block": row(404, "block not found"),
    "chain/no-start": row(422),
    "chain/stack-depth": row(533),
    "chain/too-many-libraries": row(
      500,
      ({ message }) => `INVALID_FIELD: Field library_list has invalid value : ${message}`,
    ),

    "contracts/no-uri": row(500, "missing uri field in offchain data"),
    "contracts/no-match": ours,
    "contracts/limit": ours,
    "contracts/not-this": ours,

    "localnet/missing": row(500),
    "localnet/refusal": row(500),
    "localnet/amount": row(422),
    "localnet/wallet": row(422),
    "localnet/snapshot": row(422),
    "localnet/time": row(422),
    "localnet/control": row(422),
    "localnet/origin": row(503),
    "localnet/closed": stopping,
  },
};

/** The answer for anything thrown; what has no code is an internal error. */
export function answerError(error: unknown): ErrorAnswer {
  return isCoded(error) ? answerCoded(v2Errors, error) : internal;
}
