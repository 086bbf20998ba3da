import { type Difference, operationOf, type V2Answer, type V2Record } from "./v2Golden.ts";

/** The older service serves its paths at the root. */
export function underBase(record: V2Record): V2Record {
  return { ...record, request: { ...record.request, path: `/api/v2${record.request.path}` } };
}

const leftOut: ReadonlySet<string> = new Set(["@type", "@extra", "id", "jsonrpc"]);

/** The values of an answer, independent of the API version that wrote it: numbers as text, addresses in lower case. */
export function valuesOf({ status, response }: V2Answer): V2Answer {
  return { status, response: plain(response) };
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !leftOut.has(name))
        .map(([name, each]) => [name, plain(each)]),
    );
  }
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+:[0-9a-fA-F]{64}$/.test(value) ? value.toLowerCase() : value;
}

interface ValueRule {
  readonly name: string;
  readonly reason: string;
  readonly explains: (difference: Difference, record: V2Record) => boolean;
}

const unbroken = (value: unknown): string => String(value).replaceAll("\n", "");
const namedBy = ({ request }: V2Record) => Object(request.body);

/** Accepted differences in the values of the two API versions, with the section of the contract. */
export const valueRules: readonly ValueRule[] = [
  {
    name: "line breaks",
    reason: "§3: `message` has one line break, at its end",
    explains: ({ path, expected, actual }) => path.endsWith(".message") && unbroken(expected) === unbroken(actual),
  },
  {
    name: "what is no UTF-8",
    reason: "types §2.2: shown with replacement characters, where the older API version shows nothing",
    explains: ({ path, expected, actual }) =>
      path.endsWith(".message") && expected === "" && String(actual).includes("\uFFFD"),
  },
  {
    name: "missing accounts",
    reason: "types §5.2: the balance −1 of a missing account is shown as 0",
    explains: ({ path, expected, actual }) => path === "response.result.balance" && expected === "-1" && actual === "0",
  },
  {
    name: "alphabet",
    reason: "§2.7: `packAddress` gives the URL-safe alphabet",
    explains: ({ expected, actual }, record) =>
      /packAddress$/.test(operationOf(record)) && String(expected).replaceAll("+", "-").replaceAll("/", "_") === actual,
  },
  {
    name: "count asked for",
    reason: "§2.3: `req_count` echoes `count`, also beyond one page",
    explains: ({ path, expected, actual }, { request }) =>
      path === "response.result.req_count" && expected === "256" && actual === Object(request.query).count,
  },
  {
    name: "order of a channel's numbers",
    reason: "types §2.4: `expire_at`, `A`, `B` in their own places",
    explains: ({ path }) => /^response\.result\.account_state\.state\.(?:expire_at|A|B)$/.test(path),
  },
  {
    name: "numbers of methods",
    reason: "§2.5: a number, or text that reads as one, is the method's id",
    explains: (_difference, record) =>
      operationOf(record) === "runGetMethod" && /^-?(?:0x[0-9a-f]+|\d*)$/i.test(String(namedBy(record).method)),
  },
  {
    name: "gas limit",
    reason: "§2.5: a run may use 4,000,000 gas",
    explains: ({ path, expected, actual }) =>
      (path === "response.result.gas_used" || path === "response.result.stack.0.1") &&
      Math.floor(Number(expected) / 1e6) === 1 &&
      Math.floor(Number(actual) / 1e6) === 4,
  },
];
