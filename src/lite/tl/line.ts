import { crc32 } from "../../lib/crc.ts";
import { LiteError } from "../errors.ts";

/** A parsed line of a TL scheme. */
export interface TlLine {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly type: string }[];
  readonly result: string;
}

const linePattern = /^([A-Za-z][\w.]*)(?:#([0-9a-f]{8}))?((?: \w+:(?:\([^)]*\)|\S+))*) = ([A-Za-z][\w.]*)$/;
const paramPattern = / (\w+):(\([^)]*\)|\S+)/g;

/** Parses a line in the form of the schemes: one space between parts, no semicolon. */
export function parseLine(line: string): TlLine {
  const [, name, , params, result] = linePattern.exec(line) ?? [];
  if (name === undefined || params === undefined || result === undefined)
    throw new LiteError("lite/tl-value", `not a line of a TL scheme: "${line}"`);
  return {
    name,
    params: Array.from(params.matchAll(paramPattern), ([, param = "", type = ""]) => ({ name: param, type })),
    result,
  };
}

/** The number before a boxed value: given in the line after `#`, or else the CRC-32 of the line without parentheses. */
export function constructorId(line: string): number {
  const written = linePattern.exec(line)?.[2];
  return written === undefined
    ? crc32(Buffer.from(line.replaceAll(/[()]/g, ""), "utf8"))
    : Number.parseInt(written, 16);
}
