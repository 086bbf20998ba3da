import type { JsonValue } from "../../lib/json.ts";
import type { AbiType } from "./Abi.ts";
import { AbiError } from "./errors.ts";
import { widthOf } from "./stackWidth.ts";

/** How wide integers are given: as decimal text, which JSON keeps, or as bigint. Those of up to 32 bits are numbers. */
export type Integers = "text" | "bigint";

/** Values and tags that all conversions of a request visit, layouts that they try, characters that they may produce. */
const maxVisits = 50_000;
const maxAttempts = 2_000;
const maxOutput = 2 * 1024 * 1024;
const maxDepth = 200;

/** What is done in one step, a millisecond or less, in visits, and what else costs as much as so many of them. */
const stepVisits = 1_000;
const attemptVisits = 50;
const charactersPerVisit = 64;

/** What the conversions of one request may use, all together: an account may have any number of ABIs. */
export class AbiBudget {
  #visits = maxVisits;
  #attempts = maxAttempts;
  #output = maxOutput;
  #sinceStep = 0;

  visit(): void {
    this.#sinceStep++;
    if (--this.#visits < 0) throw new AbiError("abi/too-large", `more than ${maxVisits} values`);
  }

  spend(characters: number): void {
    this.#sinceStep += characters / charactersPerVisit;
    this.#output -= characters;
    if (this.#output < 0) throw new AbiError("abi/too-large", `more than ${maxOutput} characters`);
  }

  /** A layout that does not fit ends with an error, which takes longer than a value. */
  attempt(): void {
    this.#sinceStep += attemptVisits;
    if (--this.#attempts < 0) throw new AbiError("abi/too-large", `more than ${maxAttempts} layouts`);
  }

  /** Work that produces nothing by itself. */
  work(visits: number): void {
    this.#sinceStep += visits;
  }

  /** Whether others should have the thread now; then a step begins. */
  isDue(): boolean {
    if (this.#sinceStep < stepVisits) return false;
    this.#sinceStep = 0;
    return true;
  }
}

/** One conversion between cells or stack values and JSON: the types of the ABI and what is left of the limits. */
export class AbiRun {
  readonly integers: Integers;
  readonly budget: AbiBudget;
  readonly #types: Readonly<Record<string, AbiType>>;
  readonly #widths = new Map<AbiType, number>();
  #depth = 0;

  constructor(types: Readonly<Record<string, AbiType>>, integers: Integers, budget: AbiBudget) {
    this.#types = types;
    this.integers = integers;
    this.budget = budget;
  }

  /** Enters a value; a type of few words may have any number of values without a bit. */
  enter(): void {
    this.budget.visit();
    if (++this.#depth > maxDepth) throw new AbiError("abi/too-large", `more than ${maxDepth} levels`);
  }

  leave(): void {
    this.#depth--;
  }

  spend(characters: number): void {
    this.budget.spend(characters);
  }

  /** Begins to try a layout: after one that did not fit, the depth is that of before. */
  attempt(): void {
    this.#depth = 0;
    this.budget.attempt();
  }

  named(name: string): AbiType {
    const type = Object.hasOwn(this.#types, name) ? this.#types[name] : undefined;
    if (type === undefined) throw new AbiError("abi/unknown", `the ABI has no type ${name}`);
    return type;
  }

  /** How many places of the stack a value takes; a type is asked for once for each of its values. */
  width(type: AbiType): number {
    return widthOf(type, this, this.#widths);
  }

  /** An integer whose type has this many bits. */
  integer(value: bigint, bits: number): JsonValue {
    this.spend(8);
    if (bits <= 32) return Number(value);
    return this.integers === "bigint" ? value : value.toString();
  }
}
