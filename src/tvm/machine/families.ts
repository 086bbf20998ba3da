import { instructionFamilies } from "./instructions.ts";

const families = new Map(
  Object.entries(instructionFamilies).flatMap(([family, list]) => list.map(({ name }) => [name, family] as const)),
);

/** The family of an operation as steps name it; implicit jumps and what is no instruction are `control`. */
export function familyOf(operation: string): string {
  const [name = ""] = operation.split(" ", 1);
  return families.get(name) ?? "control";
}
