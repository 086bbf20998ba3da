import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Streaming requests of a version. */
export interface StreamRoutes {
  readonly routes: readonly {
    readonly method: string | readonly string[];
    readonly path: string;
    readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  }[];
  /** By whole path, a key in it left out. */
  readonly upgrades: ReadonlyMap<string, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>;
  /** Before `/k/<key>/` in paths that hold the key of their caller, if there are such. */
  readonly keyBase?: string;
  /** Accepts no more and ends open streams within this time. */
  close(drainMs: number): Promise<void>;
}
