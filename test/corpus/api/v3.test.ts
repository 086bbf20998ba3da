import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readFormat, readJson } from "../../../kit/suite/corpus.ts";
import { asList } from "../../../kit/suite/record.ts";
import { opcodeArg, readOpcode } from "../../../src/api/v3/args/args.ts";
import { opcode } from "../../../src/api/v3/shapes/scalars.ts";
import { listDifferences, listRecorded, remakeTransaction } from "../../kit/api/v3/v3Answers.ts";

interface Reason {
  readonly at: RegExp;
  readonly words: string;
  readonly holds: (ours: unknown, theirs: unknown) => boolean;
}

const isAbsent = (_ours: unknown, theirs: unknown) => theirs === undefined;

/** Accepted differences of recorded answers, with the reason. */
const reasons: readonly Reason[] = [
  { at: /^finality$/, words: "older answers have no finality", holds: isAbsent },
  { at: /\.extra_flags$/, words: "older answers have no extra_flags", holds: isAbsent },
  { at: /\.hash_norm$/, words: "older answers have no hash_norm", holds: isAbsent },
  { at: /\.decoded_opcode$/, words: "older answers have no decoded_opcode", holds: isAbsent },
  {
    at: /\.decoded_opcode$/,
    words: "older answers have an empty name for what is unknown",
    holds: (ours, theirs) => ours === null && theirs === "",
  },
  {
    at: /\.decoded$/,
    words: "bodies that were not decoded then",
    holds: (ours, theirs) => ours !== null && theirs === null,
  },
  {
    at: /\.decoded$/,
    words: "older forms of decoded bodies, which the decoder's own test compares",
    holds: (ours, theirs) => typeof ours === "object" && typeof theirs === "object" && ours !== null,
  },
  {
    at: /^account_state_(before|after)\.extra_currencies$/,
    words: "the emulation service writes null for no other currencies",
    holds: (ours, theirs) => typeof ours === "object" && theirs === null,
  },
];

function findReason(path: string, ours: unknown, theirs: unknown): string | undefined {
  return reasons.find(({ at, holds }) => at.test(path) && holds(ours, theirs))?.words;
}

describeCorpusPart("recorded answers of v3", "api-v3/*/*.transactions.json", (folder) => {
  const files = listFiles(folder, "api-v3", ".transactions.json");

  it("are reproduced from the cells of their transactions", () => {
    const counts = new Map<string, number>();
    const unexplained: unknown[] = [];
    let transactions = 0;
    for (const path of files) {
      const answer = readJson(folder, path.replace(".transactions.json", ".response.json"));
      for (const { recorded, cell } of listRecorded(answer, readJson(folder, path))) {
        transactions += 1;
        for (const [at, ours, theirs] of listDifferences(remakeTransaction(cell, recorded), recorded)) {
          const reason = findReason(at, ours, theirs);
          if (reason === undefined) unexplained.push([path, at, ours, theirs]);
          else counts.set(reason, (counts.get(reason) ?? 0) + 1);
        }
      }
    }
    process.stdout.write(`v3 transactions made again: ${transactions}; ${JSON.stringify([...counts])}\n`);
    expect(unexplained).toEqual([]);
    expect(transactions).toBeGreaterThan(0);
  });

  it("read and show opcodes in the same forms", () => {
    const files = readFormat(folder, "messages", "opcode-forms/1");
    for (const each of files.flatMap(({ cases }) => asList(cases))) {
      const [given, signed, shown] = asList(each);
      const value = opcodeArg.decode(given, "opcode") ?? 0;
      expect([value, opcode.encode(value), readOpcode(String(given), 0) | 0]).toEqual([signed, shown, signed]);
    }
  });
});
