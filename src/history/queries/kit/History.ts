import type { AbiLibrary } from "../../../contracts/AbiLibrary.ts";
import type { FailureReporter } from "../../../contracts/engine/ClassifyFailures.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import { mapInPieces } from "../../../lib/sharing/mapInPieces.ts";
import type { Address } from "../../../model/Address.ts";
import { HistoryError } from "../../errors.ts";
import { type OpenScope, ScopeMemory } from "../../scope/ScopeMemory.ts";
import type { Database, SqlRow, SqlSession, TableLayout } from "../../store/Database.ts";
import { findIndexedHead } from "../../store/schema/indexedHead.ts";
import type { TokenType } from "../../store/schema/serviceTables.ts";
import { type Columns, type Row, readRow, type Table } from "../../store/schema/Table.ts";
import { PagePositions } from "./PagePositions.ts";
import type { Statement } from "./Statement.ts";

/** Options of answers, besides the tables. */
export interface HistoryOptions {
  /** Whether addresses are marked as testnet addresses. */
  readonly isTestnet: boolean;
  /** Whether the list of all actions has those of the chain itself: fees and rewards, with every block. */
  readonly listsSystem: boolean;
  /** Whether "now" is the time of the newest block, because the time of the chain can be moved. */
  readonly usesChainTime: boolean;
  /** The default number of items of a list. */
  readonly defaultLimit: number;
  /** The same for DNS records, auctions and staking. */
  readonly defaultDnsLimit: number;
  /** The largest number of items of a list. */
  readonly maxLimit: number;
  /** The largest offset: the database reads all rows before it. Beyond it a cursor must be used. */
  readonly maxOffset: number;
  /** From which offset on a page begins where the one before it ended, if that is remembered. */
  readonly minResumedOffset: number;
  /** Time limit of a statement, unless the request has a shorter one. */
  readonly timeoutMs: number;
  /** The most transactions of a trace that is shown with them. */
  readonly maxTraceTransactions: number;
  /** The most messages of transactions in one answer, and of a trace that is shown with its transactions. */
  readonly maxMessages: number;
  /**
   * The most messages and transactions that a hash names and that are looked up; of more, accounts' rows are searched.
   */
  readonly maxPlaces: number;
}

/** The values of the contract. */
export const contractHistory: HistoryOptions = {
  isTestnet: false,
  listsSystem: true,
  usesChainTime: false,
  defaultLimit: 10,
  defaultDnsLimit: 100,
  maxLimit: 1000,
  maxOffset: 100_000,
  minResumedOffset: 1000,
  timeoutMs: 3000,
  maxTraceTransactions: 4000,
  maxMessages: 30_000,
  maxPlaces: 10_000,
};

/** A token whose document has not been fetched yet. */
export interface MetadataRequest {
  readonly address: Address;
  readonly type: TokenType;
}

export interface HistoryModules {
  readonly database: Pick<Database, "read" | "layout">;
  /** Called with tokens whose documents are missing; must return at once. */
  readonly wantMetadata?: (wanted: readonly MetadataRequest[]) => void;
  /** Where failures of matchers are reported when an open trace is classified. */
  readonly reporter?: FailureReporter;
  readonly clock?: Clock;
  /** ABIs of one's own, which describe bodies. */
  readonly abis?: { library(): AbiLibrary };
}

/** Options of one request. */
export interface ReadingOptions {
  /** Who the request is for: callers share the database fairly. */
  readonly caller?: string | undefined;
  /** Time limit of the statements; never longer than `HistoryOptions` allows. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
  /** The newest masterchain block that the caller has seen: an older state is no answer. */
  readonly seenSeqno?: number | undefined;
  /** Whether the address book is left out. */
  readonly withoutBook?: boolean;
  /** Whether token metadata is left out. */
  readonly withoutMetadata?: boolean;
  /** Called with every statement before it is run. */
  readonly watch?: (statement: Statement) => void;
}

export type ScopeCheck = (reading: HistorySnapshot, open: OpenScope) => Promise<void>;

interface CheckedScope {
  readonly scopes: ScopeMemory;
  readonly positions: PagePositions;
  readonly check: ScopeCheck;
}

/** Queries of the index: every request reads one snapshot. */
export class History {
  readonly options: HistoryOptions;
  readonly #modules: HistoryModules;

  readonly #scopes: ScopeMemory;
  /** Where pages of lists have ended that are read by offset. */
  readonly positions: PagePositions;
  readonly #check: ScopeCheck | undefined;

  constructor(options: HistoryOptions, modules: HistoryModules, checked?: CheckedScope) {
    this.options = options;
    this.#modules = modules;
    const { clock = systemClock } = modules;
    this.#scopes = checked?.scopes ?? new ScopeMemory(clock);
    this.positions = checked?.positions ?? new PagePositions(clock, options.minResumedOffset);
    this.#check = checked?.check;
  }

  /** The same, with a check that runs first in every snapshot of an index with a scope and may refuse the request. */
  checking(check: ScopeCheck): History {
    return new History(this.options, this.#modules, { scopes: this.#scopes, positions: this.positions, check });
  }

  /** Runs the statements of one request, all on one snapshot. */
  read<T>(request: ReadingOptions, work: (reading: HistorySnapshot) => Promise<T>): Promise<T> {
    const { database, reporter, abis, wantMetadata = () => undefined, clock = systemClock } = this.#modules;
    const { signal, caller, timeoutMs = 0 } = request;
    const max = this.options.timeoutMs;
    const limits = {
      // A limit of 0 would mean no limit.
      timeoutMs: timeoutMs > 0 ? Math.min(timeoutMs, max) : max,
      ...(signal === undefined ? {} : { signal }),
    };
    const parts = {
      request,
      limits,
      wantMetadata,
      reporter,
      abis,
      clock,
      options: this.options,
      layout: database.layout ?? "single",
    };
    const read = (seenSeqno?: number): Promise<T> =>
      database.read(
        async (session) => {
          const own = { ...parts, session };
          const seqno = seenSeqno === undefined ? undefined : await findSince(session, seenSeqno);
          const findScope = () => this.#scopes.find(session);
          const snapshot = new HistorySnapshot({ ...own, seqno, findScope });
          const open = this.#check === undefined ? undefined : await findScope();
          if (open !== undefined) await this.#check?.(snapshot, open);
          return work(snapshot);
        },
        { ...limits, caller, bytesAsText: true },
      );
    return request.seenSeqno === undefined ? read() : this.#readSince(request.seenSeqno, limits, read);
  }

  /**
   * Waits until the index has a block that the caller has seen. The wait is shorter than the time of any request, so
   * that its end names its reason; where a request has less time, its deadline during the wait is the same.
   */
  async #readSince<T>(
    seqno: number,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
    read: (seqno: number) => Promise<T>,
  ): Promise<T> {
    const { clock = systemClock } = this.#modules;
    const until = clock.monotonic() + Math.min(timeoutMs, maxWaitMs);
    let behind: unknown;
    for (;;) {
      try {
        if (behind !== undefined) await clock.sleep(waitMs, signal);
        return await read(seqno);
      } catch (error) {
        if (behind !== undefined && isCoded(error, "lib/deadline")) throw behind;
        if (!isCoded(error, "history/behind") || clock.monotonic() >= until) throw error;
        behind = error;
      }
    }
  }
}

/** How long to wait before an index that is behind is looked at again. */
const waitMs = 100;
/** How long to wait for it at most. */
const maxWaitMs = 3000;

/** The newest block of a snapshot; throws "history/behind" when the caller has seen a newer one. */
async function findSince(session: Pick<SqlSession, "query">, seen: number): Promise<number> {
  const [row] = await session.query("select coalesce(max(next_seqno), 0) - 1 as seqno from segments");
  const seqno = Number(row?.seqno ?? -1);
  if (seqno >= seen) return seqno;
  throw new HistoryError(
    "history/behind",
    `the index has block ${seqno}, the request needs block ${seen}; try again in a moment`,
    {
      data: { seen },
    },
  );
}

interface ReadingParts {
  readonly session: Pick<SqlSession, "query">;
  readonly request: ReadingOptions;
  readonly limits: { readonly timeoutMs: number; readonly signal?: AbortSignal };
  readonly wantMetadata: (wanted: readonly MetadataRequest[]) => void;
  readonly reporter?: FailureReporter | undefined;
  readonly abis?: HistoryModules["abis"] | undefined;
  readonly clock: Clock;
  readonly options: HistoryOptions;
  readonly layout: TableLayout;
  /** The newest masterchain block in it, where the caller wants to know. */
  readonly seqno?: number | undefined;
  readonly findScope: () => Promise<OpenScope | undefined>;
}

/** One snapshot of the tables, for the statements of one request. */
export class HistorySnapshot {
  readonly #parts: ReadingParts;
  #messages = 0;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  get reporter(): FailureReporter | undefined {
    return this.#parts.reporter;
  }

  get options(): HistoryOptions {
    return this.#parts.options;
  }

  /** ABIs of one's own, as they are now. */
  get abis(): AbiLibrary | undefined {
    return this.#parts.abis?.library();
  }

  /** Where the tables are. */
  get layout(): TableLayout {
    return this.#parts.layout;
  }

  /** The newest masterchain block in it; known where the caller named one that it has seen. */
  get seqno(): number | undefined {
    return this.#parts.seqno;
  }

  /** The scope of the index; `undefined` when it covers the whole chain. */
  findScope(): Promise<OpenScope | undefined> {
    return this.#parts.findScope();
  }

  /** The current time in Unix seconds, as answers mean it. */
  async now(): Promise<number> {
    const { session, limits, clock, options } = this.#parts;
    const head = options.usesChainTime ? await findIndexedHead(session, limits) : undefined;
    return head?.utime ?? Math.floor(clock.now() / 1000);
  }

  get request(): ReadingOptions {
    return this.#parts.request;
  }

  /** Rows as the database returns them. */
  query(statement: Statement): Promise<readonly SqlRow[]> {
    const { session, limits, request } = this.#parts;
    const { text, params, plan } = statement;
    request.watch?.(statement);
    return session.query(text, params, { ...limits, plan });
  }

  /** Rows of one table. */
  async rows<C extends Columns>(of: Table<C>, statement: Statement): Promise<readonly Row<Table<C>>[]> {
    return mapInPieces(await this.query(statement), (row) => readRow(of, row));
  }

  /**
   * Counts messages before they are read: a contract decides how many a transaction or a trace has. Throws
   * "history/answer-size" when there are more than one answer may have.
   */
  countMessages(count: number): void {
    const { maxMessages } = this.options;
    this.#messages += count;
    if (this.#messages <= maxMessages) return;
    throw new HistoryError(
      "history/answer-size",
      `the answer has more than ${maxMessages} messages; ask for fewer transactions or traces at once, with a smaller limit, or for messages of a transaction with messages?source=…`,
      { data: { maxMessages } },
    );
  }

  /** Requests documents of tokens that have not been fetched yet. */
  want(wanted: readonly MetadataRequest[]): void {
    if (wanted.length > 0) this.#parts.wantMetadata(wanted);
  }
}
