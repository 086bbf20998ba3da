import type { Clock } from "../../lib/clock.ts";
import type { SqlSession } from "../store/Database.ts";
import { findFact } from "../store/facts.ts";
import { AccountScope } from "./AccountScope.ts";
import type { Scope } from "./Scope.ts";
import { readStored, scopeFact } from "./storedScope.ts";

/** A scope with its accounts for fast lookups. */
export interface OpenScope {
  readonly scope: Scope;
  readonly accounts: AccountScope;
}

/** How long the scope of an index is believed: another process may have made the index anew. */
const believedMs = 1_000;

type ReadTables = <T>(work: (session: Pick<SqlSession, "query">) => Promise<T>) => Promise<T>;

/** The scope of an index, read from its tables at most once a second. */
export class ScopeMemory {
  readonly #read: ReadTables;
  readonly #clock: Clock;
  #known: { readonly id: string | undefined; readonly open: OpenScope | undefined; readonly at: number } | undefined;
  #reading: Promise<OpenScope | undefined> | undefined;

  constructor(read: ReadTables, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** `undefined` when the index covers the whole chain. */
  async find(): Promise<OpenScope | undefined> {
    if (this.#known !== undefined && this.#clock.monotonic() - this.#known.at < believedMs) return this.#known.open;
    this.#reading ??= this.#look().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** A long scope is read only when it is another one. */
  #look(): Promise<OpenScope | undefined> {
    return this.#read(async (session) => {
      const [row] = await session.query("select md5(value) as id from index_facts where name = $1", [scopeFact]);
      const id = row === undefined ? undefined : String(row.id);
      const isSame = this.#known !== undefined && this.#known.id === id;
      const open = isSame ? this.#known?.open : await openStored(session, id);
      this.#known = { id, open, at: this.#clock.monotonic() };
      return open;
    });
  }
}

async function openStored(session: Pick<SqlSession, "query">, id: string | undefined): Promise<OpenScope | undefined> {
  const text = id === undefined ? undefined : await findFact(session, scopeFact);
  if (text === undefined) return undefined;
  const scope = readStored(text);
  return { scope, accounts: new AccountScope(scope) };
}
