import { BagError, type Cell } from "../../cells/Cell.ts";
import { listEntries } from "../../cells/dictionary.ts";
import { formatBits, Slice } from "../../cells/Slice.ts";
import { type Field, readWhole } from "./layout.ts";
import { paramKinds } from "./paramKinds.ts";

/** A parameter for display. */
export interface Param {
  readonly id: number;
  readonly name: string;
  readonly about: string;
  readonly cell: Cell;
  /** Decoded fields; empty for an unknown layout. */
  readonly fields: readonly Field[];
}

/** All parameters of a configuration, by id. */
export function listParams(config: Cell): Param[] {
  return listEntries(config, 32)
    .map(([key, value]) => readParam(Number(BigInt.asIntN(32, key)), value.ref()))
    .toSorted((a, b) => a.id - b.id);
}

function readParam(id: number, cell: Cell): Param {
  const { name = `Parameter ${id}`, about = "" } = paramKinds[id] ?? {};
  return { id, name, about, cell, fields: readFields(id, cell) };
}

function readFields(id: number, cell: Cell): readonly Field[] {
  const kind = paramKinds[id];
  if (kind === undefined) return [];
  try {
    return readWhole(new Slice(cell), kind.layout);
  } catch (error) {
    if (error instanceof BagError) return [];
    throw error;
  }
}

export type Difference =
  | { readonly kind: "added" | "removed"; readonly param: Param }
  | { readonly kind: "changed"; readonly before: Param; readonly after: Param };

/** The differences between two configurations. */
export function compareParams(before: readonly Param[], after: readonly Param[]): Difference[] {
  const old = new Map(before.map((param) => [param.id, param]));
  const ids = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !ids.has(id)).map((param): Difference => ({ kind: "removed", param }));
  const others = after.flatMap((param): Difference[] => {
    const former = old.get(param.id);
    if (former === undefined) return [{ kind: "added", param }];
    return former.cell.hash === param.cell.hash ? [] : [{ kind: "changed", before: former, after: param }];
  });
  return [...removed, ...others];
}

/** A parameter without known fields in one line. */
export function briefCell(cell: Cell): string {
  const bits = formatBits(cell);
  const head = bits.length > 48 ? `${bits.slice(0, 48)}…` : bits;
  return `${head}${cell.refs.length > 0 ? ` and ${cell.refs.length} references` : ""}`;
}
