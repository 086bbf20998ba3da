import type { Cell } from "../../cell/Cell.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import { isCoded } from "../../lib/errors.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import type { LibDescr } from "../../model/Library.ts";
import { previousBlocksTuple } from "../../model/vm/previousBlocks.ts";
import type { AccountRun } from "../../tvm/Executor.ts";
import { ChainView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import { Impersonated } from "./Impersonated.ts";
import { rememberSignatures } from "./rememberSignatures.ts";

/** What code finds of the chain, the same for all that runs after one masterchain block. */
export type ChainEnvironment = Pick<AccountRun, "config" | "findLibrary" | "previousBlocks" | "signatures">;

const maxKept = 4;

/** What code finds after each of the masterchain blocks asked for last; much runs after the same one. */
export class Environments {
  readonly #ledger: Ledger;
  readonly #kept = new Map<Hash, ChainEnvironment>();
  readonly #signatures = rememberSignatures();

  /** The accounts that messages reach without their keys. */
  readonly impersonated = new Impersonated();

  readonly #onAbsent: ((library: Hash) => void) | undefined;

  /** `onAbsent` is called with libraries that a fork does not have yet. */
  constructor(ledger: Ledger, onAbsent?: (library: Hash) => void) {
    this.#ledger = ledger;
    this.#onAbsent = onAbsent;
  }

  /** After this masterchain block. */
  at(id: BlockIdExt): ChainEnvironment {
    const environment = this.#kept.get(id.rootHash) ?? this.#make(id);
    this.#kept.delete(id.rootHash);
    this.#kept.set(id.rootHash, environment);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
    return environment;
  }

  #make(id: BlockIdExt): ChainEnvironment {
    const view = new ChainView(this.#ledger, id);
    const { libraries } = view.state(id).totals.load();
    return {
      config: view.config,
      findLibrary: (hash) => this.#findLibrary(libraries, hash),
      previousBlocks: previousBlocksTuple(view.previousBlocks()),
      signatures: this.#signatures,
    };
  }

  #findLibrary(libraries: Dictionary<Hash, LibDescr>, hash: Hash): Cell | undefined {
    try {
      const library = libraries.find(hash)?.library.latest();
      if (library?.isAbsent !== true) return library;
    } catch (error) {
      if (!isCoded(error, "cell/pruned")) throw error;
    }
    this.#onAbsent?.(hash);
    return undefined;
  }
}
