import type { AbiType } from "./Abi.ts";
import { AbiError } from "./errors.ts";

/** Where named types are looked up. */
export interface TypeNames {
  named(name: string): AbiType;
}

const maxWidth = 255;

/** How many places of the stack a value takes; `known` keeps the widths of types with parts. */
export function widthOf(type: AbiType, names: TypeNames, known = new Map<AbiType, number>()): number {
  if (typeof type === "string") return 1;
  const width = known.get(type) ?? partsWidth(type, names, known);
  known.set(type, width);
  return width;
}

function partsWidth(type: Exclude<AbiType, string>, names: TypeNames, known: Map<AbiType, number>): number {
  if ("named" in type) return widthOf(names.named(type.named), names, known);
  if ("maybe" in type) {
    const inner = widthOf(type.maybe, names, known);
    return inner === 1 ? 1 : inner + 1;
  }
  if (!("struct" in type)) return 1;
  let width = 0;
  for (const field of type.struct) {
    width += widthOf(field.type, names, known);
    if (width > maxWidth) throw new AbiError("abi/too-large", `a value of more than ${maxWidth} places on the stack`);
  }
  return width;
}
