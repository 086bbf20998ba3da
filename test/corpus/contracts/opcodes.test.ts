import { expect, it } from "vitest";
import { describeCorpusPart, readFormat, reportAbsent } from "../../../kit/suite/corpus.ts";
import { findOpcode, formatOpcode } from "../../../src/contracts/kit/opcodeText.ts";

interface OpcodeForms {
  readonly cases: readonly (readonly [text: string, signed: number, shown: string])[];
}

describeCorpusPart("recorded forms of opcodes", "messages/*.json", (folder) => {
  const files = readFormat(folder, "messages", "opcode-forms/1") as unknown as OpcodeForms[];
  if (files.length === 0) reportAbsent("files of the format", ["opcode-forms/1"]);

  it("are read and shown the same way", () => {
    for (const [text, signed, shown] of files.flatMap(({ cases }) => cases)) {
      const opcode = findOpcode(text);
      expect([text, opcode === undefined ? undefined : opcode | 0, formatOpcode(signed)]).toEqual([
        text,
        signed,
        shown,
      ]);
    }
  });
});
