import { readRoot } from "../../../src/cell/boc.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { parseJson } from "../../../src/lib/json.ts";

/** A recorded request with its answer, described in `realnet/README.md` of the corpus. */
export interface V2Record {
  readonly id: number;
  readonly note?: string;
  readonly request: {
    readonly http: "GET" | "POST";
    readonly path: string;
    readonly query?: Readonly<Record<string, string | readonly string[]>>;
    readonly body?: unknown;
    readonly raw?: string;
  };
  readonly status: number;
  readonly response: unknown;
}

export interface V2Answer {
  readonly status: number;
  readonly response: unknown;
}

/** One place where two answers differ. */
export interface Difference {
  /** Names and indexes from the root of the answer, joined by dots; `status` for the HTTP status. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The operation of a request; for JSON-RPC, the method in its body. */
export function operationOf({ request: { path, body } }: V2Record): string {
  const name = path.replace(/^\/api\/v2\//, "").replace(/\/$/, "");
  const { method } = Object(body);
  return name === "jsonRPC" && typeof method === "string" ? `jsonRPC ${method}` : name;
}

/** Sends the recorded request again. */
export async function askAgain(origin: string, { request }: V2Record): Promise<V2Answer> {
  const { http, path, query = {}, body, raw } = request;
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  const search = pairs.map((pair) => pair.map((part) => encodeURIComponent(part ?? "")).join("=")).join("&");
  const url = `${origin}${path}${search === "" ? "" : `?${search}`}`;
  const text = raw ?? (body === undefined ? undefined : writeBody(body));
  const init = http === "GET" ? {} : { method: "POST", body: text ?? "" };
  const response = await fetch(url, init);
  return { status: response.status, response: readAnswer(await response.text()) };
}

function writeBody(body: unknown): string {
  // Numbers above 2^53 are bigints here and plain numbers in JSON.
  const marked = JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? `bigint ${value}` : value));
  return marked.replace(/"bigint (-?\d+)"/g, "$1");
}

function readAnswer(text: string): unknown {
  try {
    return parseJson(text, { maxDepth: 3000, maxLength: 1 << 28 });
  } catch {
    return { text };
  }
}

/** Fields that differ in every answer. */
const changing: ReadonlySet<string> = new Set(["response.result.timestamp"]);

/** Matches an `@extra`: time, lite servers, duration, cache mark. Time and duration differ in every answer. */
const stampForm = /^\d{10}:([\d,]+|_):\d+(?:\.\d+)?(:c)?$/;

/** Servers are compared only when neither answer came from a cache. */
function isSameStamp(expected: unknown, actual: unknown): boolean {
  const [before, after] = [expected, actual].map((text) => stampForm.exec(String(text)));
  const isKept = before?.[2] !== undefined || after?.[2] !== undefined;
  return before != null && after != null && (isKept || before[1] === after[1]);
}

/** Lists every place where the answers differ; compares bags of cells by their roots. */
export function compareAnswers(expected: V2Answer, actual: V2Answer): Difference[] {
  const differences: Difference[] = [];
  if (expected.status !== actual.status)
    differences.push({ path: "status", expected: expected.status, actual: actual.status });
  compare(expected.response, actual.response, "response", differences);
  return differences.filter(
    ({ path, ...both }) => !changing.has(path) && !(isExtra(path) && isSameStamp(both.expected, both.actual)),
  );
}

function isExtra(path: string): boolean {
  return path === "response.@extra";
}

function compare(expected: unknown, actual: unknown, path: string, differences: Difference[]): void {
  if (typeof expected === "object" && typeof actual === "object" && expected !== null && actual !== null) {
    if (Array.isArray(expected) !== Array.isArray(actual)) differences.push({ path, expected, actual });
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    for (const name of names) compare(Object(expected)[name], Object(actual)[name], `${path}.${name}`, differences);
    return;
  }
  if (!isSame(expected, actual)) differences.push({ path, expected, actual });
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true;
  if (typeof expected !== "string" || typeof actual !== "string" || !/^te6c/.test(expected)) return false;
  const [a, b] = [findRootHash(expected), findRootHash(actual)];
  return a !== undefined && a === b;
}

function findRootHash(text: string): string | undefined {
  try {
    return readRoot(fromBase64(text)).hash();
  } catch {
    return undefined;
  }
}
