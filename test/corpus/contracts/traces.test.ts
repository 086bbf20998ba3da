import { basename } from "node:path";
import { expect, it } from "vitest";
import type { Action } from "../../../src/contracts/engine/Action.ts";
import { classify } from "../../../src/contracts/engine/classify.ts";
import { isVisible, supportedTypes } from "../../../src/contracts/engine/visibility.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import type { Trace } from "../../../src/model/Trace.ts";
import { actionJson, flatten, sortedAction } from "../../kit/contracts/actionJson.ts";
import { gatherFacts, type RecordedInterfaces, readFacts } from "../../kit/contracts/corpusFacts.ts";
import { makeTrace, type RecordedTrace, type RecordedTransaction } from "../../kit/model/corpusTrace.ts";
import { describeCorpus, listFiles, readJson } from "../../kit/suite/corpus.ts";

type Recorded = Readonly<Record<string, unknown>>;

interface TraceFile {
  readonly input: {
    readonly trace: RecordedTrace;
    readonly transactions: readonly RecordedTransaction[];
    readonly interfaces: RecordedInterfaces;
  };
  readonly expected: {
    readonly classification_state: string;
    readonly actions: readonly Recorded[];
    readonly action_rows: readonly Recorded[];
    readonly returned_action_ids: Readonly<Record<string, readonly string[]>>;
  };
  readonly known_loss?: unknown;
}

/** Where the contract (v3-actions.md §6) chooses otherwise than the recorded service: file, path, reason. */
const knownDifferences: readonly { readonly path: RegExp; readonly reason: string }[] = [
  {
    path: /^tonstakers--ts-withdrawal-request.json stake_withdrawal_request.details.tokens_burnt$/,
    reason: "the service keeps the burnt amount but does not show it; the contract shows it",
  },
  {
    path: /^coffee--coffee-create-pool-.* coffee_create_pool_creator.details.(provided_asset|asset_1|asset_2)$/,
    reason: "the service tells the provided asset as the first of the pool's; the contract tells all three",
  },
  {
    path: /^coffee--coffee-create-pool-.* coffee_create_pool.details.pool_creator_contract$/,
    reason: "the service leaves it out; the contract fills it",
  },
  {
    path: /^coffee--coffee-withdraw-.* dex_withdraw_liquidity.details.(asset|user_jetton_wallet)_[12]$/,
    reason: "the recording has the payouts in no order, so that the service told their amounts for the wrong assets",
  },
  {
    path: /^tgbtc--tgbtc-new-key.* tgbtc_new_key.accounts/,
    reason: "the service puts the public key, which is no account, among the accounts",
  },
];

interface Difference {
  readonly file: string;
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

interface Row {
  cases: number;
  equal: number;
  /** Different only where the contract wants it so. */
  explained: number;
}

describeCorpus("classifying the recorded traces", (folder) => {
  it("gives every recorded action, with every field, and shows those that were shown", () => {
    const table = new Map<string, Row>();
    const explained = new Set<string>();
    const unexplained: Difference[] = [];
    for (const file of listFiles(folder, "traces", ".json").filter((path) => path.includes("--"))) {
      const family = basename(file).split("--")[0] ?? "";
      const row = table.get(family) ?? { cases: 0, equal: 0, explained: 0 };
      table.set(family, row);
      row.cases++;
      const differences = compareFile(folder, file);
      const unknown = differences.filter(({ path }) => findKnown(file, path) === undefined);
      if (differences.length === 0) row.equal++;
      else if (unknown.length === 0) row.explained++;
      unexplained.push(...unknown);
      for (const { path } of differences) explained.add(`${basename(file, ".json")}: ${findKnown(file, path) ?? path}`);
    }
    printTable(table);
    for (const line of explained) process.stdout.write(`not equal: ${line}\n`);
    expect(unexplained.map(describeDifference)).toEqual([]);
  });
});

function describeDifference({ file, path, expected, found }: Difference): string {
  return `${basename(file)} ${path}: expected ${show(expected)} found ${show(found)}`;
}

function findKnown(file: string, path: string): string | undefined {
  return knownDifferences.find((known) => known.path.test(`${basename(file)} ${path}`))?.reason;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}

function compareFile(folder: string, file: string): Difference[] {
  const { input, expected, known_loss } = readJson(folder, file) as TraceFile;
  const trace = makeTrace(input.trace, input.transactions);
  const { state, actions } = classify(trace, gatherFacts(trace, readFacts(input.interfaces)));
  const differences: Difference[] = [];
  const differ = (path: string, a: unknown, b: unknown) => differences.push({ file, path, expected: a, found: b });
  if (state !== expected.classification_state) differ("state", expected.classification_state, state);
  const found = new Map(actions.map((action) => [keyOf(actionJson(action, trace)), action]));
  expected.actions.forEach((recorded, index) => {
    const key = keyOf(recorded);
    const action = found.get(key);
    found.delete(key);
    if (action === undefined) differ(`${recorded.type}`, recorded.details, undefined);
    else {
      compare(recorded, action, trace, known_loss !== undefined, differ);
      compareRow(expected.action_rows[index] as Recorded, action, differ);
    }
  });
  for (const action of found.values()) differ(`extra ${action.type}`, undefined, action.details);
  for (const [set, ids] of Object.entries(expected.returned_action_ids)) {
    const shown = actions.filter((action) => isVisible(action, supportedTypes([set])));
    const shownIds = shown.map(({ id }) => hashToBase64(id)).sort();
    if (show(shownIds) !== show([...ids].sort())) differ(`returned for ${set}`, ids.length, shownIds.length);
  }
  return differences;
}

type Differ = (path: string, expected: unknown, found: unknown) => void;

function compare(recorded: Recorded, action: Action, trace: Trace, lossy: boolean, differ: Differ): void {
  const expected = withWholeNumbers(flatten(sortedAction(recorded), `${recorded.type}`));
  const found = flatten(actionJson(action, trace), `${recorded.type}`);
  for (const path of new Set([...expected.keys(), ...found.keys()])) {
    if (lossy && path.endsWith(".nft_item_index")) continue;
    const a = expected.get(path);
    const b = found.get(path);
    if (a !== b || expected.has(path) !== found.has(path)) differ(path, a, b);
  }
}

/** The recording kept some whole numbers as floats, which upstream then printed with a decimal point. */
function withWholeNumbers(fields: Map<string, unknown>): Map<string, unknown> {
  for (const [path, value] of fields) {
    const isNumber = /\.(nft_item_index|minted_item_index|price)$/.test(path);
    if (isNumber && typeof value === "string") fields.set(path, value.replace(/\.0$/, ""));
  }
  return fields;
}

/** What the answer does not show of an action but the index keeps. */
function compareRow(row: Recorded, action: Action, differ: Differ): void {
  const ancestors = [...((row.ancestor_type ?? []) as readonly string[])].sort();
  if (show(ancestors) !== show([...action.ancestors].sort()))
    differ(`${row.type} ancestors`, ancestors, action.ancestors);
  const parent = action.parentId === undefined ? null : hashToBase64(action.parentId);
  if (parent !== (row.parent_action_id ?? null)) differ(`${row.type} parent`, row.parent_action_id, parent);
}

function keyOf(action: Recorded): string {
  return `${action.action_id} ${action.type}`;
}

function printTable(table: ReadonlyMap<string, Row>): void {
  const sum = (pick: keyof Row) => [...table.values()].reduce((total, row) => total + row[pick], 0);
  const all: Row = { cases: sum("cases"), equal: sum("equal"), explained: sum("explained") };
  printLine(["family", "cases", "equal", "explained"]);
  for (const [family, { cases, equal, explained }] of [...table, ["all", all] as const])
    printLine([family, `${cases}`, `${equal}`, `${explained}`]);
}

function printLine([family = "", ...numbers]: readonly string[]): void {
  process.stdout.write(`${family.padEnd(20)}${numbers.map((text) => text.padStart(10)).join("")}\n`);
}
