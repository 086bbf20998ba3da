import { LiteError } from "../errors.ts";
import { serverError } from "../tl/liteRecords.ts";
import type { Need } from "../tl/need.ts";
import { encodeQuery, needOf, type Wait } from "../tl/queryEnvelope.ts";
import type { TlQuery } from "../tl/record.ts";
import { decode, type TlValue } from "../tl/types.ts";

export interface AskOptions {
  /** Ends the wait. Timeouts are set once, at the edge, so the signal is required. */
  readonly signal: AbortSignal;
  /**
   * Checks an answer and throws when it must not be used (`lite/proof`) or is an error (`lite/server`). A pool then
   * asks another server; a single server need not call it, because the caller checks again.
   */
  readonly accept?: (answer: Uint8Array) => void;
  /** What a server must have to answer; a pool chooses by it. By default any server can answer. */
  readonly need?: Need;
  /** Whether private servers, reserved for callers with a key, may be used. */
  readonly access?: "public" | "private";
}

/**
 * The seam: one query, one answer. A connection, a pool, a pinned server, a replayer, the local network and a test's
 * fake are all `LiteServer`s, and each may wrap another.
 * - `ask` takes a query's boxed bytes (a `liteServer.*` function, optionally after `waitMasterchainSeqno`, without the
 * `liteServer.query` envelope) and resolves with the answer's boxed bytes. `liteServer.error` is an answer too. Neither
 * side changes the bytes.
 * - `ask` rejects only when there is no answer: with a `LiteError` that gives the reason, or with the signal's own
 * coded reason as soon as it aborts. It never waits past its signal. Any number of queries may run concurrently;
 * answers come in any order.
 * - `lite/lost` and an aborted signal leave open whether the server has processed the query; this matters only for
 * `sendMessage`.
 * - `close` accepts no more queries, lets those in flight finish, and resolves when all resources are released;
 * `destroy` ends those in flight immediately, each with `reason`. Both may be called at any time and repeatedly; later
 * queries reject with `lite/closed`. The creator of a `LiteServer` closes it; a wrapper also closes the wrapped server.
 */
export interface LiteServer {
  ask(query: Uint8Array, options: AskOptions): Promise<Uint8Array>;
  close(): Promise<void>;
  destroy(reason: LiteError): void;
}

export interface TypedAskOptions extends AskOptions {
  readonly wait?: Wait;
}

/** Sends one declared query and decodes its answer; `liteServer.error` is thrown as `lite/server`. */
export async function ask<Q, A>(
  server: LiteServer,
  query: TlQuery<Q, A>,
  args: Q,
  { signal, wait }: TypedAskOptions,
): Promise<A> {
  const need = needOf(query, args, wait);
  return decodeAnswer(query, await server.ask(encodeQuery(query, args, wait), { signal, need }));
}

/** Sends one declared query and accepts the answer only with its proof: `check` turns it into a value or throws. */
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

/** The server's error, when the answer is a `liteServer.error`. */
export function findServerError(answer: Uint8Array): TlValue<typeof serverError> | undefined {
  const tagged =
    answer.length >= 4 && new DataView(answer.buffer, answer.byteOffset).getUint32(0, true) === serverError.id;
  return tagged ? decode(serverError.boxed, answer) : undefined;
}
