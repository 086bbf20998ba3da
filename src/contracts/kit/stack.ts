import type { Cell } from "../../cell/Cell.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import type { Slice } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import { anyAddress } from "../../model/messageAddress.ts";
import { openSlice, type VmCellSlice, wholeSlice } from "../../model/vm/VmCellSlice.ts";
import type { VmValue, VmValues } from "../../model/vm/VmValue.ts";
import type { AbiFields, AbiType } from "../abi/Abi.ts";
import { snakeCase } from "./declare.ts";
import { ContractError } from "./errors.ts";

/**
 * How strictly answers are read: `exact` accepts only what the standards define, for the index; `loose` also accepts
 * extra values and addresses in cells, for display.
 */
export type Strictness = "exact" | "loose";

/** One value of a get-method's result, and how to read it; a wrong value is `contracts/not-this`. */
export interface StackField<V> {
  read(value: VmValue, closeness?: Strictness): V;
  readonly abi: AbiType;
}

type FieldsOf<F> = { readonly [K in keyof F]: F[K] extends StackField<infer V> ? V : never };

/** The whole result of a get-method, bottom first. */
export interface StackShape<V> {
  read(stack: VmValues, closeness?: Strictness): V;
  readonly abi: AbiFields;
}

/** Exactly these values, in this order; read loosely, there may be more. */
export function stack<F extends Readonly<Record<string, StackField<unknown>>>>(fields: F): StackShape<FieldsOf<F>> {
  const count = Object.keys(fields).length;
  return {
    read: (values, closeness = "exact") => {
      if (closeness === "exact" && values.length !== count)
        throw notThis(`${values.length} values instead of ${count}`);
      return readFields(fields, values, closeness);
    },
    abi: stackAbi(fields),
  };
}

/** These values, and possibly more after them. */
export function stackBeginning<F extends Readonly<Record<string, StackField<unknown>>>>(
  fields: F,
): StackShape<FieldsOf<F>> {
  return { read: (values, closeness = "exact") => readFields(fields, values, closeness), abi: stackAbi(fields) };
}

/** The fields in the ABI. */
export function stackAbi(fields: Readonly<Record<string, Pick<StackField<unknown>, "abi">>>): AbiFields {
  return Object.entries(fields).map(([name, { abi }]) => ({ name: snakeCase(name), type: abi }));
}

function readFields<F extends Readonly<Record<string, StackField<unknown>>>>(
  fields: F,
  values: VmValues,
  closeness: Strictness,
): FieldsOf<F> {
  const read = Object.entries(fields).map(([name, field], index) => {
    const value = values[index];
    if (value === undefined) throw notThis(`no value where ${name} belongs`);
    return [name, field.read(value, closeness)];
  });
  // Each entry has the value that its field reads.
  return Object.fromEntries(read) as FieldsOf<F>;
}

/** A contract is not of the examined kind. */
export function notThis(why: string): ContractError {
  return new ContractError("contracts/not-this", why);
}

function readKind<K extends VmValue["kind"]>(kind: K, value: VmValue): Extract<VmValue, { readonly kind: K }> {
  if (!isKind(kind, value)) throw notThis(`a ${value.kind} where a ${kind} belongs`);
  return value;
}

function isKind<K extends VmValue["kind"]>(kind: K, value: VmValue): value is Extract<VmValue, { readonly kind: K }> {
  return value.kind === kind;
}

export const stackInt: StackField<bigint> = { read: (value) => readKind("int", value).value, abi: "int" };

/** A number; only 0 means false. */
export const flag: StackField<boolean> = { read: (value) => stackInt.read(value) !== 0n, abi: "bool" };

/** A number that is small by nature, such as a time; one beyond 2^53 is refused. */
export const num: StackField<number> = {
  read: (value) => small(stackInt.read(value)),
  abi: "int64",
};

/** A signed 32-bit number, such as a count; a larger one is refused. */
export const num32: StackField<number> = {
  read: (value) => {
    const found = num.read(value);
    if (found !== (found | 0)) throw notThis(`${found} where a number of 32 bits belongs`);
    return found;
  },
  abi: "int32",
};

/** A number as one of up to 53 bits. */
export function small(value: bigint): number {
  const found = Number(value);
  if (!Number.isSafeInteger(found)) throw notThis(`${value} where a small number belongs`);
  return found;
}

export const cell: StackField<Cell> = { read: (value) => readKind("cell", value).cell, abi: "cell" };

/** A cell with the content of a token. */
export const contentCell: StackField<Cell> = { ...cell, abi: "content" };

export const slice: StackField<VmCellSlice> = {
  read: (value, closeness) =>
    closeness === "loose" && value.kind === "cell" ? wholeSlice(value.cell) : readKind("slice", value).slice,
  abi: "slice",
};

/** Null means that there is no value. */
export function orNull<V>(field: StackField<V>): StackField<V | undefined> {
  return {
    read: (value, closeness) => (value.kind === "null" ? undefined : field.read(value, closeness)),
    abi: { maybe: field.abi },
  };
}

/** An account or none. */
export function loadStandardAddress(from: Slice): Address | undefined {
  const found = anyAddress.load(from);
  if (found !== undefined && typeof found !== "string") throw notThis("an address of a rare kind");
  return found;
}

export const addressOrNone: StackField<Address | undefined> = {
  read: (value, closeness) => {
    const opened = openSlice(slice.read(value, closeness));
    const standardAddress = loadStandardAddress(opened);
    if (closeness !== "loose") opened.end();
    return standardAddress;
  },
  abi: "address?",
};

export const stackAddress: StackField<Address> = {
  read: (value, closeness) => someAddress(addressOrNone.read(value, closeness)),
  abi: "address",
};

/** An address that must be an account. */
export function someAddress(address: Address | undefined): Address {
  if (address === undefined) throw notThis("no account where one is expected");
  return address;
}

/** One value of this kind; `name` is its name in the ABI. */
export function single<V>(field: StackField<V>, name = "value"): StackShape<V> {
  const shape = stack({ value: field });
  return {
    read: (values, closeness) => shape.read(values, closeness).value,
    abi: [{ name: snakeCase(name), type: field.abi }],
  };
}

/** All entries of a dictionary of a contract; one with too many is none of that kind. */
export function listBounded<K, V>(dictionary: Dictionary<K, V>): [K, V][] {
  try {
    return dictionary.entries();
  } catch (error) {
    if (isCoded(error, "cell/dictionary-size")) throw notThis(error.message);
    throw error;
  }
}
