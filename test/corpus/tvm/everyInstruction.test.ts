import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { runToEnd, stackOf, VectorEnvironment } from "../../../kit/tvm/machineVectors.ts";
import { cellOf } from "../../../kit/tvm/tvmRecords.ts";
import { readUint } from "../../../src/cell/BitReader.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Instruction } from "../../../src/tvm/machine/instruction.ts";
import { instructions } from "../../../src/tvm/machine/interpreter/instructions.ts";
import type { MachineStep } from "../../../src/tvm/machine/MachineRun.ts";
import { ownCases } from "../../kit/tvm/ownCases.ts";

const opcodeBits = 24;

/** Declarations sorted by their first opcode. */
const declared = [...instructions].sort((a, b) => a.first - b.first);

/** The declaration of 24 bits of code. */
function declarationOf(opcode: number): Instruction | undefined {
  return declared.findLast(({ first, last }) => first <= opcode && opcode <= last);
}

function readOpcode({ bytes, dataAt, bitLength }: Cell, bit: number): number {
  const bits = Math.min(opcodeBits, bitLength - bit);
  return readUint(bytes, dataAt * 8 + bit, bits) << (opcodeBits - bits);
}

describeCorpusPart(
  "every declared instruction",
  ["tvm/*sweep.jsonl.gz", "tvm/*instructions*.jsonl.gz", "tvm/*programs*.jsonl.gz"],
  (folder) => {
    const environment = new VectorEnvironment(folder);

    /** Instructions of at most two bytes that the two-byte sweep runs. */
    function* metBySweep(): Iterable<Instruction> {
      const records = listFiles(folder, "tvm", "sweep.jsonl.gz").flatMap((path) => readJsonLinesGz(folder, path));
      for (const { first_byte: first, results } of records.map(asRecord)) {
        const outcomes = Object.values(asRecord(results)).map(asList);
        for (let second = 0; second < 256; second++) {
          const opcode = (Number.parseInt(asText(first), 16) << 16) | (second << 8);
          const instruction = declarationOf(opcode);
          const isRun = outcomes.some((list) => list[second] !== null && list[second] !== undefined);
          if (isRun && instruction !== undefined && instruction.bits <= 16) yield instruction;
        }
      }
    }

    function runPrograms(met: Set<Instruction | undefined>): void {
      const files = listFiles(folder, "tvm", ".jsonl.gz").filter((path) => /instructions|programs/.test(path));
      const onStep = ({ cell, bit, operation }: MachineStep): void => {
        if (!operation.startsWith("implicit")) met.add(declarationOf(readOpcode(cell, bit)));
      };
      for (const record of files.flatMap((path) => readJsonLinesGz(folder, path)).map(asRecord)) {
        const code = cellOf(record.code);
        const libraries = record.libraries === undefined ? undefined : asText(record.libraries);
        for (const { in_boc: stack, gas_limit: limit = environment.defaultGasLimit } of asList(record.runs).map(
          asRecord,
        ))
          runToEnd({ ...environment.input(code, stackOf(stack), 15, Number(limit), libraries), onStep });
      }
    }

    it("is run by a vector or by one of our own cases", () => {
      const own = ownCases.map(([opcode]) => declarationOf(Number.parseInt(opcode.padEnd(6, "0"), 16)));
      const met = new Set<Instruction | undefined>([...own, ...metBySweep()]);
      runPrograms(met);
      const left = declared.filter((each) => !met.has(each)).map(({ name, first }) => `${name} ${first.toString(16)}`);
      expect(left).toEqual([]);
    });
  },
);
