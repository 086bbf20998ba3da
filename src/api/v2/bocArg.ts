import { readRoot, readRootInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Arg } from "../../lib/kit/arg.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { ApiError } from "../declare/errors.ts";
import { bytesArg } from "./args.ts";

/** A bag of cells as given, and its root. */
export interface BocBytes {
  readonly root: Cell;
  readonly bytes: Uint8Array;
}

/**
 * A bag of cells with one root; `field` is its name in errors. An empty text is rejected as missing, or, if `empty` is
 * "bytes", as a bag without bytes.
 */
export function bocArg(field: string, missing: string, empty: "missing" | "bytes" = "missing"): Arg<BocBytes> {
  const base = bytesArg({ missing }, empty);
  return {
    ...base,
    allowed: "a bag of cells as base64",
    decode: (value, name) => {
      const bytes = base.decode(value, name);
      return { root: readBag(bytes, field), bytes };
    },
  };
}

/** Reads a bag; errors have the texts of the API. */
export function readBag(bytes: Uint8Array, field: string): Cell {
  try {
    return readRoot(bytes);
  } catch (cause) {
    throw badBag(cause, field);
  }
}

/** The same in steps, with all hashes computed. */
export function* readBagInSteps(bytes: Uint8Array, field: string): Steps<Cell> {
  try {
    return yield* readRootInSteps(bytes);
  } catch (cause) {
    throw badBag(cause, field);
  }
}

function badBag(cause: unknown, field: string): unknown {
  return isCoded(cause)
    ? new ApiError("api/boc", `cannot deserialize bag-of-cells: ${cause.message}`, { data: { field }, cause })
    : cause;
}
