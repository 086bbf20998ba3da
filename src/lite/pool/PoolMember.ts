import { Slots } from "../../lib/sharing/Slots.ts";
import { LiteError } from "../errors.ts";
import type { LiteServer } from "../server/LiteServer.ts";
import type { Candidate } from "./choose.ts";
import { type Health, newHealth, type ServerCondition } from "./health.ts";

/** A server given to the pool. */
export interface PoolServer {
  /** The displayed name; names are unique. */
  readonly name: string;
  /** The displayed location. */
  readonly address: string;
  /** A private server is used only for callers with private access. */
  readonly access?: "public" | "private";
  readonly server: LiteServer;
}

export interface PoolMemberOptions {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  /** Called after the condition of the server has changed. */
  readonly onCondition: (member: PoolMember, before: ServerCondition) => void;
}

/** One server of a pool: its health and its slots. */
export class PoolMember implements Candidate {
  readonly name: string;
  readonly address: string;
  readonly access: "public" | "private";
  readonly server: LiteServer;
  readonly #slots: Slots;
  readonly #maxWaiting: number;
  readonly #onCondition: PoolMemberOptions["onCondition"];
  #health: Health;
  #places: number;

  constructor({ name, address, access = "public", server }: PoolServer, options: PoolMemberOptions) {
    const { maxInFlight, maxWaiting, onCondition } = options;
    this.name = name;
    this.address = address;
    this.access = access;
    this.server = server;
    this.#slots = new Slots({ total: maxInFlight });
    this.#maxWaiting = maxWaiting;
    this.#onCondition = onCondition;
    this.#health = newHealth(maxInFlight);
    this.#places = maxInFlight;
  }

  get health(): Health {
    return this.#health;
  }

  get load(): number {
    return this.#slots.taken + this.#slots.waiting;
  }

  get inFlight(): number {
    return this.#slots.taken;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Runs the work when a slot is free; rejects with `lite/busy` if too many wait. */
  async inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!this.#slots.isFree() && this.#slots.waiting >= this.#maxWaiting)
      throw new LiteError("lite/busy", `too many queries wait for this server (limit ${this.#maxWaiting})`);
    return this.#slots.run(work, { signal });
  }

  /** The only way to change the health; queries that wait for a server that is given up go to other servers. */
  update(note: (health: Health) => Health): void {
    const before = this.#health;
    this.#health = note(before);
    const places = Math.floor(this.#health.limit);
    if (places !== this.#places) {
      this.#places = places;
      this.#slots.resize(places);
    }
    const { condition } = this.#health;
    if (condition.kind !== before.condition.kind) {
      if (condition.kind === "down" || condition.kind === "quarantined")
        this.#slots.refuseWaiting(new LiteError("lite/busy", `${this.name} went down before the query was sent`));
      this.#onCondition(this, before.condition);
    }
  }
}
