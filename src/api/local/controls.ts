import { findIp, findIpRange, type IpRange, isWithin } from "../../lib/ip.ts";
import type { RequestOrigin } from "../declare/ApiVersion.ts";
import { ApiError } from "../declare/errors.ts";

/** Who may change a local network: only this machine, or everyone who reaches the service. */
export type LocalControls = "loopback" | "open";

const loopbackRanges = ["127.0.0.0/8", "::1"].map(findIpRange).filter((range): range is IpRange => range !== undefined);

function isLoopback(name: string): boolean {
  const ip = findIp(name.replace(/^\[(.*)\]$/, "$1"));
  return name === "localhost" || (ip !== undefined && loopbackRanges.some((range) => isWithin(ip, range)));
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/**
 * Rejects a request from elsewhere that changes the local network. Pages of other sites can reach a service on loopback
 * through the browser of its user: such a request has their `Origin`, or a `Host` that they resolve to this machine.
 */
export function checkControls(controls: LocalControls, { client, isForwarded, host, origin }: RequestOrigin): void {
  const hostname = hostnameOf(`http://${host ?? ""}`);
  if (controls === "loopback" && (isForwarded || !isLoopback(client)))
    throw refuse(`${client} is not this machine`, "start with --local-controls open to allow it");
  if (controls === "loopback" && (hostname === undefined || !isLoopback(hostname))) {
    throw refuse(
      `the Host header ${host ?? "(none)"} does not name this machine`,
      "use localhost or an address of loopback",
    );
  }
  if (origin === undefined) return;
  const from = hostnameOf(origin);
  const isOwn = from !== undefined && (from === hostname || (controls === "loopback" && isLoopback(from)));
  if (!isOwn)
    throw refuse(`a page of ${origin} may not control the network`, "send the request from a page of this host");
}

/** Rejects a caller without a key, where keys are used; this machine needs none. */
export function checkKeyless({ client, isForwarded }: RequestOrigin): void {
  if (isForwarded || !isLoopback(client)) throw refuse(`${client} has no key`, "send one as X-API-Key");
}

function refuse(what: string, advice: string): ApiError {
  return new ApiError("api/local-controls", `${what}; ${advice}`);
}
