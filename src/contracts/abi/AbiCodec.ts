import type { Cell } from "../../cell/Cell.ts";
import type { JsonObject } from "../../lib/json.ts";
import { runAtOnce } from "../../lib/sharing/steps.ts";
import type { VmValue, VmValues } from "../../model/vm/VmValue.ts";
import type { Abi, AbiMethod, AbiStorage } from "./Abi.ts";
import { AbiInSteps, type DecodedMessage, findMethodIn, getMethodIn, type MessageList } from "./AbiInSteps.ts";
import { AbiBudget, type Integers } from "./AbiRun.ts";

/** Converts bodies, storage and stacks by an ABI, each conversion within limits; servers do it in steps. */
export class AbiCodec {
  readonly abi: Abi;
  readonly #integers: Integers;

  constructor(abi: Abi, { integers = "text" }: { readonly integers?: Integers } = {}) {
    this.abi = abi;
    this.#integers = integers;
  }

  /** The same conversions in steps, which use up one budget. */
  inSteps(budget = new AbiBudget()): AbiInSteps {
    return new AbiInSteps(this.abi, this.#integers, budget);
  }

  findMethod(method: string | number): AbiMethod | undefined {
    return findMethodIn(this.abi, method);
  }

  getMethod(method: string | number): AbiMethod {
    return getMethodIn(this.abi, method);
  }

  encodeArgs(method: string | number, args: JsonObject): VmValue[] {
    return runAtOnce(this.inSteps().encodeArgs(method, args));
  }

  decodeArgs(method: string | number, stack: VmValues): JsonObject {
    return runAtOnce(this.inSteps().decodeArgs(method, stack));
  }

  decodeResult(method: string | number, stack: VmValues): JsonObject {
    return runAtOnce(this.inSteps().decodeResult(method, stack));
  }

  findResult(method: string | number, stack: VmValues): JsonObject | undefined {
    return runAtOnce(this.inSteps().findResult(method, stack));
  }

  encodeResult(method: string | number, values: JsonObject): VmValue[] {
    return runAtOnce(this.inSteps().encodeResult(method, values));
  }

  encodeBody(name: string, fields: JsonObject, direction?: MessageList): Cell {
    return runAtOnce(this.inSteps().encodeBody(name, fields, direction));
  }

  findBody(body: Cell, directions?: readonly MessageList[]): DecodedMessage | undefined {
    return runAtOnce(this.inSteps().findBody(body, directions));
  }

  encodeStorage(fields: JsonObject, layout?: AbiStorage): Cell {
    return runAtOnce(this.inSteps().encodeStorage(fields, layout));
  }

  findStorage(data: Cell, codeHash?: string): JsonObject | undefined {
    return runAtOnce(this.inSteps().findStorage(data, codeHash));
  }

  /** What an exit code means. */
  findError(exitCode: number): string | undefined {
    const { errors = {} } = this.abi;
    return Object.hasOwn(errors, exitCode) ? errors[exitCode] : undefined;
  }
}
