import type { Instruction } from "../instruction.ts";
import { commonFamilies } from "./instructions.ts";

function sort(list: readonly Instruction[]): readonly Instruction[] {
  return [...list].sort((x, y) => x.first - y.first);
}

/** In the place of `knownInstructions.ts`, for the client: it begins with those that most get-methods need. */
export const knownInstructions = { sorted: sort(Object.values(commonFamilies).flat()), isComplete: false };

/** Makes instructions known; with `isComplete` there are no others. */
export function addInstructions(more: readonly Instruction[], isComplete: boolean): void {
  knownInstructions.sorted = sort([...knownInstructions.sorted, ...more]);
  knownInstructions.isComplete ||= isComplete;
}
