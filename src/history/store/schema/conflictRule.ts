import { type Columns, columnName, type KeyedTable } from "./Table.ts";

type AnyRow = Readonly<Record<string, unknown>>;
type Key<C> = readonly (keyof C & string)[];

/** What happens when a row with the same key exists, in the same commit or in the table. */
export interface ConflictRule {
  /** Merges rows of one commit that have the same key; `undefined` writes all of them. */
  readonly merge: ((rows: readonly object[]) => readonly object[]) | undefined;
  /** The `on conflict` clause; `undefined` makes a conflict an error. */
  readonly onConflict: string | undefined;
  /** Rows that other commits may write too, in the order of their keys; see `writeRows`. */
  readonly sort?: (rows: readonly object[]) => readonly object[];
  /** By what an existing row shows that another one with its key changes nothing; only for keys of one column. */
  readonly outdated?: OutdatedRule;
}

/** An existing row, and one with the same key that is to be written. */
export interface OutdatedRule {
  readonly key: string;
  /** The columns that are compared. */
  readonly columns: readonly string[];
  readonly isOutdated: (existing: AnyRow, row: AnyRow) => boolean;
}

/** Each row is written once: a second row with its key is an error. */
export const insertOnce: ConflictRule = { merge: undefined, onConflict: undefined };

/** A rule for the rows of a table, from its declaration. */
type RuleOf<C extends Columns> = (table: KeyedTable<C>) => ConflictRule;

/** Rows with the same key are equal: the existing row stays. */
export function keepExisting({ key }: Pick<KeyedTable, "key">): ConflictRule {
  return { merge: undefined, onConflict: onConflict(key, "do nothing"), sort: sortBy(key) };
}

/** A later row replaces the existing one. */
export function replaceExisting(table: Pick<KeyedTable, "key" | "names">): ConflictRule {
  const { key } = table;
  return {
    merge: mergeBy(key, (_, later) => later),
    onConflict: onConflict(key, `do update set ${assignments(table)}`),
    sort: sortBy(key),
  };
}

/** A row replaces the existing one when its value of the column `lt` is larger. */
export function keepNewest<C extends Columns>(lt: keyof C & string): RuleOf<C> {
  return (table) => {
    const { key } = table;
    return {
      merge: mergeBy(key, newerBy(lt)),
      onConflict: onConflict(key, `do update set ${assignments(table)} where ${isNewer(lt)}`),
      sort: sortBy(key),
      ...outdatedBy(key, [lt], (existing, row) => !isOlder(existing, row, lt)),
    };
  };
}

/**
 * Like `keepNewest`, with the smallest `id` ever seen, so that rows keep the order in which accounts were first seen.
 * Columns of `untouched` have another source than the chain and are never overwritten.
 */
export function keepNewestAndFirstId<C extends Columns>(untouched: Key<C> = []): RuleOf<C> {
  const lt = "lastTransactionLt";
  return (table) => {
    const { key } = table;
    const changes = others(table, [...key, "id", ...untouched]).map(
      (name) => `"${name}" = case when ${isNewer(lt)} then excluded."${name}" else t."${name}" end`,
    );
    const update = ["id = least(t.id, excluded.id)", ...changes].join(", ");
    const newer = newerBy(lt);
    return {
      merge: mergeBy(key, (a, b) => ({ ...newer(a, b), id: (a.id as bigint) < (b.id as bigint) ? a.id : b.id })),
      onConflict: onConflict(key, `do update set ${update} where ${isNewer(lt)} or excluded.id < t.id`),
      sort: sortBy(key),
      ...outdatedBy(key, [lt, "id"], (existing, row) => !isOlder(existing, row, lt) && !isOlder(row, existing, "id")),
    };
  };
}

/** The existing row gains the columns `added` when it does not have them yet; the first of them says whether it has. */
export function addMissing<C extends Columns>(added: Key<C>): RuleOf<C> {
  const [first = ""] = added;
  const changes = added.map((name) => `"${columnName(name)}" = excluded."${columnName(name)}"`).join(", ");
  const isMissing = `t."${columnName(first)}" is null and excluded."${columnName(first)}" is not null`;
  return ({ key }) => ({
    merge: mergeBy(key, (earlier, later) => (earlier[first] === undefined ? later : earlier)),
    onConflict: onConflict(key, `do update set ${changes} where ${isMissing}`),
    sort: sortBy(key),
    ...outdatedBy(key, [first], (existing, row) => existing[first] !== undefined || row[first] === undefined),
  });
}

/** How columns of two rows with the same key are merged; null never replaces a value. */
export interface MergedColumns<C extends Columns> {
  /** The column by which one row is newer; without it the other columns of such rows are equal. */
  readonly newest?: keyof C & string;
  /** Columns that keep the largest value. */
  readonly largest: Key<C>;
  /** Columns that keep the value of the row in which the first of them is smallest. */
  readonly first?: Key<C>;
}

/** Merges an existing row with another one, with the same result in whatever order rows come. */
export function mergeColumns<C extends Columns>({ newest, largest, first = [] }: MergedColumns<C>): RuleOf<C> {
  const [earliest] = first;
  return (table) => {
    const { key } = table;
    const named = [...key, ...largest, ...first];
    const isEarlier =
      earliest &&
      `(t."${columnName(earliest)}" is null or excluded."${columnName(earliest)}" < t."${columnName(earliest)}")`;
    const change = (condition: string) => (name: string) =>
      `"${name}" = case when ${condition} then excluded."${name}" else t."${name}" end`;
    const changes = [
      ...largest.map(columnName).map((name) => `"${name}" = greatest(t."${name}", excluded."${name}")`),
      ...(isEarlier === undefined ? [] : first.map(columnName).map(change(isEarlier))),
      ...(newest === undefined ? [] : others(table, named).map(change(isNewer(newest)))),
    ];
    return {
      merge: mergeBy(key, (a, b) => {
        const merged: Record<string, unknown> = { ...(newest === undefined ? a : newerBy(newest)(a, b)) };
        for (const column of largest) merged[column] = isLess(a[column], b[column]) ? b[column] : a[column];
        const isFirst =
          earliest !== undefined && (a[earliest] === undefined || isLess(b[earliest], a[earliest], false));
        for (const column of first) merged[column] = isFirst ? b[column] : a[column];
        return merged;
      }),
      onConflict: onConflict(key, `do update set ${changes.join(", ")}`),
      sort: sortBy(key),
    };
  };
}

/** Whether one value is less than another; an absent one is less than any, unless it is not compared. */
function isLess(a: unknown, b: unknown, countsAbsent = true): boolean {
  if (a === undefined || b === undefined) return countsAbsent && b !== undefined;
  return (a as bigint) < (b as bigint);
}

function onConflict(key: readonly string[], action: string): string {
  return `on conflict (${key.map((each) => `"${columnName(each)}"`).join(", ")}) ${action}`;
}

function isNewer(lt: string): string {
  return `t."${columnName(lt)}" < excluded."${columnName(lt)}"`;
}

function assignments(table: Pick<KeyedTable, "key" | "names">): string {
  return others(table, table.key)
    .map((name) => `"${name}" = excluded."${name}"`)
    .join(", ");
}

function others(table: Pick<KeyedTable, "names">, key: readonly string[]): readonly string[] {
  const names = new Set(key.map(columnName));
  return table.names.filter((name) => !names.has(name));
}

function isOlder(a: AnyRow, b: AnyRow, column: string): boolean {
  return (a[column] as bigint) < (b[column] as bigint);
}

function outdatedBy(
  key: readonly string[],
  columns: readonly string[],
  isOutdated: OutdatedRule["isOutdated"],
): Pick<ConflictRule, "outdated"> {
  const [only, ...rest] = key;
  return only === undefined || rest.length > 0 ? {} : { outdated: { key: only, columns, isOutdated } };
}

/** Keys are texts and numbers; rows of blocks are nearly in the order of their logical times already. */
function sortBy(key: readonly string[]): (rows: readonly object[]) => readonly object[] {
  const compare = (a: AnyRow, b: AnyRow): number => {
    for (const each of key) {
      const [left, right] = [a[each] as string | number | bigint, b[each] as string | number | bigint];
      if (left < right) return -1;
      if (left > right) return 1;
    }
    return 0;
  };
  return (rows) => (rows as readonly AnyRow[]).toSorted(compare);
}

function newerBy(lt: string): (a: AnyRow, b: AnyRow) => AnyRow {
  return (a, b) => (isOlder(a, b, lt) ? b : a);
}

/** One statement cannot change a row twice, so rows with the same key are merged first. */
function mergeBy(key: readonly string[], choose: (earlier: AnyRow, later: AnyRow) => AnyRow): ConflictRule["merge"] {
  return (rows) => {
    const byKey = new Map<string, AnyRow>();
    for (const row of rows as readonly AnyRow[]) {
      const name = key.map((each) => row[each]).join();
      const earlier = byKey.get(name);
      byKey.set(name, earlier === undefined ? row : choose(earlier, row));
    }
    return byKey.size === rows.length ? rows : [...byKey.values()];
  };
}
