import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import { Message } from "../../model/Message.ts";
import type { AccountRun } from "../../tvm/Executor.ts";

/** Accounts whose external messages need no key: all signature checks of their transactions succeed. */
export class Impersonated {
  readonly #accounts = new Set<Address>();

  start(address: Address): void {
    this.#accounts.add(address);
  }

  stop(address: Address): void {
    this.#accounts.delete(address);
  }

  list(): readonly Address[] {
    return [...this.#accounts].sort();
  }

  /** How a message checks signatures: in the usual way, unless it is an external one to such an account. */
  ruleFor(message: Cell, usual: AccountRun["signatures"]): Pick<AccountRun, "signatures"> {
    if (this.#accounts.size === 0) return usual === undefined ? {} : { signatures: usual };
    const { info } = loadCell(Message, message);
    if (info.kind === "externalIn" && this.#accounts.has(plainAddress(info.dest))) return { signatures: "impersonate" };
    return usual === undefined ? {} : { signatures: usual };
  }
}
