import { makeLibrary } from "../../cell/exotic.ts";
import type { Slice } from "../../cell/Slice.ts";
import type { Address } from "../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../model/Hash.ts";
import type { AbiStorage, AbiType } from "../abi/Abi.ts";
import { snakeCase } from "./declare.ts";
import { typedFields } from "./getMethod.ts";
import { loadStandardAddress, someAddress } from "./stack.ts";

/** A field of the data of a contract. */
export interface DataField<T> {
  load(slice: Slice): T;
  readonly abi: AbiType;
}

type DataFields = Readonly<Record<string, DataField<unknown>>>;
export type DataOf<F extends DataFields> = { readonly [K in keyof F]: F[K] extends DataField<infer T> ? T : never };

/** The data of contracts of these codes, field by field. */
export interface DataLayout<T> {
  readonly codes: readonly Hash[];
  /** Reads the fields; what follows them is left. */
  load(slice: Slice): T;
  readonly abi: AbiStorage;
}

/** Declares the data of contracts of these codes. */
export function dataLayout<F extends DataFields>(codes: readonly Hash[], fields: F): DataLayout<DataOf<F>> {
  const list = Object.entries(fields);
  return {
    codes,
    load: (slice) => {
      const values: Record<string, unknown> = {};
      for (const [name, field] of list) values[name] = field.load(slice);
      // Exactly the fields of F.
      return values as DataOf<F>;
    },
    abi: {
      codes: codes.flatMap(codeTexts),
      fields: list.map(([name, { abi }]) => ({ name: snakeCase(name), type: abi })),
    },
  };
}

/** Describes data that no code of ours reads; without codes it is that of the codes of the interface. */
export function describedData(
  types: Readonly<Record<string, AbiType>>,
  codes?: readonly Hash[],
): { readonly abi: AbiStorage } {
  return { abi: { fields: typedFields(types), ...(codes && { codes: codes.flatMap(codeTexts) }) } };
}

/** The code itself, and the library reference to it, in base64. */
export function codeTexts(code: Hash): readonly string[] {
  return [code, makeLibrary(code).hash()].map(hashToBase64);
}

/** An account or none, as contracts store it. */
export const storedAddress: DataField<Address | undefined> = { load: loadStandardAddress, abi: "address?" };

/** An account. */
export const storedAccount: DataField<Address> = {
  load: (slice) => someAddress(loadStandardAddress(slice)),
  abi: "address",
};
