import { AbiLibrary } from "../../contracts/AbiLibrary.ts";
import type { AbiCodec } from "../../contracts/abi/AbiCodec.ts";
import { interfacesOf } from "../../contracts/interfaces.ts";
import { readContractMethods } from "../../contracts/kit/contractMethods.ts";
import { toPrintable } from "../../lib/printable.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";

/** Methods that the chain calls, by their numbers. */
const chainMethods: ReadonlyMap<number, string> = new Map([
  [0, "recv_internal"],
  [-1, "recv_external"],
  [-2, "run_ticktock"],
  [-3, "split_prepare"],
  [-4, "split_install"],
]);

/** What ABIs say of the contract of an account. */
export class ContractWords {
  readonly #codecs: readonly AbiCodec[];

  constructor(address: Address, { account }: ShardAccount, library = new AbiLibrary()) {
    const loaded = account.load();
    const code =
      loaded.kind === "account" && loaded.storage.state.kind === "active" ? loaded.storage.state.init.code : undefined;
    const codeHash = code?.hash();
    const interfaces = code ? interfacesOf({ codeHash, methods: readContractMethods(code) }) : [];
    this.#codecs = library.find({ address, codeHash, interfaces });
  }

  /** What an exit code means; `undefined` when no ABI says it. */
  findError(exitCode: number): string | undefined {
    for (const codec of this.#codecs) {
      const words = codec.findError(exitCode);
      if (words !== undefined) return toPrintable(words);
    }
    return undefined;
  }

  /** The name of a method by its number. */
  findMethod(id: number): string | undefined {
    const name = this.#codecs.flatMap((codec) => codec.findMethod(id)?.name ?? [])[0];
    return chainMethods.get(id) ?? (name && toPrintable(name));
  }
}
