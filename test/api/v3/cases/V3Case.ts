import type { JsonObject } from "../../../../src/lib/json.ts";
import type { V3Stage } from "../../../kit/api/v3/v3Stage.ts";

type Scalar = string | number | bigint;

/** Arguments of a request by name; a list is a repeated name, or a list in a body. */
export type GivenArgs = Readonly<
  Record<string, Scalar | boolean | JsonObject | readonly (string | Readonly<Record<string, string>>)[]>
>;

/** One request with its answer; both may depend on the index. */
export interface V3Case {
  readonly note: string;
  readonly args: (stage: V3Stage) => GivenArgs;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: (stage: V3Stage) => Expected;
}

export type Expected =
  | { readonly kind: "result"; readonly result: unknown }
  /** A list under a key of the answer, each item by one of its properties. */
  | { readonly kind: "list"; readonly key: string; readonly by: string; readonly items: readonly unknown[] }
  | { readonly kind: "error"; readonly status: number; readonly error: string };

type OfStage<T> = T | ((stage: V3Stage) => T);

function ofStage<T>(value: OfStage<T>): (stage: V3Stage) => T {
  return typeof value === "function" ? (value as (stage: V3Stage) => T) : () => value;
}

/** A request with exactly this result. */
export function gives(note: string, args: OfStage<GivenArgs>, result: OfStage<unknown>): V3Case {
  const find = ofStage(result);
  return { note, args: ofStage(args), answer: (stage) => ({ kind: "result", result: find(stage) }) };
}

/** A request whose answer has a list of these, in this order. */
export function lists(
  note: string,
  args: OfStage<GivenArgs>,
  key: string,
  by: string,
  items: (stage: V3Stage) => readonly unknown[],
): V3Case {
  return { note, args: ofStage(args), answer: (stage) => ({ kind: "list", key, by, items: items(stage) }) };
}

/** A request with an error answer. */
export function refuses(note: string, args: OfStage<GivenArgs>, status: number, error: string): V3Case {
  return { note, args: ofStage(args), answer: () => ({ kind: "error", status, error }) };
}

/** The same request with headers. */
export function withHeaders(headers: Readonly<Record<string, string>>, of: V3Case): V3Case {
  return { ...of, headers };
}

type Key = number | bigint | string;

/** Sorts rows by several keys, each ascending or descending. */
export function sorted<T>(rows: readonly T[], ...keys: readonly (readonly [(row: T) => Key, "asc" | "desc"])[]): T[] {
  return rows.toSorted((one, other) => {
    for (const [key, direction] of keys) {
      const [a, b] = [key(one), key(other)];
      if (a !== b) return a < b === (direction === "asc") ? -1 : 1;
    }
    return 0;
  });
}

/** The errors that every list has. */
export function pageRefusals(
  others: OfStage<GivenArgs> = {},
  badCursor = "invalid cursor for this list: AAAA",
): readonly V3Case[] {
  const given = ofStage(others);
  const plus = (more: GivenArgs) => (stage: V3Stage) => ({ ...given(stage), ...more });
  return [
    refuses("a limit above the largest", plus({ limit: 1001 }), 422, "limit is not allowed: 1001 > 1000"),
    refuses("a limit that is no number", plus({ limit: "ten" }), 422, 'schema: error converting value for "limit"'),
    refuses(
      "several values that cannot be read",
      plus({ limit: "1.5", offset: "x" }),
      422,
      'schema: error converting value for "limit" (and 1 other error)',
    ),
    refuses(
      "a timeout and a flag that cannot be read, and a limit",
      plus({ limit: "9999999999", x_timeout: "soon", x_no_metadata: "maybe" }),
      422,
      'schema: error converting value for "limit" (and 2 other errors)',
    ),
    refuses("an unknown cursor", plus({ cursor: "AAAA" }), 422, badCursor),
  ];
}

/** The error for an invalid sort direction. */
export function sortRefusal(others: OfStage<GivenArgs> = {}): V3Case {
  const given = ofStage(others);
  return refuses("a bad sort", (stage) => ({ ...given(stage), sort: "up" }), 422, "wrong value for sort parameter");
}
