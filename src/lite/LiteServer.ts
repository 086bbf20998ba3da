import { LiteError } from "./errors.ts";
import { serverError } from "./tl/liteRecords.ts";
import type { Need } from "./tl/need.ts";
import { encodeQuery, needOf, type Wait } from "./tl/queryEnvelope.ts";
import type { TlQuery } from "./tl/record.ts";
import { decode, type TlValue } from "./tl/types.ts";

export interface AskOptions {
  /** Ends the waiting; timeouts are set once, at the edge, so a signal is never left out. */
  readonly signal: AbortSignal;
  /**
   * Looks at an answer and throws when it is not to be believed (`lite/proof`) or is an error (`lite/server`). A server
   * that stands for several asks another one then; a single server need not look, the asker does so again.
   */
  readonly accept?: (answer: Uint8Array) => void;
  /** What a server must have to answer; a server that stands for several chooses by it. Any server will do by default. */
  readonly need?: Need;
  /** Whether servers kept for callers with a key may be asked. */
  readonly access?: "public" | "private";
}

/**
 * The seam: one query, one answer. A connection, a pool, a pinned server, a retry, a recorder, a replayer, the local
 * network and a test's fake are all of them `LiteServer`s, and each may stand around another.
 *
 * - `ask` takes a query's boxed bytes (a `liteServer.*` function, a `waitMasterchainSeqno` before it if wanted, without
 *   the `liteServer.query` envelope) and resolves with the answer's boxed bytes. `liteServer.error` is an answer too: the
 *   server did speak. Neither side changes bytes handed over.
 * - `ask` rejects only when there is no answer: with a `LiteError` that says why, or with the signal's own coded reason
 *   as soon as that aborts. It never hangs past its signal. Queries may be asked at the same time, in any number; the
 *   answers come in any order.
 * - After `lite/lost`, or a signal that aborted, the server may have acted on the query: only `sendMessage` minds.
 * - `close` takes no more queries, lets those in flight finish, and resolves when everything is put away; `destroy` ends
 *   those in flight at once, each with `reason`. Both may be called at any time and again; queries afterwards reject
 *   with `lite/closed`. Whoever made a `LiteServer` closes it; one that stands around another closes that too.
 */
export interface LiteServer {
  ask(question: Uint8Array, options: AskOptions): Promise<Uint8Array>;
  close(): Promise<void>;
  destroy(reason: LiteError): void;
}

export interface TypedAskOptions extends AskOptions {
  readonly wait?: Wait;
}

/** Asks one declared query and decodes its answer; `liteServer.error` is thrown as `lite/server`. */
export async function ask<Q, A>(
  server: LiteServer,
  query: TlQuery<Q, A>,
  args: Q,
  { signal, wait }: TypedAskOptions,
): Promise<A> {
  const need = needOf(query, args, wait);
  return decodeAnswer(query, await server.ask(encodeQuery(query, args, wait), { signal, need }));
}

/** Asks one declared query and takes the answer only with its proof: `check` turns it into a value or throws. */
export async function askProven<Q, A, T>(
  server: LiteServer,
  query: TlQuery<Q, A>,
  args: Q,
  check: (answer: A) => T,
  { wait, signal, access }: TypedAskOptions,
): Promise<T> {
  let accepted: { readonly answer: Uint8Array; readonly value: T } | undefined;
  const accept = (answer: Uint8Array): void => {
    accepted = { answer, value: check(decodeAnswer(query, answer)) };
  };
  const need = needOf(query, args, wait);
  const options = access === undefined ? { signal, accept, need } : { signal, accept, need, access };
  const answer = await server.ask(encodeQuery(query, args, wait), options);
  return accepted?.answer === answer ? accepted.value : check(decodeAnswer(query, answer));
}

/** The answer to a declared query; throws `lite/server` for `liteServer.error`, `lite/tl` for anything else. */
export function decodeAnswer<Q, A>(query: TlQuery<Q, A>, answer: Uint8Array): A {
  const error = findServerError(answer);
  if (error !== undefined) {
    const { code, message } = error;
    throw new LiteError("lite/server", `${query.name}: ${message} (${code})`, {
      data: { serverCode: code, serverMessage: message },
    });
  }
  return decode(query.answer.boxed, answer);
}

/** What the server reports, when the answer is a `liteServer.error`. */
export function findServerError(answer: Uint8Array): TlValue<typeof serverError> | undefined {
  const tagged =
    answer.length >= 4 && new DataView(answer.buffer, answer.byteOffset).getUint32(0, true) === serverError.id;
  return tagged ? decode(serverError.boxed, answer) : undefined;
}
