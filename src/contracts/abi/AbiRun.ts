import type { JsonValue } from "../../lib/json.ts";
import type { AbiType } from "./Abi.ts";
import { AbiError } from "./errors.ts";

/** How wide integers are given: as decimal text, which JSON keeps, or as bigint. Those of up to 32 bits are numbers. */
export type Integers = "text" | "bigint";

/** Values that one conversion visits, and characters that it may produce. */
const maxVisits = 50_000;
const maxOutput = 2 * 1024 * 1024;
const maxDepth = 200;

/** One conversion between cells or stack values and JSON: the types of the ABI and what is left of the limits. */
export class AbiRun {
  readonly integers: Integers;
  readonly #types: Readonly<Record<string, AbiType>>;
  #visits = maxVisits;
  #output = maxOutput;
  #depth = 0;

  constructor(types: Readonly<Record<string, AbiType>>, integers: Integers) {
    this.#types = types;
    this.integers = integers;
  }

  /** Enters a value; a type of few words may have any number of values without a bit. */
  enter(): void {
    if (--this.#visits < 0) throw new AbiError("abi/too-large", `more than ${maxVisits} values`);
    if (++this.#depth > maxDepth) throw new AbiError("abi/too-large", `more than ${maxDepth} levels`);
  }

  leave(): void {
    this.#depth--;
  }

  spend(characters: number): void {
    this.#output -= characters;
    if (this.#output < 0) throw new AbiError("abi/too-large", `more than ${maxOutput} characters`);
  }

  /** After a layout that does not fit: the limits stay as they are used, the depth is that of before. */
  attempt<T>(run: () => T, isMisfit: (error: unknown) => boolean): T | undefined {
    const depth = this.#depth;
    try {
      return run();
    } catch (error) {
      if (!isMisfit(error)) throw error;
      this.#depth = depth;
      return undefined;
    }
  }

  named(name: string): AbiType {
    const type = Object.hasOwn(this.#types, name) ? this.#types[name] : undefined;
    if (type === undefined) throw new AbiError("abi/unknown", `the ABI has no type ${name}`);
    return type;
  }

  /** An integer whose type has this many bits. */
  integer(value: bigint, bits: number): JsonValue {
    this.spend(8);
    if (bits <= 32) return Number(value);
    return this.integers === "bigint" ? value : value.toString();
  }
}
