import { once } from "node:events";
import type { Writable } from "node:stream";
import postgres from "postgres";
import { abortReason, onAbort } from "../../../../lib/abort.ts";
import { throwIfAborted } from "../../../../lib/deadline.ts";
import { HistoryError } from "../../../errors.ts";
import type { PlanMode, ReadOptions, SqlOptions, SqlParam, SqlRow, SqlSession, SqlValue } from "../../Database.ts";
import { databaseError, isSessionLost, sessionError } from "../../databaseErrors.ts";
import { copyTarget } from "../../schema/CopyBuffer.ts";
import { formatParam, parsedTypes, parserOf } from "../../schema/values.ts";
import { openSockets } from "./openSocket.ts";

export interface SessionOptions {
  readonly url: string;
  readonly connectMs: number;
  /** Statements that every connection begins with; behind a pooler every transaction. */
  readonly settings: readonly string[];
  /** Whether a pooler may give every transaction another connection: nothing is left in one then. */
  readonly isPooled?: boolean;
  /** Whether the database may be told to plan a statement once for all values; a cluster needs the values. */
  readonly keepsPlans?: boolean;
  /** Cancels the statement of another session, by its backend process id. */
  cancel(pid: number): Promise<void>;
  /** Called at every end of a connection. */
  onLost?(): void;
  /** Called with what the server says besides its answers. */
  onNotice?(notice: postgres.Notice): unknown;
}

export interface TransactOptions extends SqlOptions {
  /** The statements that end the transaction ("commit"). */
  readonly end?: string;
}

/** An open connection with its backend process id. */
interface Opened {
  readonly epoch: number;
  readonly pid: number;
  /** The current `statement_timeout` of the session; 0 is none. */
  timeoutMs: number;
}

/** The connection that a transaction began on, and its settings. */
interface Transaction {
  readonly epoch: number;
  readonly pid: Promise<number>;
  timeoutMs: number;
  plan?: PlanMode;
}

/** The setting of sessions that only read. */
export const readOnlyByDefault = "set default_transaction_read_only = on";
const backendPid = "select pg_backend_pid() as pid";
const copyChunk = 256 * 1024;
const closeSeconds = 5;
const planModes: Readonly<Record<PlanMode, string>> = { made: "force_custom_plan", kept: "force_generic_plan" };

/**
 * One session with a PostgreSQL: one connection, opened when first needed and again after it was lost. A transaction
 * does not survive that: its later statements are refused.
 */
export class PostgresSession implements SqlSession {
  #sql: postgres.Sql;
  readonly #options: SessionOptions;
  readonly #sockets = openSockets();
  #epoch = 0;
  #isClosed = false;
  #opened: Opened | undefined;
  #transaction: Transaction | undefined;
  /** Refuses what waits for an answer. The driver forgets a statement that it sends to a connection just ended. */
  readonly #refusals = new Set<(error: Error) => void>();
  /** How bytes are returned, which is decided for a whole transaction. */
  #bytes: "bytes" | "text" = "bytes";

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#sql = this.#makeClient();
  }

  /**
   * A client of the driver for one connection: after a lost connection a client reports that error to the next caller,
   * so it is replaced.
   */
  #makeClient(): postgres.Sql {
    const options = this.#options;
    const client: postgres.Sql = postgres(options.url, {
      ...hostOf(options.url),
      ...this.#sockets.option,
      max: 1,
      connect_timeout: options.connectMs / 1000,
      max_lifetime: null,
      fetch_types: false,
      types: driverTypes(() => this.#bytes),
      onnotice: (notice) => options.onNotice?.(notice),
      onclose: () => {
        if (client !== this.#sql || this.#isClosed) return;
        this.#epoch += 1;
        this.#sql = this.#makeClient();
        const ended = new HistoryError("history/database", "the connection to the database ended");
        for (const refuse of this.#refusals) refuse(ended);
        // It may have connected again for a statement that it still has: nobody would end that connection.
        client.end({ timeout: closeSeconds }).catch(() => {});
        options.onLost?.();
      },
    });
    return client;
  }

  /** Opens the connection if there is none. */
  async open(): Promise<Opened> {
    if (this.#opened?.epoch === this.#epoch) return this.#opened;
    const statements = this.#options.isPooled === true ? [backendPid] : [...this.#options.settings, backendPid];
    let pid = 0;
    for (const sql of statements) {
      const [row] = await this.#orEnded(this.#sql.unsafe(sql)).catch((error) =>
        Promise.reject(sessionError(error, "connecting to PostgreSQL", this.#options.url)),
      );
      pid = Number(row?.pid ?? 0);
    }
    this.#opened = { epoch: this.#epoch, pid, timeoutMs: 0 };
    return this.#opened;
  }

  async query(sql: string, params: readonly SqlParam[] = [], options: SqlOptions = {}): Promise<readonly SqlRow[]> {
    const { isPooled = false } = this.#options;
    if (isPooled && this.#transaction === undefined)
      return this.transactReading(this.#beginAlone, (session) => session.query(sql, params, options), options);
    const opened = await this.#ready();
    await this.#limit(opened, options.timeoutMs);
    this.#planBy(options.plan);
    const ask = () => this.#orEnded(this.#sql.unsafe(sql, params.map(formatParam), { prepare: !isPooled }));
    const pid = this.#transaction?.pid ?? Promise.resolve(opened.pid);
    const rows = await this.#cancellable(pid, ask, options.signal);
    // The driver keeps the rows of a statement that failed after some: in the next result their places are empty.
    return Array.from(rows).filter((row) => row !== undefined);
  }

  /** What begins the transaction of a single statement; the default is of no use to one that has begun. */
  get #beginAlone(): string {
    return this.#options.settings.includes(readOnlyByDefault) ? "begin read only" : "begin";
  }

  /** Whether a pooler stands between: then the connection has another number than the backend that answers. */
  async findPooler(): Promise<boolean> {
    try {
      const found = await this.#orEnded(this.#sql.unsafe(backendPid));
      return Number(found[0]?.pid) !== Number(Object(found.state).pid);
    } catch (error) {
      throw sessionError(error, "connecting to PostgreSQL", this.#options.url);
    }
  }

  /** Listens to a channel over a separate connection of the driver, which is opened again when it is lost. */
  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    try {
      const { unlisten } = await this.#sql.listen(channel, onNotify);
      return unlisten;
    } catch (error) {
      throw databaseError(error, `listening on ${channel}`);
    }
  }

  async run(sql: string): Promise<void> {
    await this.#ready();
    await this.#orEnded(this.#sql.unsafe(sql)).catch((error) => this.#fail(error));
  }

  copy(table: string, columns: readonly string[], text: string): Promise<void> {
    return this.#copy(table, `${copyTarget(table, columns)} from stdin`, Buffer.from(text));
  }

  copyBinary(table: string, columns: readonly string[], bytes: Uint8Array): Promise<void> {
    return this.#copy(table, `${copyTarget(table, columns)} from stdin (format binary)`, bytes);
  }

  async #copy(table: string, sql: string, bytes: Uint8Array): Promise<void> {
    await this.#ready();
    const query = this.#sql.unsafe(sql);
    try {
      const stream = await this.#orEnded(query.writable());
      await this.#orEnded(
        sendAll(stream, bytes, (fail) => {
          // The driver reports an error after the last piece only through this property, and the query, already
          // resolved with the stream, would ignore it: the copy would never end.
          (query as unknown as { reject: (error: unknown) => void }).reject = fail;
        }),
      );
    } catch (error) {
      throw sessionError(error, `copying into ${table}`, this.#options.url);
    }
  }

  /** Runs the work in a transaction that begins with this statement; time limits are set before, so they stay. */
  async transact<T>(
    begin: string,
    work: (session: SqlSession) => Promise<T>,
    { end = "commit", ...options }: TransactOptions = {},
  ): Promise<T> {
    const begun = await this.#begin(begin, options);
    this.#transaction = begun;
    try {
      await begun.pid;
      const done = await work(this.#withOptions(options));
      await this.run(end);
      return done;
    } catch (error) {
      throw await this.#undo(error);
    } finally {
      this.#transaction = undefined;
    }
  }

  /**
   * The same for read-only work: nobody waits for the begin, after which the first statement is sent at once, nor for
   * the end, which changes nothing.
   */
  async transactReading<T>(begin: string, work: (session: SqlSession) => Promise<T>, options: ReadOptions): Promise<T> {
    const begun = await this.#begin(begin, options);
    this.#transaction = { ...begun, plan: "made" };
    this.#bytes = options.bytesAsText === true ? "text" : "bytes";
    try {
      const done = await work(this.#withOptions(options));
      await begun.pid;
      this.#sql.unsafe("commit").catch(() => {});
      return done;
    } catch (error) {
      throw await this.#undo(error);
    } finally {
      this.#transaction = undefined;
      this.#bytes = "bytes";
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.end({ timeout: closeSeconds }).finally(() => this.#sockets.destroy());
  }

  /** Ends the connection and refuses what waits for an answer. */
  destroy(reason: Error): void {
    this.#isClosed = true;
    for (const refuse of this.#refusals) refuse(reason);
    this.#sql.end({ timeout: 0 }).catch(() => {});
    this.#sockets.destroy();
  }

  /** Sends the statements that begin a transaction; `pid` settles when they are done. */
  async #begin(begin: string, { timeoutMs = 0 }: SqlOptions): Promise<Transaction> {
    const { isPooled = false, settings } = this.#options;
    const opened = await this.open();
    if (!isPooled) await this.#limit(opened, timeoutMs);
    const local = settings.map((each) => each.replace(/^set /, "set local "));
    const timeout = `set local statement_timeout = ${Math.ceil(timeoutMs)}`;
    const text = isPooled ? [begin, ...local, timeout, backendPid].join("; ") : begin;
    const begun = this.#orEnded(this.#sql.unsafe(text)).catch((error) =>
      Promise.reject(sessionError(error, "a statement", this.#options.url)),
    );
    const pid = begun.then((results) => (isPooled ? Number(Object(results.at(-1))[0]?.pid) : opened.pid));
    // Reported with the end of the work; until then it must not count as an unhandled rejection.
    pid.catch(() => {});
    return { epoch: this.#epoch, pid, timeoutMs };
  }

  /** The answer, or a failure when the connection ends before it comes. */
  #orEnded<T>(answer: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#refusals.add(reject);
      const end = (how: () => void) => {
        this.#refusals.delete(reject);
        how();
      };
      answer.then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      );
    });
  }

  #withOptions(all: SqlOptions): SqlSession {
    return {
      query: (sql, params, options) => this.query(sql, params, { ...all, ...options }),
      run: (sql) => this.run(sql),
      copy: (table, columns, text) => this.copy(table, columns, text),
      copyBinary: (table, columns, bytes) => this.copyBinary(table, columns, bytes),
    };
  }

  /** Rejects with a coded error; within a transaction its end decides what becomes of the session. */
  #fail(cause: unknown): Promise<never> {
    const error = sessionError(cause, "a statement", this.#options.url);
    if (this.#transaction === undefined) this.#renewAfter(error);
    return Promise.reject(error);
  }

  /**
   * Replaces the connection after an error that belongs to it, such as one that was opened while the server accepted
   * only reading: the next use opens another.
   */
  #renewAfter(error: unknown): void {
    if (this.#isClosed || !isSessionLost(error)) return;
    const lost = this.#sql;
    this.#epoch += 1;
    this.#sql = this.#makeClient();
    lost.end({ timeout: closeSeconds }).catch(() => {});
  }

  /** Rolls back after this error, and returns it; a lost connection has rolled back by itself. */
  async #undo(error: unknown): Promise<unknown> {
    if (this.#transaction?.epoch === this.#epoch) await this.#orEnded(this.#sql.unsafe("rollback")).catch(() => {});
    this.#renewAfter(error);
    return error;
  }

  async #ready(): Promise<Opened> {
    if (this.#transaction !== undefined && this.#transaction.epoch !== this.#epoch)
      throw new HistoryError("history/database", "the connection was lost within a transaction");
    return this.open();
  }

  /** Outside of transactions the session's own limit is set, which costs nothing while it stays the same. */
  async #limit(opened: Opened, timeoutMs = 0): Promise<void> {
    const limited = this.#transaction ?? opened;
    if (limited.timeoutMs === timeoutMs) return;
    const scope = this.#transaction === undefined ? "session" : "local";
    await this.run(`set ${scope} statement_timeout = ${Math.ceil(timeoutMs)}`);
    limited.timeoutMs = timeoutMs;
  }

  /** Sent before the statement; a failure here is a failure there. */
  #planBy(plan: PlanMode = "made"): void {
    const transaction = this.#transaction;
    const { keepsPlans = true, isPooled = false } = this.#options;
    if (transaction?.plan === undefined || transaction.plan === plan || !keepsPlans || isPooled) return;
    transaction.plan = plan;
    this.#sql.unsafe(`set local plan_cache_mode = ${planModes[plan]}`).catch(() => {});
  }

  async #cancellable<T>(pid: Promise<number>, ask: () => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
    throwIfAborted(signal);
    let cancelling: Promise<void> | undefined;
    const stopListening = onAbort(signal, () => {
      cancelling = pid.then((number) => this.#options.cancel(number));
    });
    try {
      return await ask();
    } catch (error) {
      if (signal?.aborted === true) throw abortReason(signal);
      return await this.#fail(error);
    } finally {
      stopListening();
      if (cancelling !== undefined) await this.#absorb(cancelling);
    }
  }

  /**
   * The cancelled statement may have ended by itself: an empty statement takes the cancellation instead of the next
   * one.
   */
  async #absorb(cancelling: Promise<void>): Promise<void> {
    await cancelling.catch(() => {});
    await this.#orEnded(this.#sql.unsafe("select 1")).catch(() => {});
  }
}

/** Values are text both ways and are read by our own parsers; parameters are text already. */
function driverTypes(bytes: () => "bytes" | "text") {
  return Object.fromEntries(
    [...parsedTypes, 1082, 1114, 1184].map((type) => {
      const parsers = { bytes: parserOf(type, "bytes"), text: parserOf(type, "text") };
      const parse = parsers.bytes === parsers.text ? parsers.bytes : (text: string): SqlValue => parsers[bytes()](text);
      const serialize = (value: unknown) => value;
      return [`type${type}`, { to: type, from: [type], parse, serialize }];
    }),
  );
}

/** A URL may name the folder of a socket as `?host=/folder`, which the driver would take for a setting. */
function hostOf(url: string): { readonly host?: string } {
  const host = new URL(url).searchParams.get("host");
  return host === null ? {} : { host };
}

async function sendAll(stream: Writable, bytes: Uint8Array, onFail: (fail: (error: unknown) => void) => void) {
  const failed = new Promise<never>((_, reject) => {
    onFail(reject);
    stream.once("error", reject);
  });
  const send = async () => {
    for (let at = 0; at < bytes.length; at += copyChunk) {
      if (!stream.write(bytes.subarray(at, at + copyChunk))) await once(stream, "drain");
    }
    stream.end();
    await once(stream, "finish");
  };
  const sent = send();
  // The second of the two to end is ignored, but must not count as unhandled.
  sent.catch(() => {});
  failed.catch(() => {});
  await Promise.race([sent, failed]);
}
