import { ChainCaches } from "../../../chain/ChainCaches.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import { Inflight } from "../../../lib/inflight.ts";
import type { JsonInput, JsonValue } from "../../../lib/json.ts";
import { TrustedChain, type TrustedHead } from "../../../lite/queries/TrustedChain.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import { AnswerNotes } from "../../declare/AnswerNotes.ts";
import type { V2Services } from "../../v2/declare.ts";
import { checkAge } from "../verify/checkAge.ts";
import { computeResult } from "../verify/computeResult.ts";
import { lazyExecutor } from "../verify/lazyExecutor.ts";
import { loadEndpoint } from "../verify/loadEndpoint.ts";
import { type OpenTrust, openTrust } from "../verify/openTrust.ts";
import { readCallArgs } from "../verify/readCallArgs.ts";
import { orUnproved } from "../verify/reasons.ts";
import type { TrustOptions } from "../verify/TrustOptions.ts";
import { UnprovedError } from "../verify/UnprovedError.ts";
import type { ClientOptions } from "./ClientOptions.ts";
import { HttpLiteServer } from "./HttpLiteServer.ts";

/** Computes the results of v2 from lite servers alone. */
export interface OpenLight {
  ask(name: string, args: JsonInput, signal?: AbortSignal): Promise<JsonValue>;
}

/** How long a proved head serves further calls. */
const headMs = 1_000;

/** The newest block of a server, proved; calls at the same time share it. */
class LightHeads {
  readonly #server: HttpLiteServer;
  readonly #trust: OpenTrust;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #flights = new Inflight<string, TrustedHead>();
  #chain: Promise<TrustedChain> | undefined;
  #keyBlock: BlockIdExt | undefined;
  #known: { readonly head: TrustedHead; readonly untilMs: number } | undefined;

  constructor(server: HttpLiteServer, trust: OpenTrust, clock: Pick<Clock, "monotonic">) {
    this.#server = server;
    this.#trust = trust;
    this.#clock = clock;
  }

  async newest(signal: AbortSignal): Promise<TrustedHead> {
    const known = this.#known;
    if (known !== undefined && this.#clock.monotonic() < known.untilMs) return known.head;
    return this.#flights.share("", (shared) => this.#prove(shared), signal);
  }

  async #prove(signal: AbortSignal): Promise<TrustedHead> {
    const { trusted } = this.#trust;
    this.#chain ??= this.#open();
    const head = await (await this.#chain).head(this.#server, { signal });
    if (this.#keyBlock !== undefined) await trusted.add(this.#keyBlock);
    this.#known = { head, untilMs: this.#clock.monotonic() + headMs };
    return head;
  }

  async #open(): Promise<TrustedChain> {
    const { start, trusted } = this.#trust;
    const onKeyBlock = (newer: BlockIdExt) => {
      this.#keyBlock = newer;
    };
    return new TrustedChain({ start: await trusted.newest, zeroState: start.zeroState, proofs: "check", onKeyBlock });
  }
}

/** Opens a client of lite servers over HTTP; `baseUrl` ends before the name: `…/api/lite/v1`. */
export function openLight(baseUrl: string, options: ClientOptions & TrustOptions, clock = systemClock): OpenLight {
  const trust = openTrust(options);
  const server = new HttpLiteServer(baseUrl, options);
  const heads = new LightHeads(server, trust, clock);
  const nowAt = () => Math.floor(clock.now() / 1000);
  const common = { ...trust.start, server, executor: lazyExecutor(), caches: new ChainCaches(), nowAt };
  const never = new AbortController().signal;
  return {
    ask: async (name, args, signal = never) => {
      const endpoint = await loadEndpoint(name);
      if (endpoint === undefined) throw new UnprovedError("verify/not-covered", `${name} is not known here`);
      const { decoded } = readCallArgs(endpoint, args);
      const head = await orContradicted("head", name, heads.newest(signal));
      checkAge(name, head, { clock, maxAge: trust.maxAge });
      const open: V2Services["chains"]["open"] = ({ onBlock }) => ({
        ...common,
        ...{ head, asking: { signal }, askedServers: () => [], onBlock },
      });
      const services: V2Services = { isLive: () => true, chains: { open } };
      const result = computeResult(endpoint, services, decoded, { signal, notes: new AnswerNotes() });
      return orContradicted("answer", name, result);
    },
  };
}

/** What a proof contradicts is unproved; other errors are those of the operation or of the way to the server. */
function orContradicted<T>(part: "head" | "answer", name: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!isCoded(error, "lite/proof")) throw error;
    return orUnproved(part, name, () => Promise.reject(error));
  });
}
