import type { IncomingMessage } from "node:http";
import type { IpRange } from "../../lib/ip.ts";
import { clientAddress, clientName } from "../access/clientAddress.ts";
import type { AccessControl } from "../access/Gatekeeper.ts";
import type { RequestOrigin } from "../declare/ApiVersion.ts";
import type { Caller } from "../declare/Caller.ts";
import type { MaybePromise } from "./answers/maybePromise.ts";

/** What decides about access to a request: its headers and the other end of its connection. */
export type AccessRequest = Pick<IncomingMessage, "headers" | "socket">;

/** Who sends requests, and whether they are admitted. */
export class RequestAccess {
  readonly #access: AccessControl;
  readonly #trustedProxies: readonly IpRange[];
  readonly #clientNames = new WeakMap<object, string>();

  constructor(access: AccessControl, trustedProxies: readonly IpRange[]) {
    this.#access = access;
    this.#trustedProxies = trustedProxies;
  }

  /** Admits the caller by the key of its header, or else by `otherKey`; throws, or rejects, as `AccessControl` does. */
  admit(request: AccessRequest, otherKey: string | undefined): MaybePromise<Caller> {
    const secret = keyOf(request) ?? otherKey;
    return this.#access.admit(secret === "" ? undefined : secret, () => this.clientName(request));
  }

  /** The kind of the caller, if its admission does not wait; whether it is admitted is not decided here. */
  findKind(request: AccessRequest): Caller["kind"] | undefined {
    const { immediateKind } = this.#access;
    return immediateKind === undefined || (keyOf(request) ?? "") === "" ? immediateKind : "key";
  }

  /** Computed once per connection, unless a trusted proxy sends many clients over one. */
  clientName({ headers, socket }: AccessRequest): string {
    const forwarded = this.#trustedProxies.length === 0 ? undefined : headers["x-forwarded-for"]?.toString();
    const known = forwarded === undefined ? this.#clientNames.get(socket) : undefined;
    if (known !== undefined) return known;
    const name = clientName(clientAddress(socket.remoteAddress ?? "", forwarded, this.#trustedProxies));
    if (forwarded === undefined) this.#clientNames.set(socket, name);
    return name;
  }

  originOf({ headers, socket: { remoteAddress: peer = "" } }: AccessRequest): RequestOrigin {
    const forwarded = headers["x-forwarded-for"]?.toString();
    const client = clientAddress(peer, forwarded, this.#trustedProxies);
    const isForwarded = client === peer && (forwarded !== undefined || headers.forwarded !== undefined);
    return { client, isForwarded, host: headers.host, origin: headers.origin };
  }
}

function keyOf({ headers }: AccessRequest): string | undefined {
  const header = headers["x-api-key"];
  return typeof header === "string" ? header : header?.[0];
}
