import type { Instruction } from "../instruction.ts";
import { instructions } from "./instructions.ts";

/** The instructions that are loaded, in the order of their opcodes, and whether these are all. */
interface KnownInstructions {
  readonly sorted: readonly Instruction[];
  readonly isComplete: boolean;
}

/** Here these are all from the beginning. */
export const knownInstructions: KnownInstructions = {
  sorted: [...instructions].sort((x, y) => x.first - y.first),
  isComplete: true,
};
