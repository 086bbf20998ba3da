import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { beginningOf, type ConfirmedTrace } from "./ConfirmedReader.ts";

/** The traces of confirmed blocks, by the message that began them. */
export class ConfirmedTraces {
  readonly #traces = new Map<Hash, ConfirmedTrace>();

  find(external: Hash): ConfirmedTrace | undefined {
    return this.#traces.get(external);
  }

  listOf(account: Address): readonly ConfirmedTrace[] {
    return [...this.#traces.values()].filter(({ transactions }) =>
      transactions.some(({ row }) => row.account === account),
    );
  }

  put(trace: ConfirmedTrace): void {
    this.#traces.set(beginningOf(trace), trace);
  }

  /** The beginnings of those that have transactions in a block. */
  listIn(block: Hash): readonly Hash[] {
    return [...this.#traces]
      .filter(([, { confirmed }]) => [...confirmed.values()].includes(block))
      .map(([hash]) => hash);
  }

  /** Keeps those of which a block is left. */
  keep(isLeft: (block: Hash) => boolean): void {
    for (const [external, { confirmed }] of this.#traces)
      if (![...confirmed.values()].some(isLeft)) this.#traces.delete(external);
  }
}
