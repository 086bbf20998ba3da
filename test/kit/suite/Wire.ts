import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Clock } from "../../../src/lib/clock.ts";

/**
 * How the proxy treats traffic:
 * - `pass` forwards it;
 * - `refuse` closes all connections and accepts none;
 * - `reset` resets a connection when the client sends data;
 * - `swallow` forwards nothing; connections open at that time stay half-open forever;
 * - `garble` changes every byte of answers;
 * - `drip` sends answers at one byte per tenth of a second.
 */
export type WireMode = "pass" | "refuse" | "reset" | "swallow" | "garble" | "drip";

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  readonly backlog: Uint8Array[];
  dead: boolean;
}

const dripMs = 100;

/** A TCP proxy in front of a loopback server that simulates network faults; its port never changes. */
export class Wire {
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #port = 0;
  #mode: WireMode = "pass";
  #cancelDrip = () => {};
  /** Port of the server. */
  target: number;
  /** Number of connections so far. */
  connections = 0;

  private constructor(target: number, clock: Clock) {
    this.target = target;
    this.#clock = clock;
    this.#server = createServer((near) => this.#join(near));
  }

  static async open(target: number, clock: Clock): Promise<Wire> {
    const wire = new Wire(target, clock);
    await wire.#listen();
    wire.#port = (wire.#server.address() as AddressInfo).port;
    return wire;
  }

  get port(): number {
    return this.#port;
  }

  async set(mode: WireMode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    if (before === "refuse" && mode !== "refuse") await this.#listen();
    this.#cancelDrip();
    if (mode === "drip") this.#drip();
    for (const pair of [...this.#pairs]) {
      pair.dead ||= mode === "swallow";
      if (mode === "pass") this.#flush(pair);
    }
    if (mode === "refuse") {
      this.reset();
      await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    }
  }

  /** Resets all open connections. */
  reset(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    this.#pairs.clear();
  }

  async close(): Promise<void> {
    await this.set("refuse");
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  #join(near: Socket): void {
    this.connections += 1;
    const far = connect({ port: this.target, host: "127.0.0.1", noDelay: true });
    const pair: Pair = { near, far, backlog: [], dead: this.#mode === "swallow" };
    this.#pairs.add(pair);
    near.setNoDelay(true);
    near.on("data", (chunk) => this.#forth(pair, chunk));
    far.on("data", (chunk) => this.#back(pair, chunk));
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      one.on("error", () => {});
      one.on("close", () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
  }

  #forth(pair: Pair, chunk: Uint8Array): void {
    if (this.#mode === "reset") {
      this.#pairs.delete(pair);
      pair.near.resetAndDestroy();
      pair.far.destroy();
    } else if (!pair.dead) {
      pair.far.write(chunk);
    }
  }

  #back(pair: Pair, chunk: Uint8Array): void {
    if (pair.dead) return;
    switch (this.#mode) {
      case "garble":
        pair.near.write(chunk.map((byte) => byte ^ 0x5a));
        return;
      case "drip":
        pair.backlog.push(chunk);
        return;
      default:
        this.#flush(pair);
        pair.near.write(chunk);
    }
  }

  #flush(pair: Pair): void {
    for (const chunk of pair.backlog.splice(0)) pair.near.write(chunk);
  }

  #drip(): void {
    this.#cancelDrip = this.#clock.timer(dripMs, () => {
      for (const { near, backlog } of this.#pairs) {
        const [first] = backlog;
        if (first !== undefined) {
          near.write(first.subarray(0, 1));
          backlog.splice(0, 1, ...(first.length > 1 ? [first.subarray(1)] : []));
        }
      }
      this.#drip();
    });
  }
}
