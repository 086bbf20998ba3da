import type { Json } from "../demoStage.ts";
import type { Filter } from "./v3Filters.ts";

export const text = (value: unknown) => String(value);
export const at = (item: Json, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (Object(value) as Json)[name], item);
export const includes = (name: string, value: unknown) => (each: Json) =>
  (each[name] as readonly unknown[]).includes(value);

/** Filters by one property with the item's own value; none when the item has no value. */
export function same(arg: string, item: Json, ...path: readonly string[]): readonly Filter[] {
  const value = at(item, ...path);
  if (value === null || value === undefined) return [];
  return [{ args: { [arg]: text(value) }, keeps: (each) => text(at(each, ...path)) === text(value) }];
}

/** The same for a parameter that takes several values. */
export function among(arg: string, item: Json, ...path: readonly string[]): readonly Filter[] {
  return same(arg, item, ...path).map((filter) => ({ ...filter, isList: true }));
}

/** Filters by both ends of a range and by the exact value; the item's own value is inside. */
export function range(args: readonly [start: string, end: string], item: Json, name: string): readonly Filter[] {
  if (item[name] === null) return [];
  const value = BigInt(text(item[name]));
  const has = (each: Json, holds: (found: bigint) => boolean) => each[name] !== null && holds(BigInt(text(each[name])));
  const [start, end] = [{ [args[0]]: text(value) }, { [args[1]]: text(value) }];
  return [
    { args: start, keeps: (each) => has(each, (found) => found >= value) },
    { args: end, keeps: (each) => has(each, (found) => found <= value) },
    { args: { ...start, ...end }, keeps: (each) => has(each, (found) => found === value) },
  ];
}

export const lts = ["start_lt", "end_lt"] as const;
export const utimes = ["start_utime", "end_utime"] as const;

/** Filters by the source, the destination or either of them. */
export function ends(arg: string, item: Json, from: string, to: string): readonly Filter[] {
  const who = text(item[from]);
  const [out, into] = [(each: Json) => each[from] === who, (each: Json) => each[to] === who];
  return [
    { args: { [arg]: who }, keeps: (each) => out(each) || into(each), isList: true },
    { args: { [arg]: who, direction: "out" }, keeps: out },
    { args: { [arg]: who, direction: "in" }, keeps: into },
  ];
}
