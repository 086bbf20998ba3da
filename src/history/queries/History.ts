import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Address } from "../../model/Address.ts";
import type { Database, SqlRow, SqlSession, TableLayout } from "../store/Database.ts";
import { type Columns, type Row, readRow, type Table } from "../store/Table.ts";
import type { TokenType } from "../store/tables.ts";
import type { Statement } from "./kit/Statement.ts";

/** Options of answers, besides the tables. */
export interface HistoryOptions {
  /** Whether addresses are marked as testnet addresses. */
  readonly isTestnet: boolean;
  /** The default number of items of a list. */
  readonly defaultLimit: number;
  /** The same for DNS records. */
  readonly defaultDnsLimit: number;
  /** The largest number of items of a list. */
  readonly maxLimit: number;
  /** The largest offset: the database reads all rows before it. Beyond it a cursor must be used. */
  readonly maxOffset: number;
  /** Time limit of a statement, unless the request has a shorter one. */
  readonly timeoutMs: number;
  /** The most transactions of a trace that is shown with them. */
  readonly maxTraceTransactions: number;
}

/** The values of the contract. */
export const contractHistory: HistoryOptions = {
  isTestnet: false,
  defaultLimit: 10,
  defaultDnsLimit: 100,
  maxLimit: 1000,
  maxOffset: 100_000,
  timeoutMs: 3000,
  maxTraceTransactions: 4000,
};

/** A token whose document has not been fetched yet. */
export interface WantedMetadata {
  readonly address: Address;
  readonly type: TokenType;
}

export interface HistoryModules {
  readonly database: Pick<Database, "read" | "layout">;
  /** Called with tokens whose documents are missing; must return at once. */
  readonly wantMetadata?: (wanted: readonly WantedMetadata[]) => void;
  /** Where failures of matchers are reported when an open trace is classified. */
  readonly reporter?: FailureReporter;
}

/** Options of one request. */
export interface ReadingOptions {
  /** Who the request is for: one caller never holds all sessions of the database. */
  readonly caller?: string | undefined;
  /** Time limit of the statements; never longer than `HistoryOptions` allows. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
  /** Whether the address book is left out. */
  readonly withoutBook?: boolean;
  /** Whether token metadata is left out. */
  readonly withoutMetadata?: boolean;
  /** Called with every statement before it is run. */
  readonly watch?: (statement: Statement) => void;
}

/** Queries of the index: every request reads one snapshot. */
export class History {
  readonly options: HistoryOptions;
  readonly #modules: HistoryModules;

  constructor(options: HistoryOptions, modules: HistoryModules) {
    this.options = options;
    this.#modules = modules;
  }

  /** Runs the statements of one request, all on one snapshot. */
  read<T>(request: ReadingOptions, work: (reading: HistorySnapshot) => Promise<T>): Promise<T> {
    const { database, reporter, wantMetadata = () => undefined } = this.#modules;
    const { signal, timeoutMs = 0 } = request;
    const most = this.options.timeoutMs;
    const limits = {
      // A limit of 0 would mean no limit.
      timeoutMs: timeoutMs > 0 ? Math.min(timeoutMs, most) : most,
      ...(signal === undefined ? {} : { signal }),
    };
    const parts = {
      request,
      limits,
      wantMetadata,
      reporter,
      options: this.options,
      layout: database.layout ?? "single",
    };
    return database.read(
      (session) => {
        return work(new HistorySnapshot({ ...parts, session }));
      },
      { ...limits, bytesAsText: true },
    );
  }
}

interface ReadingParts {
  readonly session: Pick<SqlSession, "query">;
  readonly request: ReadingOptions;
  readonly limits: { readonly timeoutMs: number; readonly signal?: AbortSignal };
  readonly wantMetadata: (wanted: readonly WantedMetadata[]) => void;
  readonly reporter?: FailureReporter | undefined;
  readonly options: HistoryOptions;
  readonly layout: TableLayout;
}

/** One snapshot of the tables, for the statements of one request. */
export class HistorySnapshot {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  get reporter(): FailureReporter | undefined {
    return this.#parts.reporter;
  }

  get options(): HistoryOptions {
    return this.#parts.options;
  }

  /** Where the tables are. */
  get layout(): TableLayout {
    return this.#parts.layout;
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
    return (await this.query(statement)).map((row) => readRow(of, row));
  }

  /** Requests documents of tokens that have not been fetched yet. */
  want(wanted: readonly WantedMetadata[]): void {
    if (wanted.length > 0) this.#parts.wantMetadata(wanted);
  }
}
