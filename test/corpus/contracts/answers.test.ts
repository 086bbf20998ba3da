import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { classify } from "../../../src/contracts/classify.ts";
import { isVisible, supportedTypes } from "../../../src/contracts/visibility.ts";
import { actionJson, flatten, type JsonRecord, sortedAction } from "../../kit/contracts/actionJson.ts";
import {
  type AnsweredTrace,
  answeredFacts,
  makeAnsweredTrace,
  type TransactionBocs,
} from "../../kit/contracts/answerTrace.ts";

interface Answer {
  readonly traces?: readonly AnsweredTrace[];
  readonly metadata?: Readonly<Record<string, JsonRecord>>;
}

/**
 * Known differences between recorded answers and today's service. A line starts with the file and the time of the
 * trace.
 */
const knownDifferences: readonly { readonly line: RegExp; readonly reason: string }[] = [
  {
    line: / stake_\w+\.details\.provider: expected "tonstakers" found "liquid_staking"$/,
    reason: "recorded before the service called it liquid_staking",
  },
  {
    line: / 2024 (?:ton|jetton)_transfer\.start_(?:lt|utime): /,
    reason: "in 2024 the service counted from the receiving transaction and not from the message",
  },
  {
    line: /extra_currencies: expected null/,
    reason: "emulated answers had null where there are none",
  },
  {
    line: /^api-v3.emulated.* (?:ton_transfer is missing|auction_bid \S+ is too much) /,
    reason: "the emulator did not ask whether the receiver is an item of an auction",
  },
  {
    line: /\.details\.marketplace: expected "getgems"/,
    reason: "the names of marketplaces are kept in a table that is not public",
  },
];

/**
 * An answer does not say which action types its caller supported; the newest types did not exist in older recordings.
 */
const typeSets = ["latest", "v2"] as const;

describeCorpusPart("classifying the traces of recorded answers", "api-v3/traces/*.response.json", (folder) => {
  it("gives the same actions as the service", () => {
    const files = [
      ...listFiles(folder, "api-v3/traces", ".response.json"),
      ...listFiles(folder, "api-v3/emulated", ".response.json"),
    ];
    const differences: string[] = [];
    let traces = 0;
    let actions = 0;
    let equal = 0;
    let explained = 0;
    for (const file of files) {
      const answer = readJson(folder, file) as Answer & AnsweredTrace;
      const bocs = readJson(folder, file.replace(".response.", ".transactions.")) as TransactionBocs;
      for (const trace of answer.traces ?? [answer]) {
        if (trace.actions === undefined || trace.actions === null || trace.actions.length === 0) continue;
        traces++;
        actions += trace.actions.length;
        const [lines = []] = typeSets
          .map((types) => compareTrace(trace, bocs, answer.metadata ?? {}, types))
          .map((found) => found.map((line) => `${file} ${yearOf(trace)} ${line}`))
          .sort((a, b) => a.length - b.length);
        const unknown = lines.filter((line) => !isKnown(line));
        if (lines.length === 0) equal++;
        else if (unknown.length === 0) explained++;
        differences.push(...unknown);
      }
    }
    process.stdout.write(
      `recorded answers: ${traces} traces with ${actions} actions, ${equal} traces equal, ${explained} explained\n`,
    );
    expect(differences).toEqual([]);
  });
});

function isKnown(line: string): boolean {
  return knownDifferences.some((known) => known.line.test(line));
}

/** The year of a trace, from its transactions. */
function yearOf({ transactions }: AnsweredTrace): number {
  const [first] = Object.values(transactions);
  return new Date(Number(first?.now ?? 0) * 1_000).getUTCFullYear();
}

/** Compares only fields of the answer: older answers have fewer. */
function compareTrace(
  answer: AnsweredTrace,
  bocs: TransactionBocs,
  metadata: Readonly<Record<string, JsonRecord>>,
  types: string,
): string[] {
  const recordedActions = answer.actions ?? [];
  const trace = makeAnsweredTrace(answer, bocs);
  const { actions } = classify(trace, answeredFacts(metadata, recordedActions, trace));
  const shown = new Map(
    actions
      .filter((action) => isVisible(action, supportedTypes([types])))
      .map((action) => [
        `${action.type} ${Buffer.from(action.id, "hex").toString("base64")}`,
        actionJson(action, trace),
      ]),
  );
  const differences: string[] = [];
  for (const recorded of recordedActions) {
    const key = `${recorded.type} ${recorded.action_id}`;
    const found = shown.get(key);
    shown.delete(key);
    if (found === undefined)
      differences.push(`${recorded.type} is missing ${JSON.stringify(recorded.details).slice(0, 300)}`);
    else differences.push(...compareAction(recorded, found));
  }
  for (const [key, { details }] of shown)
    differences.push(`${key} is too much ${JSON.stringify(details).slice(0, 300)}`);
  return differences;
}

/** Only in some answers, or not determined by the trace alone. */
const notCompared: ReadonlySet<string> = new Set([
  "trace_id",
  "trace_external_hash_norm",
  "finality",
  "trace_mc_seqno_end",
]);

function compareAction(recorded: JsonRecord, jsonRecord: JsonRecord): string[] {
  const expected = flatten(sortedAction(recorded), `${recorded.type}`);
  const actual = flatten(jsonRecord, `${recorded.type}`);
  const hasAccounts = recorded.accounts !== undefined;
  return [...expected].flatMap(([path, value]) => {
    const field = path.split(".")[1] ?? "";
    if (notCompared.has(field) || (field === "accounts" && !hasAccounts)) return [];
    const other = actual.get(path);
    return other === value ? [] : [`${path}: expected ${JSON.stringify(value)} found ${JSON.stringify(other)}`];
  });
}
