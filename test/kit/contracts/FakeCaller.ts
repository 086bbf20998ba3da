import type { MethodCaller } from "../../../src/contracts/kit/entity.ts";
import type { Address } from "../../../src/model/Address.ts";
import type { VmValues } from "../../../src/model/vm/VmValue.ts";

/** Answers from a table by `address method` and records the calls; all other calls fail. */
export class FakeCaller implements MethodCaller {
  readonly asked: string[] = [];
  readonly #answers: ReadonlyMap<string, VmValues>;

  constructor(answers: Readonly<Record<string, VmValues>> = {}) {
    this.#answers = new Map(Object.entries(answers));
  }

  async ask(address: Address, method: string) {
    const call = `${address} ${method}`;
    this.asked.push(call);
    const stack = this.#answers.get(call);
    return stack === undefined ? ({ kind: "failed" } as const) : ({ kind: "ok", stack } as const);
  }
}
