import { AbiLibrary } from "../../contracts/AbiLibrary.ts";
import { interfacesOf } from "../../contracts/interfaces.ts";
import { readContractMethods } from "../../contracts/kit/contractMethods.ts";
import { toPrintable } from "../../lib/printable.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";

/** What an exit code means to the contract of an account; `undefined` when no ABI says it. */
export function findContractWords(address: Address, { account }: ShardAccount, exitCode: number): string | undefined {
  const loaded = account.load();
  const code =
    loaded.kind === "account" && loaded.storage.state.kind === "active" ? loaded.storage.state.init.code : undefined;
  if (code === undefined) return undefined;
  const codeHash = code.hash();
  const interfaces = interfacesOf({ codeHash, methods: readContractMethods(code) });
  const codec = new AbiLibrary()
    .find({ address, codeHash, interfaces })
    .find((each) => each.findError(exitCode) !== undefined);
  const words = codec?.findError(exitCode);
  return words && toPrintable(words);
}
