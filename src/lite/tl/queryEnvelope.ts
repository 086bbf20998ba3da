import { concatBytes } from "../../lib/bytes.ts";
import { liteQueries, queryEnvelope, queryPrefix, waitMasterchainSeqno } from "./liteQueries.ts";
import { type Need, noNeed } from "./need.ts";
import type { TlQuery } from "./record.ts";
import { TlReader } from "./TlReader.ts";
import { decode, encode, type TlValue, unknownConstructor } from "./types.ts";

/** Lets the server delay its answer until it has this masterchain block, or answer an error on timeout. */
export type Wait = TlValue<typeof waitMasterchainSeqno>;

/** A decoded query: `args` belong to `query`. */
export interface DecodedQuery {
  readonly wait: Wait | undefined;
  readonly query: TlQuery<unknown, unknown>;
  readonly args: unknown;
}

let byId: ReadonlyMap<number, TlQuery<unknown, unknown>> | undefined;

/** All queries by their numbers; computed on first use, like the numbers. */
function queriesById(): ReadonlyMap<number, TlQuery<unknown, unknown>> {
  byId ??= new Map(liteQueries.map((query) => [query.id, query]));
  return byId;
}

/** The bytes of a query, without the `liteServer.query` around it. */
export function encodeQuery<Q, A>(query: TlQuery<Q, A>, args: Q, wait?: Wait): Uint8Array {
  const body = encode(query.boxed, args);
  return wait === undefined ? body : concatBytes([encode(waitMasterchainSeqno.boxed, wait), body]);
}

/** What a server must have to answer a query with these arguments, after a wait. */
export function needOf<Q, A>(query: TlQuery<Q, A>, args: Q, wait?: Wait): Need {
  const declared = query.need(args);
  const atLeast = declared.atLeast ?? noNeed.atLeast;
  return {
    kind: declared.kind ?? noNeed.kind,
    place: declared.place ?? noNeed.place,
    atLeast: wait === undefined ? atLeast : Math.max(atLeast, wait.seqno >>> 0),
    newest: declared.newest ?? noNeed.newest,
    waitMs: wait === undefined ? noNeed.waitMs : Math.max(wait.timeoutMs, 0),
  };
}

/** Decodes a query; refuses unknown functions, cut and left-over bytes with `lite/tl`. */
export function decodeQuery(bytes: Uint8Array): DecodedQuery {
  const reader = new TlReader(bytes);
  let wait: Wait | undefined;
  let id = reader.nat();
  // Each prefix consumes bytes, so the input's length bounds the loop; of several waits the last one counts.
  while (id === waitMasterchainSeqno.id || id === queryPrefix.id) {
    wait = id === queryPrefix.id ? wait : waitMasterchainSeqno.read(reader);
    id = reader.nat();
  }
  const query = queriesById().get(id);
  if (query === undefined) throw unknownConstructor(id, reader);
  const args = query.read(reader);
  reader.end();
  return { wait, query, args };
}

/** Wraps a query in `liteServer.query`, the form in which it is sent and recorded. */
export function wrapQuery(query: Uint8Array): Uint8Array {
  return encode(queryEnvelope.boxed, { data: query });
}

/** The query inside `liteServer.query`; refuses bytes without that envelope with `lite/tl`. */
export function unwrapQuery(wrapped: Uint8Array): Uint8Array {
  return decode(queryEnvelope.boxed, wrapped).data;
}
