import type { Instruction } from "../instruction.ts";
import { commonFamilies } from "./instructions.ts";

const common = Object.values(commonFamilies).flat();

function sort(list: readonly Instruction[]): readonly Instruction[] {
  return [...list].sort((x, y) => x.first - y.first);
}

/** In the place of `knownInstructions.ts`, for the client: it begins without rare instructions. */
export const knownInstructions = { sorted: sort(common), isComplete: false };

/** Makes the rare instructions known. */
export function addInstructions(rare: readonly Instruction[]): void {
  knownInstructions.sorted = sort([...common, ...rare]);
  knownInstructions.isComplete = true;
}
