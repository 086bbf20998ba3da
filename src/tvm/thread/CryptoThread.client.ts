import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { HeavyCall } from "../crypto/heavyFunctions.ts";
import { addPackages } from "../crypto/loadPackage.client.ts";
import type { HeavyAnswer } from "./CryptoThread.ts";

/**
 * In the place of `CryptoThread.ts`, for the client: it computes on the calling thread, one call is not worth another.
 */
export class CryptoThread {
  readonly #clock: Pick<Clock, "monotonic">;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  async call(_caller: string, call: HeavyCall, signal?: AbortSignal): Promise<HeavyAnswer> {
    const [{ callHeavy }, { heavyPackages }] = await Promise.all([
      import("../crypto/heavyFunctions.ts"),
      import("../crypto/heavyPackages.client.ts"),
    ]);
    addPackages(heavyPackages);
    throwIfAborted(signal);
    const startedMs = this.#clock.monotonic();
    const value = callHeavy(call);
    return { value, spentMs: this.#clock.monotonic() - startedMs };
  }

  async close(): Promise<void> {}
}
