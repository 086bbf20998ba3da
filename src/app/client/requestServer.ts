import { ApiError } from "../../api/declare/errors.ts";
import { systemClock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import type { ListenAddress } from "../NetworkPlan.ts";

/** Long enough for a snapshot to be restored on a slow machine. */
export const patienceMs = 120_000;

export type Answer = Readonly<Record<string, unknown>>;

/** The URL that reaches a server with this listen address from this machine. */
export function originOf({ host, port }: Pick<ListenAddress, "host" | "port">): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

export function readError(bytes: Uint8Array): string {
  const { error }: Answer = Object(parseJson(Buffer.from(bytes).toString()));
  return String(error);
}

export function refuse(url: string, status: number, error: string): ApiError {
  const reason = status === 404 && error === "" ? "this server has no local network" : error;
  return new ApiError("api/refused", `${url}: ${reason}`, { data: { status, error: reason } });
}

export async function sendRequest(
  url: string,
  request: RequestInit,
): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  const end = new AbortController();
  const cancel = systemClock.timer(patienceMs, () => end.abort());
  try {
    const response = await reach(url, { ...request, signal: end.signal });
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  } finally {
    cancel();
  }
}

export async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw new ApiError("api/unreachable", `${url} cannot be reached; is the server running?`, { cause });
  }
}
