import type { Clock } from "../../lib/clock.ts";
import type { SqlSession } from "../store/Database.ts";
import { findFact } from "../store/schema/indexFacts.ts";
import { AccountScope } from "./AccountScope.ts";
import type { Scope } from "./Scope.ts";
import { readStored, scopeFact } from "./storedScope.ts";

/** A scope with its accounts for fast lookups. */
export interface OpenScope {
  readonly scope: Scope;
  readonly accounts: AccountScope;
}

/** How long the scope of an index is believed: another process may have made the index again. */
const believedMs = 1_000;

/** The scope of an index, read from its tables at most once a second. */
export class ScopeMemory {
  readonly #clock: Clock;
  #known: { readonly id: string | undefined; readonly open: OpenScope | undefined; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `undefined` when the index covers the whole chain. A long scope is read only when it is another one. */
  async find(session: Pick<SqlSession, "query">): Promise<OpenScope | undefined> {
    const known = this.#known;
    if (known !== undefined && this.#clock.monotonic() - known.at < believedMs) return known.open;
    const [row] = await session.query("select md5(value) as id from index_facts where name = $1", [scopeFact]);
    const id = row === undefined ? undefined : String(row.id);
    const open = known !== undefined && known.id === id ? known.open : await openStored(session, id);
    this.#known = { id, open, at: this.#clock.monotonic() };
    return open;
  }
}

async function openStored(session: Pick<SqlSession, "query">, id: string | undefined): Promise<OpenScope | undefined> {
  const text = id === undefined ? undefined : await findFact(session, scopeFact);
  if (text === undefined) return undefined;
  const scope = readStored(text);
  return { scope, accounts: new AccountScope(scope) };
}
