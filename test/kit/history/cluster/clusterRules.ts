import { placements } from "../../../../src/history/store/migrate/distributeTables.ts";

/** A table in a `from` or `join`, by the name under which its columns stand. */
interface NamedTable {
  readonly table: string;
  readonly alias: string;
  readonly by: string;
  readonly group: string;
}

/** One query of a statement: its own words, where a query in brackets is one word, and the tables around it. */
interface QueryLevel {
  readonly words: readonly string[];
  readonly outer: readonly NamedTable[];
  readonly isLateral: boolean;
}

type Tree = string | readonly Tree[];

/** The words of a statement; texts in quotes are one word, quotes of names are left out. */
function wordsOf(sql: string): readonly string[] {
  const match = sql.replace(/--.*$/gm, "").match(/'(?:[^']|'')*'|\$\w+|[a-z_"][\w".]*|[0-9]+|[^\s\w]/gi) ?? [];
  return match.map((word) => (word.startsWith("'") ? word : word.replaceAll('"', "").toLowerCase()));
}

function treeOf(words: readonly string[]): readonly Tree[] {
  const stack: Tree[][] = [[]];
  for (const word of words) {
    const closed = word === ")" ? stack.pop() : undefined;
    if (word === "(") stack.push([]);
    else stack.at(-1)?.push(closed ?? word);
  }
  return stack[0] ?? [];
}

const setWords = new Set(["union", "intersect", "except", ";"]);
const isQuery = (tree: Tree): boolean =>
  typeof tree !== "string" &&
  (tree.includes("select") || tree.some((each) => typeof each !== "string" && isQuery(each)));

/** The parts between `union` and the like. */
function armsOf(tree: readonly Tree[]): readonly (readonly Tree[])[] {
  const arms: Tree[][] = [[]];
  for (const each of tree) {
    if (typeof each === "string" && setWords.has(each)) arms.push([]);
    else arms.at(-1)?.push(each);
  }
  return arms;
}

/** Brackets that are no query belong to the words of the query around them. */
function flatten(tree: readonly Tree[]): readonly string[] {
  return tree.flatMap((each) => (typeof each === "string" ? each : isQuery(each) ? "(query)" : flatten(each)));
}

const noAlias = new Set(
  "on where join left cross inner order group limit offset set using lateral union for as returning and".split(" "),
);
const opensTable = new Set(["from", "join", "update", "using", "into"]);

function tablesIn(words: readonly string[]): readonly NamedTable[] {
  return words.flatMap((table, at) => {
    const placement = placements.get(table);
    if (placement?.kind !== "distributed" || !opensTable.has(words[at - 1] ?? "")) return [];
    const [first = "", second = ""] = words.slice(at + 1);
    const name = first === "as" ? second : first;
    const alias = /^[a-z]\w*$/.test(name) && !noAlias.has(name) ? name : table;
    return [{ table, alias, by: placement.by, group: placement.group }];
  });
}

/** Every query of a statement, the inner ones with the tables that they may name. */
function levelsOf(tree: readonly Tree[], outer: readonly NamedTable[] = [], isLateral = false): readonly QueryLevel[] {
  return armsOf(tree).flatMap((arm) => {
    const words = flatten(arm);
    const namedTables = [...tablesIn(words), ...outer];
    return [{ words, outer, isLateral }, ...innerOf(arm, namedTables)];
  });
}

function innerOf(arm: readonly Tree[], namedTables: readonly NamedTable[]): readonly QueryLevel[] {
  return arm.flatMap((each, at) => {
    if (typeof each === "string") return [];
    return isQuery(each) ? levelsOf(each, namedTables, arm[at - 1] === "lateral") : innerOf(each, namedTables);
  });
}

/** Whether two tables are joined by the columns that say on which machine a row is. */
function isJoined(words: readonly string[], one: NamedTable, other: NamedTable): boolean {
  if (one.group !== other.group) return false;
  const [a, b] = [`${one.alias}.${one.by}`, `${other.alias}.${other.by}`];
  return words.some(
    (word, at) => word === "=" && [words[at - 1], words[at + 1]].sort().join() === [a, b].sort().join(),
  );
}

function listBrokenOf({ words, outer, isLateral }: QueryLevel): readonly string[] {
  const own = tablesIn(words);
  const [first, ...others] = own;
  if (first === undefined) return [];
  const apart = others.filter((other) => !own.some((each) => each !== other && isJoined(words, each, other)));
  const named = outer.filter(({ alias }) => words.some((word) => word.startsWith(`${alias}.`)));
  const names = new Set([...own.map(({ alias }) => alias), ...words.filter((_, at) => words[at - 1] === "(query)")]);
  const hidden = named.filter(({ alias }) => !names.has(alias));
  return [
    ...apart.map((other) => `joins ${first.table} and ${other.table}, whose rows are on different machines`),
    ...hidden
      .filter((each) => !own.some((inner) => isJoined(words, inner, each)))
      .map((each) => `looks at ${first.table} for each row of ${each.table}`),
    ...(isLateral ? [`looks at ${first.table} for each row of a list`] : []),
  ];
}

/** What a statement does that a cluster cannot do, or only by moving whole tables. */
export function listJoinsApart(sql: string): readonly string[] {
  return [...new Set(levelsOf(treeOf(wordsOf(sql))).flatMap(listBrokenOf))];
}

/**
 * Whether a statement reads a fact of the coordinator among rows of machines. Citus 13.0 loses such a result when the
 * statement changes rows of the coordinator, says so in a warning, and goes on with none.
 */
export function readsFactAmongRows(sql: string): boolean {
  const words = wordsOf(sql);
  return words.includes("index_facts") && words.some((word) => placements.get(word)?.kind === "distributed");
}

/** Whether a statement says itself in which order its rows come; an order within brackets does not. */
export function isOrdered(sql: string): boolean {
  return treeOf(wordsOf(sql)).includes("order");
}

const sessionWords: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\bset\s+(?!local\b|transaction\b)(session\s+)?[a-z_.]+\s*(=|to\b)/i, "changes a setting of the session"],
  [/\bcreate\s+(temp|temporary)\b(?![\s\S]*on commit drop)/i, "leaves a temporary table in the session"],
  [/\bpg_(try_)?advisory_lock\b/i, "locks for the session"],
  [/\b(prepare|deallocate|listen|unlisten|declare)\s+\w+/i, "needs the same session later"],
];

/** What a statement does that is lost, or found by others, when a pooler shares sessions between transactions. */
export function listSessionState(sql: string): readonly string[] {
  // `set` of an update is no setting.
  const bare = sql.replace(/'(?:[^']|'')*'/g, "''").replace(/\b(update\b[\s\S]*?\bset\b|do update set\b)/gi, "");
  return sessionWords.flatMap(([pattern, text]) => (pattern.test(bare) ? [text] : []));
}
