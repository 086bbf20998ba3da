import { createHash } from "node:crypto";
import type { AbiStore } from "../../../contracts/AbiLibrary.ts";
import { type FindSourceMap, makeSourceMap, type SourceMap } from "../../../contracts/abi/source/SourceMap.ts";
import type { Clock } from "../../../lib/clock.ts";
import { Lru } from "../../../lib/lru.ts";
import { runInTurns } from "../../../lib/sharing/steps.ts";
import { TurnBudget } from "../../../lib/TurnBudget.ts";
import type { SourceCompiler } from "./SourceCompiler.ts";

/** Characters of sources and places of maps that are kept; a place counts as much as these characters. */
const maxKept = 64 << 20;
const placeSize = 200;
/** After how long a source without a map is tried again. */
const retryMs = 600_000;

interface KnownMap {
  readonly map: Promise<SourceMap | undefined>;
  readonly retryAtMs: number;
}

/** Source maps of the sources that came with ABIs, each made once. */
export class SourceMaps {
  readonly #abis: Pick<AbiStore, "library">;
  readonly #compiler: Pick<SourceCompiler, "list">;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #known = new Lru<string, KnownMap & { readonly size: number }>({
    maxBytes: maxKept,
    sizeOf: ({ size }) => size,
  });

  readonly #turns: TurnBudget;

  constructor(
    abis: Pick<AbiStore, "library">,
    compiler: Pick<SourceCompiler, "list">,
    clock: Pick<Clock, "monotonic">,
  ) {
    this.#abis = abis;
    this.#compiler = compiler;
    this.#clock = clock;
    this.#turns = new TurnBudget(clock);
  }

  readonly find: FindSourceMap = async ({ address, codeHash }) => {
    const source = this.#abis.library().findSource({ address, codeHash, interfaces: [] });
    const map = source === undefined ? undefined : await this.#make(source);
    return map?.codeHash === codeHash ? map : undefined;
  };

  #make(source: string): Promise<SourceMap | undefined> {
    const key = createHash("sha256").update(source).digest("hex");
    const known = this.#known.find(key);
    if (known !== undefined && this.#clock.monotonic() < known.retryAtMs) return known.map;
    const map = this.#compiler.list(source).then(async (listing) => {
      const made = listing && (await runInTurns(makeSourceMap(listing), () => this.#turns.yieldIfDue()));
      const size = source.length + (made?.size ?? 0) * placeSize;
      const retryAtMs = made === undefined ? this.#clock.monotonic() + retryMs : Number.POSITIVE_INFINITY;
      this.#known.set(key, { map, retryAtMs, size });
      return made;
    });
    this.#known.set(key, { map, retryAtMs: Number.POSITIVE_INFINITY, size: source.length });
    // A failure of ours is reported to those who wait; the next one tries again.
    map.catch(() => this.#known.delete(key));
    return map;
  }
}
