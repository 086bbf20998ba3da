import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiError } from "../../declare/errors.ts";
import type { DirectAnswer, DirectRequest } from "../direct/DirectAnswer.ts";
import type { StreamRoutes } from "./StreamRoutes.ts";
import { hostNameOf } from "./upgrades.ts";

/** The handler of some host names. */
export interface HostEntry {
  /** In lower case, without port; the first entry also serves unknown names. */
  readonly hostNames: readonly string[];
  readonly streams: readonly StreamRoutes[];
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** The answer to a request that needs no more than a cached one. */
  findDirect(request: DirectRequest): DirectAnswer | undefined;
  refuse(error: ApiError, request: IncomingMessage, response: ServerResponse): void;
}

/** Handlers by host name; an entry can be held and replaced while the server listens. */
export class HostTable {
  readonly #entries: HostEntry[];
  readonly #held = new Map<number, ApiError>();
  #byName = new Map<string, number>();

  constructor(entries: readonly HostEntry[]) {
    this.#entries = [...entries];
    this.#index();
  }

  get entries(): readonly HostEntry[] {
    return this.#entries;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const at = this.#find(request);
    const held = this.#held.get(at);
    if (held === undefined) this.#entries[at]?.answer(request, response);
    else this.#entries[at]?.refuse(held, request, response);
  }

  findDirect(request: DirectRequest): DirectAnswer | undefined {
    const at = this.#find(request);
    return this.#held.has(at) ? undefined : this.#entries[at]?.findDirect(request);
  }

  /** The upgradable streams; none while the entry is held. */
  streamsFor(request: IncomingMessage): readonly StreamRoutes[] {
    const at = this.#find(request);
    return this.#held.has(at) ? [] : (this.#entries[at]?.streams ?? []);
  }

  /** Answers all requests of this entry with an error until it is replaced or released. */
  hold(at: number, error: ApiError): void {
    this.#held.set(at, error);
  }

  replace(at: number, entry: HostEntry): void {
    this.#entries[at] = entry;
    this.#held.delete(at);
    this.#index();
  }

  #index(): void {
    this.#byName = new Map(this.#entries.flatMap(({ hostNames }, at) => hostNames.map((name) => [name, at])));
  }

  #find(request: Pick<IncomingMessage, "headers">): number {
    return this.#entries.length === 1 ? 0 : (this.#byName.get(hostNameOf(request)) ?? 0);
  }
}
