import { readRoot } from "../../../cell/boc.ts";
import { fromBase64 } from "../../../lib/bytes.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../../lib/json.ts";
import { findHash, type Hash } from "../../../model/Hash.ts";
import type { Abi } from "../Abi.ts";
import { AbiError } from "../errors.ts";
import { badForm, parseAbi } from "../parseAbi.ts";
import { findJsonLine } from "./jsonLine.ts";
import { JsonPart } from "./jsonParts.ts";
import { fromTact, isTact } from "./tactAbi.ts";
import { fromTolk, isTolk } from "./tolkAbi.ts";

/** The largest file. */
const maxLength = 4 * 1024 * 1024;
const maxDepth = 64;

/** An ABI as a file has it, with the hash of the code where the file knows it. */
export interface AbiFile {
  readonly abi: Abi;
  readonly codeHash: Hash | undefined;
}

/** Reads the ABI of a file: in our form, or as Tact's or Tolk's compiler writes it. Refusals have line and reason. */
export function readAbiFile(text: string): AbiFile {
  const json = parseFile(text);
  return withLine(text, () => {
    if (typeof json !== "object" || json === null || Array.isArray(json)) throw badForm("", "an object is needed");
    // What is neither a list nor null is an object with keys of any name.
    const object = json as JsonObject;
    return { abi: parseAbi(converted(object)), codeHash: findCodeHash(object) };
  });
}

/** The hash of a code that Blueprint compiled (`*.compiled.json`); `undefined` for other files. */
export function findCompiledHash(text: string): Hash | undefined {
  const json = parseFile(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const { hash, hex } = json as JsonObject;
  return typeof hash === "string" && typeof hex === "string" ? findHash(hash) : undefined;
}

/**
 * Whether a text is what Tact's or Tolk's compiler writes as an ABI, good or bad; other JSON, and what is none, is not.
 */
export function isCompilerAbi(text: string): boolean {
  if (text.length > maxLength) return false;
  try {
    const json = parseJson(text, { maxDepth, maxLength });
    if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
    const object = json as JsonObject;
    return isTact(object) || isTolk(object);
  } catch (error) {
    if (isCoded(error, "lib/json") || isCoded(error, "lib/json-depth")) return false;
    throw error;
  }
}

function converted(object: JsonObject): JsonValue {
  const file = new JsonPart(object, "");
  if (isTact(object)) return fromTact(file);
  return isTolk(object) ? fromTolk(file) : object;
}

/** Tolk's artifacts have the code itself. */
function findCodeHash(object: JsonObject): Hash | undefined {
  const code = object.code_boc64;
  if (typeof code !== "string") return undefined;
  try {
    return readRoot(fromBase64(code), { maxBytes: maxLength, maxCells: 1 << 16, maxRoots: 1 }).hash();
  } catch (error) {
    if (isCoded(error)) throw badForm("code_boc64", error.message);
    throw error;
  }
}

function parseFile(text: string): JsonValue {
  if (text.length > maxLength)
    throw new AbiError("abi/too-large", `an ABI of ${text.length} characters; the limit is ${maxLength}`);
  try {
    return parseJson(text, { maxDepth, maxLength });
  } catch (error) {
    if (!isCoded(error, "lib/json") && !isCoded(error, "lib/json-depth")) throw error;
    const { line } = error.data;
    const data = { path: "", ...(line !== undefined && { line }) };
    throw new AbiError("abi/form", `line ${line ?? 1}: ${error.message}`, { data, cause: error });
  }
}

/** Adds the line of the part that is refused. */
function withLine<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isCoded(error, "abi/form") && !isCoded(error, "abi/recursive")) throw error;
    const { path } = error.data;
    const line = findJsonLine(text, path) ?? 1;
    throw new AbiError(error.code, `line ${line}: ${error.message}`, { data: { path, line }, cause: error });
  }
}
