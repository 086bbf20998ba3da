import { readRootInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { fromBase64, fromHex } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { runAtOnce, type Steps } from "../../lib/sharing/steps.ts";
import { AbiError } from "./errors.ts";

/* Values that are to be encoded, each refused with its path. */

const cellLimits = { maxBytes: 4 * 1024 * 1024, maxCells: 1 << 16, maxRoots: 1 };

export function badValue(path: string, why: string, cause?: unknown): AbiError {
  return new AbiError("abi/value", `${path}: ${why}`, { data: { path }, cause });
}

/** Runs the encoding of one value: what the room of cells refuses is a bad value here. */
export function encoding<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refused(path, error);
  }
}

export function* encodingInSteps<T>(path: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw refused(path, error);
  }
}

function refused(path: string, error: unknown): unknown {
  return isCoded(error) && !(error instanceof AbiError) ? badValue(path, error.message, error) : error;
}

const integerText = /^(-?)(0x[0-9a-f]{1,66}|[0-9]{1,80})$/i;

export function readInteger(value: JsonValue, path: string): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  const [, sign, digits] = (typeof value === "string" && integerText.exec(value)) || [];
  if (digits === undefined) throw badValue(path, "an integer is needed: a number, or decimal or 0x text");
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

export function readText(value: JsonValue, path: string): string {
  if (typeof value !== "string") throw badValue(path, "text is needed");
  return value;
}

/** A cell as a bag in base64 or hex. */
export function readCell(value: JsonValue, path: string): Cell {
  return runAtOnce(readCellInSteps(value, path));
}

export function* readCellInSteps(value: JsonValue, path: string): Steps<Cell> {
  const text = readText(value, path);
  const bytes = encoding(path, () => (/^[0-9a-f]+$/i.test(text) ? fromHex(text) : fromBase64(text)));
  return yield* encodingInSteps(path, readRootInSteps(bytes, cellLimits));
}

export function readItems(value: JsonValue, path: string): readonly JsonValue[] {
  if (!Array.isArray(value)) throw badValue(path, "a list is needed");
  return value;
}

export function readObject(value: JsonValue, path: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badValue(path, "an object is needed");
  return value as JsonObject;
}

/** The value of a field; a missing one is null, which optional types accept. */
export function fieldOf(object: JsonObject, name: string): JsonValue {
  return (Object.hasOwn(object, name) ? object[name] : undefined) ?? null;
}
