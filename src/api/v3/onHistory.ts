import type { HistoryOptions, HistorySnapshot } from "../../history/queries/kit/History.ts";
import type { ListPage, Page } from "../../history/queries/kit/Page.ts";
import type { PagePositions } from "../../history/queries/kit/PagePositions.ts";
import { systemClock } from "../../lib/clock.ts";
import { runnerName } from "../declare/Caller.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { refusal } from "./args/refusals.ts";
import type { Control } from "./declare.ts";
import type { V3Services } from "./services/Services.ts";

/** The context of an endpoint that uses the index. */
export interface HistoryRequest {
  readonly reading: HistorySnapshot;
  readonly context: RequestContext;
  /** The requested part of a list, within the configured limits. */
  page(pageArgs: PageArgs, defaultLimit?: number): Page;
  /** The items of a list; a header has the cursor of the next part, in the form that clients send. */
  items<T>(listed: ListPage<T>, cursor?: string): readonly T[];
}

export interface PageArgs {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly cursor?: string | undefined;
}

/** Makes the `run` of an endpoint that uses the index: all its statements see one snapshot of the tables. */
export function onHistory<A extends Control, R>(answer: (asking: HistoryRequest, args: A) => Promise<R>) {
  // The memory of positions is the same for all operations.
  const operation = operations++;
  return ({ history }: V3Services, args: A, context: RequestContext): Promise<R> => {
    const { signal, log, caller } = context;
    const options = {
      signal,
      caller: runnerName(caller),
      timeoutMs: args.x_timeout,
      // What is proved is true at a block.
      seenSeqno: args.x_seen_seqno ?? (context.proof && 0),
      withoutBook: args.x_no_address_book,
      withoutMetadata: args.x_no_metadata,
      // Statements fill the log, so this needs a key, and the log level of the operator.
      ...(args.x_debug_request &&
        caller.kind !== "keyless" && {
          watch: ({ text }: { readonly text: string }) => log.debug("statement of the index", { sql: text }),
        }),
    };
    return history.read(options, (reading) => {
      // A client that sends it back never gets an older state, whichever process answers.
      if (reading.seqno !== undefined) {
        context.notes.addHeader("X-Index-Seqno", String(reading.seqno));
        context.notes.atIndex(reading.seqno);
      }
      const list = () => `${operation} ${options.caller ?? ""} ${formatFilters(args)}`;
      return answer(makeAsking(reading, context, { positions: history.positions, list }), args);
    });
  };
}

let operations = 0;

/** The filters of a list as text, without the arguments that choose the page. */
function formatFilters(args: object): string {
  const { limit, offset, cursor, ...filters } = args as Partial<PageArgs>;
  return JSON.stringify(filters, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}

function makeAsking(
  reading: HistorySnapshot,
  context: RequestContext,
  { positions, list }: { readonly positions: PagePositions; readonly list: () => string },
): HistoryRequest {
  const { minResumedOffset, defaultLimit } = reading.options;
  // Pages by cursor begin at no offset.
  let [begin, sinceMs] = [Number.NaN, systemClock.monotonic()];
  return {
    reading,
    context,
    page: (pageArgs, limit = defaultLimit) => {
      const page = pageOf(pageArgs, reading.options, limit);
      begin = page.cursor === undefined ? page.offset : Number.NaN;
      const resumed = begin >= minResumedOffset ? positions.find(list(), begin) : undefined;
      if (resumed === undefined) return page;
      sinceMs = resumed.sinceMs;
      return { ...page, offset: 0, cursor: resumed.cursor, isResumed: true };
    },
    items: ({ items, next }, cursor = next) => {
      if (cursor !== undefined) context.notes.addHeader("X-Next-Cursor", cursor);
      const end = begin + items.length;
      if (next !== undefined && end >= minResumedOffset) positions.note(list(), end, next, sinceMs);
      return items;
    },
  };
}

/** The requested part of a list: a limit below one is one, an offset below zero is zero. */
export function pageOf(
  { limit, offset = 0, cursor }: PageArgs,
  { maxLimit, maxOffset }: Pick<HistoryOptions, "maxLimit" | "maxOffset">,
  defaultLimit: number,
): Page {
  if (limit !== undefined && limit > maxLimit) throw refusal("limitTooLarge", { limit, max: maxLimit });
  if (offset > maxOffset) throw refusal("offsetTooLarge", { offset, max: maxOffset });
  return { limit: Math.max(1, limit ?? defaultLimit), offset: Math.max(0, offset), cursor };
}
