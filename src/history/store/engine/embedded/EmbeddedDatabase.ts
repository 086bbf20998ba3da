import { orAborted } from "../../../../lib/abort.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { throwIfAborted } from "../../../../lib/deadline.ts";
import { isCoded } from "../../../../lib/errors.ts";
import { blankRecord } from "../../../../lib/kit/blankRecord.ts";
import type { Log } from "../../../../lib/log.ts";
import { mapInPieces } from "../../../../lib/sharing/mapInPieces.ts";
import { Slots } from "../../../../lib/sharing/Slots.ts";
import { HistoryError } from "../../../errors.ts";
import type {
  Database,
  PlanMode,
  ReadOptions,
  SqlOptions,
  SqlParam,
  SqlRow,
  SqlSession,
  SqlValue,
  WriterLock,
} from "../../Database.ts";
import { copyTarget } from "../../schema/CopyBuffer.ts";
import { formatParam, readerOf } from "../../schema/values.ts";
import { type InTurn, Turns } from "../Turns.ts";
import type { EngineThread } from "./EngineThread.ts";
import type { EngineRows, EngineStatement, ThreadRequest } from "./protocol.ts";
import { vacuumOneTable } from "./vacuumNext.ts";
import { listRows, viewOf } from "./wire.ts";

/** The part of the engine's thread that the database uses. */
type Engine = Pick<EngineThread, "opened" | "gone" | "isAlive" | "send" | "destroy">;

export interface EmbeddedParts {
  readonly clock: Clock;
  readonly log: Log;
  openThread(): Engine;
  /** The shortest time limit of a statement, whatever its caller wants. */
  readonly patienceMs: number;
  /** Throws when there is no disk space to write. */
  refuseFull(): void;
  onClose(): void;
}

/**
 * The built-in engine: one session in a thread, which readers and the writer take in turns. Readers share one
 * transaction: nothing is written while it is open, so each of them sees the newest state. The engine cannot be
 * interrupted, neither by `statement_timeout` nor from outside. A statement that exceeds its time limit ends with its
 * thread, and the database is opened again from its files, as after a crash; no other transaction is open at that
 * moment, so only the statement is lost. Reopening costs everybody time, so a caller with a short deadline cannot cause
 * it: the caller leaves, and its statement may use the common limit.
 */
export class EmbeddedDatabase implements Database {
  readonly kind = "embedded";
  readonly #parts: EmbeddedParts;
  readonly #turns: Turns;
  readonly #writerLock = new Slots({ total: 1 });
  #thread: Engine;
  /** The thread in which the transaction of readers is open. */
  #reading: Engine | undefined;
  /** Resolves when no request is in progress. */
  #lastRequest: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #writes = 0;

  static async open(parts: EmbeddedParts): Promise<EmbeddedDatabase> {
    const database = new EmbeddedDatabase(parts);
    await database.#thread.opened;
    await database.#session({}).run(settings);
    return database;
  }

  private constructor(parts: EmbeddedParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.clock, () => this.#endReading());
    this.#thread = parts.openThread();
  }

  query(sql: string, params: readonly SqlParam[] = [], options: SqlOptions = {}): Promise<readonly SqlRow[]> {
    return this.#read(options, (inTurn, leave) =>
      inTurn(async () => {
        await this.#revive();
        return this.#undoFailure(() => this.#session(options, leave).query(sql, params));
      }),
    );
  }

  /** The work may be run again from its beginning, see `Turns`. */
  read<T>(work: (session: SqlSession) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    return this.#read(options, (inTurn, leave) => work(this.#readingSession(inTurn, options, leave)));
  }

  async write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const done = await this.#write(() => transact(this.#transaction(), work));
    this.#writes += 1;
    if (this.#writes % writesBetweenTending === 0) this.#tend();
    return done;
  }

  runAlone(sql: string): Promise<void> {
    return this.#write((session) => session.run(sql));
  }

  /** The lock file of the folder keeps other processes out; writers of this process wait for each other here. */
  async lockWriter(signal?: AbortSignal): Promise<WriterLock> {
    await this.#writerLock.take({ signal });
    const lost = new AbortController().signal;
    let release = () => this.#writerLock.release();
    return {
      lost,
      release: async () => {
        release();
        release = () => {};
      },
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const reason = new HistoryError("history/database", "the database is closed");
    await this.#turns.close(reason);
    try {
      if (this.#thread.isAlive) await this.#thread.send({ kind: "close" });
    } finally {
      await this.#thread.destroy(reason);
      this.#parts.onClose();
    }
  }

  /** Takes a turn like a writer; nobody waits for it. */
  #tend(): void {
    const { log } = this.#parts;
    this.#write(vacuumOneTable).then(
      (table) => table !== undefined && log.debug("vacuumed a table of the built-in database", { table }),
      (error) => this.#isClosed || log.warn("the built-in database could not be vacuumed", { error: String(error) }),
    );
  }

  #write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#turns.write(async () => {
      await this.#revive();
      this.#parts.refuseFull();
      return work(this.#session({}));
    });
  }

  /** An aborted caller leaves at once; its turn ends when its statement has ended. */
  #read<T>(options: ReadOptions, work: (inTurn: InTurn, leave: Leave) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const read = this.#turns.read((inTurn) => work(inTurn, reject), options);
      orAborted(read, options.signal).then(resolve, reject);
    });
  }

  /** A session whose statements take turns with those of other readers. */
  #readingSession(inTurn: InTurn, options: ReadOptions, leave: Leave): SqlSession {
    // Readers have many statements, whose plans depend on values.
    const session = this.#session({ ...options, plan: "made" }, leave);
    const run = <T>(statement: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        await this.#beginReading();
        return this.#undoFailure(statement);
      });
    return {
      query: (sql, params, own) => run(() => session.query(sql, params, { ...own, plan: "made" })),
      run: (...given) => run(() => session.run(...given)),
      copy: (...given) => run(() => session.copy(...given)),
      copyBinary: (...given) => run(() => session.copyBinary(...given)),
    };
  }

  /**
   * Opens the transaction of readers unless it is open. One that ended with its thread is opened again: nothing was
   * written in the meantime.
   */
  async #beginReading(): Promise<void> {
    await this.#revive();
    if (this.#reading === this.#thread) return;
    await this.#session({}).run(beginReading);
    this.#reading = this.#thread;
  }

  /** A failed statement must not end the transaction of the other readers. */
  async #undoFailure<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await statement();
    } catch (error) {
      if (this.#reading === this.#thread && this.#thread.isAlive) await this.#session({}).run(undoFailure);
      throw error;
    }
  }

  async #endReading(): Promise<void> {
    const isOpen = this.#reading === this.#thread && this.#thread.isAlive;
    this.#reading = undefined;
    if (!isOpen) return;
    // A transaction that cannot be ended ends with its thread; nothing of it is lost.
    await this.#session({})
      .run("commit")
      .catch((error: Error) => this.#thread.destroy(error));
  }

  #session(all: ReadOptions, leave: Leave = () => {}): SqlSession {
    return sessionOver((statement, timeoutMs) => this.#send(statement, timeoutMs, leave), all);
  }

  /**
   * The session of a transaction. A message to the thread and back costs both sides more than most statements do, so
   * those that nobody waits for go with the next one.
   */
  #transaction(): Transaction {
    let waiting: EngineStatement[] = [];
    const send: Send = (statement) => {
      const statements = [...waiting, statement];
      waiting = [];
      return this.#send(statements.length === 1 ? statement : { kind: "several", statements });
    };
    return {
      ...sessionOver(send),
      later: (sql, params, { plan } = {}) => {
        waiting.push(params === undefined ? { kind: "run", sql } : queryOf(sql, params, plan));
      },
      forget: () => {
        waiting = [];
      },
    };
  }

  /** The thread takes one request at a time: concurrent statements are queued. */
  #send(request: ThreadRequest, timeoutMs = 0, leave: Leave = () => {}): Promise<EngineRows | undefined> {
    const answer = this.#lastRequest.then(() => this.#sendNow(request, timeoutMs, leave));
    this.#lastRequest = answer.catch(() => {});
    return answer;
  }

  async #sendNow(request: ThreadRequest, timeoutMs: number, leave: Leave): Promise<EngineRows | undefined> {
    const thread = this.#thread;
    const answer = thread.send(request).catch((error: unknown) => {
      // After a file error the engine's in-memory state may be wrong, so it restarts from disk.
      if (error instanceof Error && isFileFailure(error)) void thread.destroy(error);
      throw error;
    });
    if (timeoutMs === 0) return answer;
    const { clock, patienceMs } = this.#parts;
    // Made only when it is late: the stack of an error takes longer than many statements.
    const makeLate = () => new HistoryError("history/timeout", `a statement took more than ${timeoutMs} ms`);
    let late: HistoryError | undefined;
    const cancelLeaving = clock.timer(timeoutMs, () => {
      late = makeLate();
      leave(late);
    });
    const cancelEnding = clock.timer(Math.max(timeoutMs, patienceMs), () => void thread.destroy(late ?? makeLate()));
    try {
      const found = await answer;
      if (late !== undefined) throw late;
      return found;
    } finally {
      cancelLeaving();
      cancelEnding();
    }
  }

  /** Opens the engine again after its thread ended. */
  async #revive(): Promise<void> {
    if (this.#thread.isAlive) return;
    await this.#thread.gone;
    this.#parts.log.warn("opening the built-in database again");
    this.#thread = this.#parts.openThread();
    await this.#thread.opened;
    await this.#session({}).run(settings);
  }
}

/**
 * File errors by SQL state: class 58 is system errors, 53000 is a lack of file descriptors. An error with a system code
 * or without a state was thrown inside the engine.
 */
function isFileFailure(error: Error): boolean {
  const isSaid = isCoded(error) && error.code.startsWith("history/") && error.code !== "history/timeout";
  return isSaid && /^(?:58|53000$|E[A-Z]{2,}|$)/.test(String(Object(error.data).state ?? ""));
}

/** Rejects for a caller whose time is up, while the statement continues. */
type Leave = (late: HistoryError) => void;

/** How many transactions are written between two vacuums. */
const writesBetweenTending = 16;

/** Statistics from a quarter of the default sample: nobody reads while a table is analyzed, and rows are wide. */
const settings =
  "set client_min_messages = warning; set plan_cache_mode = force_custom_plan; set default_statistics_target = 25";

/** All readers are in one transaction; failures of statements are undone to its beginning, which keeps its snapshot. */
const beginReading = "begin isolation level repeatable read read only; savepoint reading";
const undoFailure = "rollback to savepoint reading";

/** A session that can forget the statements that it has not sent. */
interface Transaction extends Required<SqlSession> {
  forget(): void;
}

async function transact<T>(session: Transaction, work: (session: SqlSession) => Promise<T>): Promise<T> {
  session.later("begin");
  try {
    const done = await work(session);
    await session.run("commit");
    return done;
  } catch (error) {
    session.forget();
    // A thread that ended has rolled back by itself.
    await session.run("rollback").catch(() => {});
    throw error;
  }
}

/** Sends a statement to the thread. */
type Send = (statement: EngineStatement, timeoutMs?: number) => Promise<EngineRows | undefined>;

function sessionOver(send: Send, all: ReadOptions = {}): SqlSession {
  const bytes = all.bytesAsText === true ? "text" : "bytes";
  return {
    query: async (sql, params = [], options = {}) => {
      const { timeoutMs, signal, plan } = { ...all, ...options };
      throwIfAborted(signal);
      return readRows(await send(queryOf(sql, params, plan), timeoutMs), bytes);
    },
    run: async (sql) => {
      await send({ kind: "run", sql });
    },
    copy: async (table, columns, text) => {
      const sql = `${copyTarget(table, columns)} from '/dev/blob'`;
      await send({ kind: "copy", sql, bytes: new TextEncoder().encode(text) });
    },
    copyBinary: async (table, columns, given) => {
      const sql = `${copyTarget(table, columns)} from '/dev/blob' (format binary)`;
      // The copy is handed to the thread.
      await send({ kind: "copy", sql, bytes: Uint8Array.from(given) });
    },
  };
}

function queryOf(sql: string, params: readonly SqlParam[], plan: PlanMode | undefined): EngineStatement {
  return { kind: "query", sql, params: params.map(formatParam), isKept: plan === "kept" };
}

function readRows(found: EngineRows | undefined, form: "bytes" | "text"): Promise<readonly SqlRow[]> {
  if (found === undefined) return Promise.resolve([]);
  const buffer = viewOf(found.bytes);
  const readers = found.columns.map(({ name, type }) => ({ name, read: readerOf(type, form) }));
  const blank = blankRecord(found.columns.map(({ name }) => name));
  return mapInPieces(listRows(buffer), (start) => {
    const row = { ...blank } as Record<string, SqlValue>;
    let at = start;
    for (const { name, read } of readers) {
      const length = buffer.readInt32BE(at);
      at += lengthBytes;
      if (length === absent) continue;
      row[name] = read(buffer, at, at + length);
      at += length;
    }
    return row;
  });
}

/** A field is its length and its text; a length of -1 stands for null. */
const lengthBytes = 4;
const absent = -1;
