import { type Difference, operationOf, type V2Answer, type V2Record } from "./v2Golden.ts";

/**
 * One deliberate difference from the recorded service, with the section of the contract (`v2.md`) that asks for it.
 * `field` accepts a difference in a single field; `answer` accepts a different answer as a whole and must check that it
 * is the right one.
 */
export type DifferenceRule = { readonly name: string; readonly reason: string } & (
  | { readonly field: (difference: Difference, record: V2Record, actual: V2Answer) => boolean }
  | { readonly answer: (record: V2Record, actual: V2Answer) => boolean }
);

function errorOf({ response }: V2Answer): string {
  return String(Object(response).error ?? "");
}

function resultOf({ response }: V2Answer) {
  return Object(Object(response).result);
}

/** Parameters from the query, the body or the JSON-RPC request. */
function paramsOf({ request: { path, query, body } }: V2Record) {
  return path.endsWith("/jsonRPC") ? Object(Object(body).params) : Object(query ?? body);
}

function nameOf(record: V2Record): string {
  return operationOf(record).replace(/^jsonRPC /, "");
}

const bareRequest = /^failed to (?:parse (?:get|post)|validate) request: (?:Error at path '[^']*': )?/;

/** Matches the error text; the rest of the error envelope must be equal. */
function errorText(judge: (expected: string, actual: string, record: V2Record) => boolean) {
  return ({ path, expected, actual }: Difference, record: V2Record) =>
    path === "response.error" &&
    typeof expected === "string" &&
    typeof actual === "string" &&
    judge(expected, actual, record);
}

const addressTexts: ReadonlySet<string> = new Set([
  "failed to parse address",
  "empty source address",
  "empty destination address",
]);

/** Errors of the recorded service's HTTP framework about a body; they are not part of the interface. */
const parserText =
  /^failed to parse post request: .*(?:Field is missing|Wrong type\.|invalid base64|cannot be parsed as std::variant|Too short array)/s;

/** Errors that are found without a lite server. */
const unaskedText =
  /cannot deserialize bag-of-cells: |^(?:INVALID_FIELD: |Failed to unpack Message|CommonMsgInfo |Failed to parse dec string)/;

/** Requests that need no lite server, although the recorded service selects one first. */
function needsNobody(record: V2Record, answer: V2Answer): boolean {
  const isEmptyList = nameOf(record) === "getLibraries" && resultOf(answer).result?.length === 0;
  return isEmptyList || unaskedText.test(errorOf(answer));
}

/** Whether two texts hold the same bits. The record ends with a completion bit that our text does not have. */
function isSameBits(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== "string" || typeof actual !== "string") return false;
  const [a, b] = [Buffer.from(expected, "base64"), Buffer.from(actual, "base64")];
  if (a.length !== b.length || a.length === 0) return false;
  const [last, ours] = [a[a.length - 1] ?? 0, b[b.length - 1] ?? 0];
  return a.subarray(0, -1).equals(b.subarray(0, -1)) && (last & (last - 1)) === ours && (ours & (last ^ ours)) === 0;
}

function isLocated(record: V2Record, actual: V2Answer): boolean {
  const { source, destination, created_lt: lt } = paramsOf(record);
  const { in_msg: taken, out_msgs: sent = [] } = resultOf(actual);
  const messages = /Source/.test(nameOf(record)) ? sent : [taken];
  return messages.some(
    (message: unknown) =>
      Object(message).source === source &&
      Object(message).destination === destination &&
      Object(message).created_lt === lt,
  );
}

export const v2Differences: readonly DifferenceRule[] = [
  {
    name: "bare reasons",
    reason: "§0 D5: reasons stand without the prefixes of the recorded service",
    field: errorText((expected, actual) => expected.replace(bareRequest, "") === actual),
  },
  {
    name: "bad address",
    reason: "§1.3: 422 `failed to parse address`; either text is accepted",
    field: errorText(
      (expected, actual) =>
        /(?:Failed to parse ton_addr: '|Field is missing)/.test(expected) && addressTexts.has(actual),
    ),
  },
  {
    name: "reasons for bodies",
    reason: "§0 D2, §1.3, §1.4: errors about missing or mistyped fields of a body use the words of the interface",
    field: errorText((expected, actual) => parserText.test(expected) && !parserText.test(actual)),
  },
  {
    name: "words about bags of cells",
    reason: "§1.3: the BoC error after the field's name may differ between readers",
    field: errorText((expected, actual) => {
      const [before, after] = [expected, actual].map((text) => text.split("cannot deserialize bag-of-cells: "));
      return before?.length === 2 && after?.length === 2 && before[0] === after[0];
    }),
  },
  {
    name: "nobody was asked",
    reason: "§1.2: `_` when no lite server was asked; requests that need none are answered before one is chosen",
    field: ({ path, expected, actual }, record, answer) =>
      path === "response.@extra" &&
      /:0:/.test(String(expected)) &&
      /:_:/.test(String(actual)) &&
      needsNobody(record, answer),
  },
  {
    name: "not a token",
    reason: "§0 D7: the text of the description",
    field: errorText(
      (expected, actual) =>
        /^Smart contract .* is not Jetton or NFT$/.test(expected) && actual === "Smart contract is not Jetton or NFT",
    ),
  },
  {
    name: "not found",
    reason: "§0 D8: the text of the description",
    field: errorText(
      (expected, actual) => expected === "transaction was not found" && actual === "transaction not found",
    ),
  },
  {
    name: "JSON-RPC echo",
    reason: "§0 D6: `id` and `jsonrpc` are echoed",
    field: ({ path, expected, actual }, { request }) => {
      const name = path.replace(/^response\./, "");
      const isEcho = request.path.endsWith("/jsonRPC") && (name === "id" || name === "jsonrpc");
      return isEcho && expected === undefined && actual === Object(request.body)[name];
    },
  },
  {
    name: "more of a header",
    reason: "§2.2: `flags` and `vert_seqno` are emitted too",
    field: ({ path, expected, actual }, record) =>
      nameOf(record) === "getBlockHeader" &&
      /^response\.result\.(?:flags|vert_seqno)$/.test(path) &&
      expected === undefined &&
      typeof actual === "number",
  },
  {
    name: "suspended",
    reason: "§0 D11: read from configuration parameter 44, which names these accounts",
    field: ({ path, expected, actual }, { note }) =>
      path === "response.result.suspended" && expected === false && actual === true && /^sus/.test(note ?? ""),
  },
  {
    name: "order of a channel's numbers",
    reason: "types §2.4: `expire_at`, `A`, `B` in their own places",
    field: ({ path, actual }, record, answer) => {
      const { account_state: state } = resultOf(answer);
      const recorded = Object(Object(resultOf(record).account_state).state);
      const right = { expire_at: recorded.B, A: recorded.expire_at, B: recorded.A };
      const name = path.replace("response.result.account_state.state.", "");
      return Object(state)["@type"] === "pchan.accountState" && Object(right)[name] === actual;
    },
  },
  {
    name: "encrypted text",
    reason: "types §2.2: `message` is left out for encrypted bodies, whose bytes are not text",
    field: ({ path, actual }, _record, answer) => {
      const parent = path
        .split(".")
        .slice(1, -1)
        .reduce((at, name) => Object(at)[name], answer.response);
      const { msg_data: data } = Object(parent);
      return path.endsWith(".message") && actual === undefined && Object(data)["@type"] === "msg.dataEncryptedText";
    },
  },
  {
    name: "bits behind the end",
    reason: "§2.5: `object.data.b64` is padded with zeros; only `len` bits count",
    field: ({ path, expected, actual }) =>
      /\.object\.(?:refs\.\d+\.)*data\.b64$/.test(path) && isSameBits(expected, actual),
  },
  {
    name: "exit codes",
    reason: "§0 D1: `runGetMethodStd` answers 500 for an exit code other than 0 and 1",
    answer: (record, actual) => {
      const { exit_code: code } = resultOf(record);
      const isFailure = typeof code === "number" && code !== 0 && code !== 1;
      return nameOf(record) === "runGetMethodStd" && isFailure && errorOf(actual) === `Exit code ${code} != 0`;
    },
  },
  {
    name: "stack entries of no use",
    reason: "§0 D3: 542 with the entry's type",
    answer: (record, { status, response }) =>
      status === 542 &&
      /(?:Unsuppored stack entry|Unknown discriminator)/.test(errorOf(record)) &&
      Object(response).error === `Unsupported stack entry type: ${paramsOf(record).stack[0]["@type"]}`,
  },
  {
    name: "numbers of typed entries",
    reason: "types §2.8: hexadecimal text and JSON integers are accepted",
    answer: (record, { status, response }) => {
      const given = Object(Object(paramsOf(record).stack?.[0]).number).number;
      const [entry] = Object(Object(response).result).stack ?? [];
      const isNumber = /^(?:0x[0-9a-f]+|\d+)$/.test(String(given));
      return status === 200 && isNumber && Object(Object(entry).number).number === String(Number(given));
    },
  },
  {
    name: "archival",
    reason: "§0 D10: `false` means any server",
    answer: (record, { status }) => record.status === 542 && paramsOf(record).archival === "false" && status === 200,
  },
  {
    name: "the first block",
    reason: "§2.2: a lookup that finds block 1 succeeds",
    answer: (record, actual) =>
      nameOf(record) === "lookupBlock" &&
      errorOf(record) === "LITE_SERVER_NOTREADY: not in db" &&
      resultOf(actual).seqno === 1,
  },
  {
    name: "a message before the first block",
    reason: "§2.2 and types §5.5: the lookup succeeds and finds no message",
    answer: (record, { status }) =>
      /^tryLocate/.test(nameOf(record)) && paramsOf(record).created_lt === "0" && status === 404,
  },
  {
    name: "all transactions of a block",
    reason: "README of the record: the recorded service reads 40 transactions of a block and misses the rest",
    answer: (record, actual) =>
      /^tryLocate/.test(nameOf(record)) &&
      record.status === 404 &&
      record.note === undefined &&
      isLocated(record, actual),
  },
  {
    name: "empty body",
    reason: "§1.4: read as `{}` by methods without parameters",
    answer: (record, { status }) =>
      record.request.raw === "" && nameOf(record) === "getMasterchainInfo" && status === 200,
  },
  {
    name: "seqno of a run",
    reason: "§2.5: 422 `seqno should be positive`",
    answer: (record, actual) =>
      /^runGetMethod/.test(nameOf(record)) &&
      Number(paramsOf(record).seqno) <= 0 &&
      actual.status === 422 &&
      errorOf(actual) === "seqno should be positive",
  },
  {
    name: "wrong HTTP method",
    reason: "§1.3: 405 on every method that is POST only",
    answer: (record, actual) => record.request.http === "GET" && record.status === 404 && actual.status === 405,
  },
  {
    name: "unknown JSON-RPC method",
    reason: "§1.3: 404 `Method not found`",
    answer: (record, actual) =>
      operationOf(record) === "jsonRPC noSuchMethod" && actual.status === 404 && errorOf(actual) === "Method not found",
  },
  {
    name: "no JSON-RPC request",
    reason: "§1.8: 422 where the recorded service answers 500",
    answer: (record, actual) => operationOf(record) === "jsonRPC" && record.status === 500 && actual.status === 422,
  },
  {
    name: "health check",
    reason: "§1.10: `OK`",
    answer: (record, { status, response }) => nameOf(record) === "healthcheck" && status === 200 && response === "OK",
  },
];

/** The rules that together explain all differences; `undefined` when a difference remains. */
export function explain(
  record: V2Record,
  actual: V2Answer,
  differences: readonly Difference[],
): ReadonlySet<string> | undefined {
  const whole = v2Differences.find((rule) => "answer" in rule && rule.answer(record, actual));
  if (whole !== undefined) return new Set([whole.name]);
  const names = new Set<string>();
  for (const difference of differences) {
    const v2Difference = v2Differences.find((rule) => "field" in rule && rule.field(difference, record, actual));
    if (v2Difference === undefined) return undefined;
    names.add(v2Difference.name);
  }
  return names;
}
