import { LiteError } from "../errors.ts";
import { fieldKey, parseLine } from "./line.ts";
import type { TlQuery, TlRecord, TlUnion } from "./record.ts";

/**
 * Holds a declaration against its own line: the fields' names, order, types and flags have to be those of the line, a
 * function's answer the type the line names. Throws `lite/tl-value` with both sides.
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

/** Holds a union against its constructors: each has to belong to it, and no two may have the same number. */
export function checkUnion(declared: TlUnion<unknown>): void {
  const variants = Object.values(declared.variants);
  const stranger = variants.find((variant) => variant.result !== declared.name);
  if (stranger !== undefined)
    throw new LiteError("lite/tl-value", `${stranger.name} is a ${stranger.result}, not a ${declared.name}`);
  if (new Set(variants.map((variant) => variant.id)).size !== variants.length)
    throw new LiteError("lite/tl-value", `${declared.name} has two constructors of one number`);
}
