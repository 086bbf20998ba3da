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

  /** The environment of a message: signatures are not checked if it is an external one to such an account. */
  environmentFor<E extends Pick<AccountRun, "signatures">>(message: Cell, environment: E): E {
    if (this.#accounts.size === 0) return environment;
    const { info } = loadCell(Message, message);
    const isOurs = info.kind === "externalIn" && this.#accounts.has(plainAddress(info.dest));
    return isOurs ? { ...environment, signatures: "impersonate" } : environment;
  }
}
