import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { methodId } from "../../model/vm/methodId.ts";
import type { VmValue, VmValues } from "../../model/vm/VmValue.ts";
import type { Abi, AbiConstructor, AbiMethod, AbiStorage } from "./Abi.ts";
import { type AbiBudget, AbiRun, type Integers } from "./AbiRun.ts";
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

/** The method of this name or number. */
export function findMethodIn({ methods = [] }: Abi, method: string | number): AbiMethod | undefined {
  return methods.find(
    ({ name, id = methodId(name) }) => name === method || id === (typeof method === "number" ? method : undefined),
  );
}

export function getMethodIn(abi: Abi, method: string | number): AbiMethod {
  const found = findMethodIn(abi, method);
  if (found === undefined) throw new AbiError("abi/unknown", `${abi.name} has no get-method ${method}`);
  return found;
}

/** Converts bodies, storage and stacks by an ABI in steps, all within one budget. */
export class AbiInSteps {
  readonly #abi: Abi;
  readonly #run: () => AbiRun;

  constructor(abi: Abi, integers: Integers, budget: AbiBudget) {
    this.#abi = abi;
    this.#run = () => new AbiRun(abi.types ?? {}, integers, budget);
  }

  /** The arguments of a get-method by their names. */
  encodeArgs(method: string | number, args: JsonObject): Steps<VmValue[]> {
    return makeStack(getMethodIn(this.#abi, method).args, args, this.#run(), "args");
  }

  decodeArgs(method: string | number, stack: VmValues): Steps<JsonObject> {
    return readStack(getMethodIn(this.#abi, method).args, stack, this.#run());
  }

  /** The results of a get-method by their names. */
  decodeResult(method: string | number, stack: VmValues): Steps<JsonObject> {
    return readStack(getMethodIn(this.#abi, method).result, stack, this.#run());
  }

  /** The same; `undefined` when the stack has other values. */
  findResult(method: string | number, stack: VmValues): Steps<JsonObject | undefined> {
    const run = this.#run();
    return attempt(readStack(getMethodIn(this.#abi, method).result, stack, run), run);
  }

  encodeResult(method: string | number, values: JsonObject): Steps<VmValue[]> {
    return makeStack(getMethodIn(this.#abi, method).result, values, this.#run(), "result");
  }

  /** The body of a message by the name of its constructor; `direction` where it is not one it accepts. */
  *encodeBody(name: string, fields: JsonObject, direction: MessageList = "receives"): Steps<Cell> {
    const message = this.#abi[direction]?.find((each) => each.name === name);
    if (message === undefined) throw new AbiError("abi/unknown", `${this.#abi.name} ${direction} no message ${name}`);
    const builder = beginCell();
    storeTag(message.tag, builder, name);
    yield* storeFields(message.fields, builder, fields, this.#run(), name);
    return builder.cell();
  }

  /**
   * The first message of these lists that the body is, to its last bit if there is one; `undefined` when it is none.
   */
  *findBody(
    body: Cell,
    directions: readonly MessageList[] = ["receives", "sends", "emits"],
  ): Steps<DecodedMessage | undefined> {
    const run = this.#run();
    let beginning: DecodedMessage | undefined;
    for (const message of directions.flatMap((direction) => this.#abi[direction] ?? [])) {
      if (run.budget.isDue()) yield;
      if (!beginsWith(body, message.tag, run)) continue;
      const decoded = yield* attempt(decodeMessage(message, body, run), run);
      if (decoded !== undefined && decoded.rest === undefined) return decoded;
      // Without a tag, a body is recognised by its end.
      if (message.tag !== undefined) beginning ??= decoded;
    }
    return beginning;
  }

  *encodeStorage(fields: JsonObject, layout = this.#abi.storage?.[0]): Steps<Cell> {
    if (layout === undefined) throw new AbiError("abi/unknown", `${this.#abi.name} has no storage`);
    const builder = beginCell();
    yield* storeFields(layout.fields, builder, fields, this.#run(), "storage");
    return builder.cell();
  }

  /** The data of a contract: by the layout of its code, otherwise by the first one of any code that fits. */
  *findStorage(data: Cell, codeHash?: string): Steps<JsonObject | undefined> {
    const run = this.#run();
    const layouts = this.#abi.storage ?? [];
    const ofCode = layouts.filter(({ codes }) => codeHash !== undefined && codes?.includes(codeHash) === true);
    for (const layout of [...ofCode, ...layouts.filter(({ codes }) => codes === undefined)]) {
      const fields = yield* attempt(loadStorage(layout, data, run), run);
      if (fields !== undefined) return fields;
    }
    return undefined;
  }
}

/** Tries a layout: `undefined` when cells are not what was expected. Limits are reported, and errors of ours thrown. */
function* attempt<T>(steps: Steps<T>, run: AbiRun): Steps<T | undefined> {
  run.attempt();
  if (run.budget.isDue()) yield;
  try {
    return yield* steps;
  } catch (error) {
    if (!isCoded(error) || isCoded(error, "abi/too-large")) throw error;
    return undefined;
  }
}

/** Cells of special kinds begin with no tag. */
function beginsWith(body: Cell, tag: string | undefined, run: AbiRun): boolean {
  return !body.isExotic && skipTag(tag, sliceOf(body), run);
}

function* decodeMessage({ name, tag, fields }: AbiConstructor, body: Cell, run: AbiRun): Steps<DecodedMessage> {
  const slice = sliceOf(body);
  skipTag(tag, slice, run);
  const decoded = { name, fields: yield* loadFields(fields, slice, run) };
  return slice.isEmpty ? decoded : { ...decoded, rest: yield* showCell(slice.loadRest(), run) };
}

function* loadStorage({ fields }: AbiStorage, data: Cell, run: AbiRun): Steps<JsonObject> {
  const slice = sliceOf(data);
  const values = yield* loadFields(fields, slice, run);
  slice.end();
  return values;
}
