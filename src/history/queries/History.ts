import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Address } from "../../model/Address.ts";
import type { Database, SqlRow, SqlSession } from "../store/Database.ts";
import { type Columns, type Row, readRow, type Table } from "../store/Table.ts";
import type { TokenType } from "../store/tables.ts";
import type { Statement } from "./kit/Statement.ts";

/** What the answers of an index depend on besides its tables. */
export interface HistoryOptions {
  /** Whether addresses bear the mark of test networks. */
  readonly isTestnet: boolean;
  /** How many items a list has when nobody says. */
  readonly defaultLimit: number;
  /** The same for records of names. */
  readonly defaultDnsLimit: number;
  /** How many items a list may have. */
  readonly maxLimit: number;
  /** How long a question may take, unless it asks for less. */
  readonly timeoutMs: number;
  /** How many transactions a trace may have to be shown with them. */
  readonly maxTraceTransactions: number;
}

/** The values of the contract. */
export const contractHistory: HistoryOptions = {
  isTestnet: false,
  defaultLimit: 10,
  defaultDnsLimit: 100,
  maxLimit: 1000,
  timeoutMs: 3000,
  maxTraceTransactions: 4000,
};

/** A token whose document nobody has fetched yet. */
export interface WantedMetadata {
  readonly address: Address;
  readonly type: TokenType;
}

export interface HistoryModules {
  readonly database: Pick<Database, "read">;
  /** Told of tokens whose documents were asked for and are not there; must return at once. */
  readonly wantMetadata?: (wanted: readonly WantedMetadata[]) => void;
  /** Where failures of matchers are reported when an open trace is classified. */
  readonly reporter?: FailureReporter;
}

/** How one request wants to be answered. */
export interface ReadingOptions {
  /** How long the questions may take; never longer than `HistoryOptions` allow. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
  /** Whether the address book is left out. */
  readonly withoutBook?: boolean;
  /** Whether what is known of tokens is left out. */
  readonly withoutMetadata?: boolean;
  /** Told of every statement before it is asked. */
  readonly watch?: (statement: Statement) => void;
}

/** The index, ready to be asked: every request reads one state of it. */
export class History {
  readonly options: HistoryOptions;
  readonly #modules: HistoryModules;

  constructor(options: HistoryOptions, modules: HistoryModules) {
    this.options = options;
    this.#modules = modules;
  }

  /** Runs the questions of one request, all of which see the same state of the tables. */
  read<T>(asked: ReadingOptions, work: (reading: HistorySnapshot) => Promise<T>): Promise<T> {
    const { database, reporter, wantMetadata = () => undefined } = this.#modules;
    const { signal, timeoutMs = 0 } = asked;
    const most = this.options.timeoutMs;
    const limits = {
      // No time at all is not a limit that anybody wants.
      timeoutMs: timeoutMs > 0 ? Math.min(timeoutMs, most) : most,
      ...(signal === undefined ? {} : { signal }),
    };
    return database.read(
      (session) => {
        return work(new HistorySnapshot({ session, asked, limits, wantMetadata, reporter, options: this.options }));
      },
      { ...limits, bytesAsText: true },
    );
  }
}

interface ReadingParts {
  readonly session: Pick<SqlSession, "query">;
  readonly asked: ReadingOptions;
  readonly limits: { readonly timeoutMs: number; readonly signal?: AbortSignal };
  readonly wantMetadata: (wanted: readonly WantedMetadata[]) => void;
  readonly reporter?: FailureReporter | undefined;
  readonly options: HistoryOptions;
}

/** What the questions of one request ask: one state of the tables. */
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

  get asked(): ReadingOptions {
    return this.#parts.asked;
  }

  /** Rows as the database gives them. */
  query(statement: Statement): Promise<readonly SqlRow[]> {
    const { session, limits, asked } = this.#parts;
    const { text, params, plan } = statement;
    asked.watch?.(statement);
    return session.query(text, params, { ...limits, plan });
  }

  /** Rows of one table. */
  async rows<C extends Columns>(of: Table<C>, statement: Statement): Promise<readonly Row<Table<C>>[]> {
    return (await this.query(statement)).map((row) => readRow(of, row));
  }

  /** Asks for documents of tokens that nobody has fetched yet. */
  want(wanted: readonly WantedMetadata[]): void {
    if (wanted.length > 0) this.#parts.wantMetadata(wanted);
  }
}
