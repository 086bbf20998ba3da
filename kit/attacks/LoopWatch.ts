import { mainThreadCpuMs } from "./mainThreadCpu.ts";

const intervalMs = 2;

/**
 * Measures the pieces of work on the event loop of this process, in milliseconds of CPU of its main thread. A piece is
 * the work between two timers that are due all the time: nobody else gets a turn in it.
 */
export class LoopWatch {
  #before = mainThreadCpuMs();
  #worstMs = 0;
  readonly #timer = setInterval(() => this.#mark(), intervalMs).unref();

  #mark(): void {
    const now = mainThreadCpuMs();
    this.#worstMs = Math.max(this.#worstMs, now - this.#before);
    this.#before = now;
  }

  /** The longest piece since the last call. */
  takeWorstMs(): number {
    this.#mark();
    const worst = this.#worstMs;
    this.#worstMs = 0;
    return worst;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
