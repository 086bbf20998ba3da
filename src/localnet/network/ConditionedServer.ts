import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { LiteError } from "../../lite/errors.ts";
import type { AskOptions, LiteServer } from "../../lite/server/LiteServer.ts";
import { sendMessage } from "../../lite/tl/liteQueries.ts";
import { serverError } from "../../lite/tl/liteRecords.ts";
import { decodeQuery } from "../../lite/tl/queryEnvelope.ts";
import { encode } from "../../lite/tl/types.ts";
import { refusalCode } from "../answers/kit/refusal.ts";

/** How badly a network answers. Shares are in percent. */
export interface Conditions {
  /** Every query waits this long. */
  readonly delayMs: number;
  /** Queries that are answered with an error. */
  readonly refused: number;
  /** Queries that are never answered. */
  readonly dropped: number;
  /** Messages that are accepted and lost. */
  readonly lost: number;
}

export interface ConditionModules {
  readonly clock: Clock;
  readonly random: Random;
}

/** A lite server behind a network that may be bad, for tests of clients. */
export class ConditionedServer implements LiteServer {
  readonly #server: LiteServer;
  readonly #modules: ConditionModules;
  #conditions: Conditions | undefined;

  constructor(server: LiteServer, modules: ConditionModules) {
    this.#server = server;
    this.#modules = modules;
  }

  setConditions(conditions: Conditions): void {
    const isGood = Object.values(conditions).every((value) => value === 0);
    this.#conditions = isGood ? undefined : conditions;
  }

  ask(query: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    const conditions = this.#conditions;
    return conditions === undefined ? this.#server.ask(query, options) : this.#askBadly(query, options, conditions);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  destroy(reason: LiteError): void {
    this.#server.destroy(reason);
  }

  async #askBadly(query: Uint8Array, options: AskOptions, conditions: Conditions): Promise<Uint8Array> {
    const { delayMs, refused, dropped, lost } = conditions;
    const { clock } = this.#modules;
    if (delayMs > 0) await clock.sleep(delayMs, options.signal);
    if (this.#happens(dropped)) await untilAborted(options.signal);
    if (this.#happens(refused))
      return encode(serverError.boxed, { code: refusalCode.notReady, message: "refused by the network conditions" });
    if (decodeQuery(query).query.id === sendMessage.id && this.#happens(lost))
      return encode(sendMessage.answer.boxed, { status: 1 });
    return this.#server.ask(query, options);
  }

  #happens(percent: number): boolean {
    return percent > 0 && this.#modules.random.int(100) < percent;
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
