import { type DomainCollections, domainCollections } from "../../contracts/families/dns/collections.ts";
import { findDomainCollections } from "../../contracts/families/dns/findDomainCollections.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import type { RunBlock, StateRunner } from "./StateRunner.ts";

interface KnownRoot {
  readonly keySeqno: number;
  readonly root: Promise<Address | undefined>;
  readonly collections: Promise<DomainCollections>;
}

/** The collections of domains at the current block; they follow from configuration parameter 4 and its contract. */
export class DomainRoots {
  readonly #runner: Pick<StateRunner, "getConfig" | "callerAt">;
  #known: KnownRoot | undefined;

  constructor(runner: Pick<StateRunner, "getConfig" | "callerAt">) {
    this.#runner = runner;
  }

  find(runBlock: RunBlock): Promise<DomainCollections> {
    if (this.#known?.keySeqno === runBlock.keySeqno) return this.#known.collections;
    const root = this.#findRoot(runBlock);
    const collections = root.then((address) =>
      address === undefined ? domainCollections : findDomainCollections(address, this.#runner.callerAt(runBlock)),
    );
    const known = { keySeqno: runBlock.keySeqno, root, collections };
    this.#known = known;
    collections.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return collections;
  }

  /** Forgets the collections when the root contract is among the changed accounts. */
  async forgetChanged(changed: Iterable<Address>): Promise<void> {
    const root = await this.#known?.root.catch(() => undefined);
    if (root === undefined) return;
    for (const address of changed) if (address === root) this.#known = undefined;
  }

  async #findRoot(runBlock: RunBlock): Promise<Address | undefined> {
    const root = findConfigParam(await this.#runner.getConfig(runBlock), 4);
    return root === undefined ? undefined : makeAddress(masterchain, root);
  }
}
