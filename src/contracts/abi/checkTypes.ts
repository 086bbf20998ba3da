import type { Abi, AbiFields, AbiType } from "./Abi.ts";
import { AbiError } from "./errors.ts";

/** Values of one type, named types counted where they are used: types of few words can mean 2^32 of them. */
const maxValues = 10_000;

/** Refuses an ABI whose types are unknown, contain themselves, or have too many parts; named types are visited once. */
export function checkTypes(abi: Abi): void {
  const check = new TypeCheck(abi.types ?? {});
  for (const [name, type] of Object.entries(abi.types ?? {})) check.size(type, `types.${name}`, [name]);
  for (const [index, { args, result }] of (abi.methods ?? []).entries()) {
    check.fields(args, `methods[${index}].args`);
    check.fields(result, `methods[${index}].result`);
  }
  for (const part of ["receives", "sends", "emits", "storage"] as const)
    for (const [index, { fields }] of (abi[part] ?? []).entries()) check.fields(fields, `${part}[${index}].fields`);
}

class TypeCheck {
  readonly #types: Readonly<Record<string, AbiType>>;
  readonly #sizes = new Map<string, number>();

  constructor(types: Readonly<Record<string, AbiType>>) {
    this.#types = types;
  }

  fields(fields: AbiFields, path: string, within: readonly string[] = []): number {
    return fields.reduce((sum, { type }, index) => sum + this.size(type, `${path}[${index}].type`, within), 1);
  }

  /** How many values a value of this type has, itself included; `within` are the named types around it. */
  size(type: AbiType, path: string, within: readonly string[]): number {
    const size = typeof type === "string" ? 1 : 1 + this.#parts(type, path, within);
    if (size > maxValues)
      throw new AbiError("abi/form", `${path}: a type of more than ${maxValues} values`, { data: { path } });
    return size;
  }

  #parts(type: Exclude<AbiType, string>, path: string, within: readonly string[]): number {
    if ("named" in type) return this.#named(type.named, `${path}.named`, within);
    if ("struct" in type) return this.fields(type.struct, `${path}.struct`, within);
    if ("tuple" in type) return this.fields(type.tuple, `${path}.tuple`, within);
    if ("dict" in type) return this.size(type.dict.value, `${path}.dict.value`, within);
    if ("hashmap" in type) return this.size(type.hashmap.value, `${path}.hashmap.value`, within);
    if ("union" in type) {
      const sizes = type.union.map(({ fields }, index) =>
        this.fields(fields, `${path}.union[${index}].fields`, within),
      );
      return sizes.reduce((sum, each) => sum + each, 0);
    }
    const [kind, inner] = Object.entries(type)[0] as [string, AbiType];
    return this.size(inner, `${path}.${kind}`, within);
  }

  #named(name: string, path: string, within: readonly string[]): number {
    if (within.includes(name)) {
      const chain = [...within.slice(within.indexOf(name)), name].join(" → ");
      throw new AbiError("abi/recursive", `${path}: a type that contains itself: ${chain}`, { data: { path } });
    }
    const known = this.#sizes.get(name);
    if (known !== undefined) return known;
    const type = Object.hasOwn(this.#types, name) ? this.#types[name] : undefined;
    if (type === undefined) throw new AbiError("abi/form", `${path}: there is no type ${name}`, { data: { path } });
    const size = this.size(type, `types.${name}`, [...within, name]);
    this.#sizes.set(name, size);
    return size;
  }
}
