import type { AbiType } from "./Abi.ts";
import { AbiError } from "./errors.ts";

/** Where named types are looked up. */
export interface TypeNames {
  named(name: string): AbiType;
}

const maxWidth = 255;

/** How many places of the stack a value takes. */
export function widthOf(type: AbiType, names: TypeNames): number {
  if (typeof type === "string") return 1;
  if ("named" in type) return widthOf(names.named(type.named), names);
  if ("maybe" in type) {
    const inner = widthOf(type.maybe, names);
    return inner === 1 ? 1 : inner + 1;
  }
  if (!("struct" in type)) return 1;
  let width = 0;
  for (const field of type.struct) {
    width += widthOf(field.type, names);
    if (width > maxWidth) throw new AbiError("abi/too-large", `a value of more than ${maxWidth} places on the stack`);
  }
  return width;
}
