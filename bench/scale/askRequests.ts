import { countPages } from "../../kit/history/countPages.ts";
import { answer, type V3Request } from "../../kit/history/queryMix.ts";
import { contractHistory, History } from "../../src/history/queries/kit/History.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { isCoded } from "../../src/lib/errors.ts";

/** What a request cost. */
export interface AskedRequest {
  readonly request: V3Request;
  readonly pages: number;
  /** Milliseconds until the answer is encoded. */
  readonly ms: number;
  readonly isRefused: boolean;
}

const options = { ...contractHistory, timeoutMs: 600_000 };

/**
 * Whether it was refused because it would search too many rows; contradictory filters are refused, too, but rightly.
 */
async function isRefused(history: History, request: V3Request): Promise<boolean> {
  try {
    await answer(history, request);
    return false;
  } catch (error) {
    if (isCoded(error, "history/unsearched")) return true;
    if (isCoded(error, "api/refusal")) return false;
    throw error;
  }
}

/** Answers each request twice: with its statements explained, and alone. */
export async function askRequests(database: Database, requests: Iterable<V3Request>): Promise<readonly AskedRequest[]> {
  const counter = countPages(database);
  const counted = new History(options, { database: counter.database });
  const history = new History(options, { database });
  const asked: AskedRequest[] = [];
  for (const request of requests) {
    counter.take();
    await isRefused(counted, request);
    const pages = counter.take();
    const startedAt = performance.now();
    asked.push({ request, pages, isRefused: await isRefused(history, request), ms: performance.now() - startedAt });
  }
  return asked;
}

/** The pages that so many percent of requests do not exceed. */
export function percentileOf(asked: readonly AskedRequest[], percent: number): number {
  const pages = asked.map((each) => each.pages).sort((a, b) => a - b);
  return pages[Math.min(pages.length - 1, Math.ceil((pages.length * percent) / 100) - 1)] ?? 0;
}

/** The requests that touched most pages, and the refused ones, one a line. */
export function formatWorst(asked: readonly AskedRequest[], count: number): readonly string[] {
  const worst = asked.toSorted((a, b) => b.pages - a.pages).slice(0, count);
  const refused = asked.filter((each) => each.isRefused);
  return [
    ...worst.map((each) => `${each.pages} pages, ${each.ms.toFixed(0)} ms: ${formatRequest(each.request)}`),
    ...refused.map(({ request }) => `refused: ${formatRequest(request)}`),
  ];
}

function formatRequest({ path, query }: V3Request): string {
  const shorten = (text: string) => (text.length > 20 ? `${text.slice(0, 8)}…` : text);
  const words = Object.entries(query).map(([name, value]) => {
    if (typeof value === "string") return `${name}=${shorten(value)}`;
    return value.length > 4 ? `${name}=(${value.length})` : `${name}=${value.map(shorten).join()}`;
  });
  return `${path}?${words.join("&")}`;
}
