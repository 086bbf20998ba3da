import { LiteError } from "../../../src/lite/errors.ts";
import { parseLine } from "../../../src/lite/tl/line.ts";
import type { TlQuery, TlRecord, TlUnion } from "../../../src/lite/tl/record.ts";

/** Checks that each constructor belongs to its union and that constructor ids are unique. */
export function checkUnion(declared: TlUnion<unknown>): void {
  const variants = Object.values(declared.variants);
  const stranger = variants.find((variant) => variant.result !== declared.name);
  if (stranger !== undefined)
    throw new LiteError("lite/tl-value", `${stranger.name} is a ${stranger.result}, not a ${declared.name}`);
  if (new Set(variants.map((variant) => variant.id)).size !== variants.length)
    throw new LiteError("lite/tl-value", `${declared.name} has two constructors with one id`);
}

/**
 * Checks a declaration against its TL line: names, order, types and flags of the fields, and the answer type of a
 * function. Throws `lite/tl-value` with both sides.
 */
export function checkDeclaration(declared: TlRecord<unknown> | TlQuery<unknown, unknown>): void {
  const line = parseLine(declared.line);
  const said = line.params.map(({ name, type }) => `${fieldKey(name)}:${type}`).join(" ");
  const meant = Object.entries(declared.fields)
    .map(([key, field]) => `${key}:${"flags" in field ? `${field.flags}.${field.bit}?${field.type.name}` : field.name}`)
    .join(" ");
  if (said !== meant)
    throw new LiteError("lite/tl-value", `${line.name}: the line says "${said}", the fields say "${meant}"`);
  if ("answer" in declared && declared.answer.result !== line.result)
    throw new LiteError("lite/tl-value", `${line.name} answers ${line.result}, not ${declared.answer.result}`);
}

/** A field's name in code: `root_hash` becomes `rootHash`. */
export function fieldKey(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
