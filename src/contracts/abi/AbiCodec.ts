import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import { methodId } from "../../model/vm/methodId.ts";
import type { VmValue, VmValues } from "../../model/vm/VmValue.ts";
import type { Abi, AbiConstructor, AbiMethod, AbiStorage } from "./Abi.ts";
import { AbiRun, type Integers } from "./AbiRun.ts";
import { showCell } from "./cellScalars.ts";
import { loadFields, skipTag, storeFields, storeTag } from "./cellValues.ts";
import { AbiError } from "./errors.ts";
import { makeStack, readStack } from "./stackValues.ts";

/** The lists of messages of an ABI. */
export type MessageList = "receives" | "sends" | "emits";

/** A decoded message: the name of its constructor and its fields. */
export interface DecodedMessage {
  readonly name: string;
  readonly fields: JsonObject;
  /** Bits and references after the fields, which many contracts ignore; a bag in base64. */
  readonly rest?: string;
}

/** Whether cells are only not what was expected: limits are reported, and errors of ours thrown. */
function isMisfit(error: unknown): boolean {
  return isCoded(error) && !isCoded(error, "abi/too-large");
}

/** Converts bodies, storage and stacks by an ABI, each conversion within limits. */
export class AbiCodec {
  readonly abi: Abi;
  readonly #integers: Integers;

  constructor(abi: Abi, { integers = "text" }: { readonly integers?: Integers } = {}) {
    this.abi = abi;
    this.#integers = integers;
  }

  /** The method of this name or number. */
  findMethod(method: string | number): AbiMethod | undefined {
    return this.abi.methods?.find(
      ({ name, id = methodId(name) }) => name === method || id === (typeof method === "number" ? method : undefined),
    );
  }

  getMethod(method: string | number): AbiMethod {
    const found = this.findMethod(method);
    if (found === undefined) throw new AbiError("abi/unknown", `${this.abi.name} has no get-method ${method}`);
    return found;
  }

  /** The arguments of a get-method by their names. */
  encodeArgs(method: string | number, args: JsonObject): VmValue[] {
    return makeStack(this.getMethod(method).args, args, this.#run(), "args");
  }

  decodeArgs(method: string | number, stack: VmValues): JsonObject {
    return readStack(this.getMethod(method).args, stack, this.#run());
  }

  /** The results of a get-method by their names. */
  decodeResult(method: string | number, stack: VmValues): JsonObject {
    return readStack(this.getMethod(method).result, stack, this.#run());
  }

  /** The same; `undefined` when the stack has other values. */
  findResult(method: string | number, stack: VmValues): JsonObject | undefined {
    return this.#run().attempt(() => this.decodeResult(method, stack), isMisfit);
  }

  encodeResult(method: string | number, values: JsonObject): VmValue[] {
    return makeStack(this.getMethod(method).result, values, this.#run(), "result");
  }

  /** The body of a message by the name of its constructor; `direction` where it is not one it accepts. */
  encodeBody(name: string, fields: JsonObject, direction: MessageList = "receives"): Cell {
    const message = this.abi[direction]?.find((each) => each.name === name);
    if (message === undefined) throw new AbiError("abi/unknown", `${this.abi.name} ${direction} no message ${name}`);
    const builder = beginCell();
    storeTag(message.tag, builder, name);
    storeFields(message.fields, builder, fields, this.#run(), name);
    return builder.cell();
  }

  /** The first message of these lists that the body is, to its last bit if there is one; `undefined` when it is none. */
  findBody(
    body: Cell,
    directions: readonly MessageList[] = ["receives", "sends", "emits"],
  ): DecodedMessage | undefined {
    const run = this.#run();
    const possible = directions
      .flatMap((direction) => this.abi[direction] ?? [])
      .filter(({ tag }) => run.attempt(() => skipTag(tag, sliceOf(body)), isMisfit) === true);
    let beginning: DecodedMessage | undefined;
    for (const message of possible) {
      const decoded = run.attempt(() => decodeMessage(message, sliceOf(body), run), isMisfit);
      if (decoded !== undefined && decoded.rest === undefined) return decoded;
      // Without a tag, a body is recognised by its end.
      if (message.tag !== undefined) beginning ??= decoded;
    }
    return beginning;
  }

  encodeStorage(fields: JsonObject, layout = this.abi.storage?.[0]): Cell {
    if (layout === undefined) throw new AbiError("abi/unknown", `${this.abi.name} has no storage`);
    const builder = beginCell();
    storeFields(layout.fields, builder, fields, this.#run(), "storage");
    return builder.cell();
  }

  /** The data of a contract: by the layout of its code, otherwise by the first one of any code that fits. */
  findStorage(data: Cell, codeHash?: string): JsonObject | undefined {
    const run = this.#run();
    const layouts = this.abi.storage ?? [];
    const ofCode = layouts.filter(({ codes }) => codeHash !== undefined && codes?.includes(codeHash) === true);
    for (const layout of [...ofCode, ...layouts.filter(({ codes }) => codes === undefined)]) {
      const fields = run.attempt(() => loadStorage(layout, sliceOf(data), run), isMisfit);
      if (fields !== undefined) return fields;
    }
    return undefined;
  }

  /** What an exit code means. */
  findError(exitCode: number): string | undefined {
    const { errors = {} } = this.abi;
    return Object.hasOwn(errors, exitCode) ? errors[exitCode] : undefined;
  }

  #run(): AbiRun {
    return new AbiRun(this.abi.types ?? {}, this.#integers);
  }
}

function decodeMessage({ name, tag, fields }: AbiConstructor, slice: Slice, run: AbiRun): DecodedMessage {
  skipTag(tag, slice);
  const decoded = { name, fields: loadFields(fields, slice, run) };
  return slice.isEmpty ? decoded : { ...decoded, rest: showCell(slice.loadRest(), run) };
}

function loadStorage({ fields }: AbiStorage, slice: Slice, run: AbiRun): JsonObject {
  const values = loadFields(fields, slice, run);
  slice.end();
  return values;
}
