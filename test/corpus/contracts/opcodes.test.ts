import { expect, it } from "vitest";
import { describeCorpus, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { findOpcode, formatOpcode } from "../../../src/contracts/kit/opcodeText.ts";

interface OpcodeForms {
  readonly format: string;
  readonly cases: readonly (readonly [text: string, signed: number, shown: string])[];
}

describeCorpus("recorded forms of opcodes", (folder) => {
  const files = listFiles(folder, "messages", ".json").map((path) => readJson(folder, path) as unknown as OpcodeForms);
  const cases = files.filter(({ format }) => format === "opcode-forms/1").flatMap((file) => file.cases);

  it("are read and shown the same way", () => {
    expect(cases.length).toBeGreaterThan(0);
    for (const [text, signed, shown] of cases) {
      const opcode = findOpcode(text);
      expect([text, opcode === undefined ? undefined : opcode | 0, formatOpcode(signed)]).toEqual([
        text,
        signed,
        shown,
      ]);
    }
  });
});
