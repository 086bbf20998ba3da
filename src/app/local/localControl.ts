import { ApiError } from "../../api/declare/errors.ts";
import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { localName, planNetworks } from "../networks/planNetworks.ts";

/** Long enough for a snapshot to be restored on a slow machine. */
const patienceMs = 120_000;

type Answer = Readonly<Record<string, unknown>>;

/** Where the local network of this configuration is answered for. */
function localOrigin(config: AppConfig): string {
  const [plan] = planNetworks({ ...config, network: [localName] }, systemSources.findFile);
  return originOf(plan?.place ?? config);
}

/** The address at which a server that listens there is reached from this machine. */
function originOf({ host, port }: { readonly host: string; readonly port: number }): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** What a server that listens there says of the index, if one does. */
export async function findIndexReport(place: {
  readonly host: string;
  readonly port: number;
}): Promise<string | undefined> {
  try {
    const { bytes } = await send(`${originOf(place)}/readyz`, {});
    const { checks }: Answer = Object(parseJson(Buffer.from(bytes).toString()));
    const { detail }: Answer = Object(Object(checks).index);
    return typeof detail === "string" ? detail : undefined;
  } catch (error) {
    // Whoever holds the index may listen elsewhere, or not at all.
    if (!isCoded(error)) throw error;
    return undefined;
  }
}

/** Asks the server that runs the local network to do something; gives its answer. */
export async function postLocal(config: AppConfig, name: string, args: Readonly<Record<string, unknown>>) {
  const body = JSON.stringify(args);
  return readResult<Answer>(config, name, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** Asks the server that runs the local network for a list. */
export function listLocal(config: AppConfig, name: string): Promise<readonly Answer[]> {
  return readResult<readonly Answer[]>(config, name, {});
}

/** Asks the server that runs the local network for bytes. */
export async function fetchLocal(config: AppConfig, path: string): Promise<Uint8Array> {
  const url = `${localOrigin(config)}/localnet/${path}`;
  const { status, bytes } = await send(url, {});
  if (status !== 200) throw refuse(url, status, readError(bytes));
  return bytes;
}

async function readResult<T extends object>(config: AppConfig, name: string, request: RequestInit): Promise<T> {
  const url = `${localOrigin(config)}/localnet/${name}`;
  const { status, bytes } = await send(url, request);
  const { ok, result }: Answer = status === 404 ? {} : Object(parseJson(Buffer.from(bytes).toString()));
  if (ok !== true) throw refuse(url, status, status === 404 ? "" : readError(bytes));
  // The server is of this program: what it answers has the shape that its endpoint declares.
  return Object(result) as T;
}

function readError(bytes: Uint8Array): string {
  const { error }: Answer = Object(parseJson(Buffer.from(bytes).toString()));
  return String(error);
}

function refuse(url: string, status: number, error: string): ApiError {
  const reason = status === 404 && error === "" ? "no local network is answered for there" : error;
  return new ApiError("api/refused", `${url}: ${reason}`, { data: { status, error: reason } });
}

async function send(
  url: string,
  request: RequestInit,
): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  const end = new AbortController();
  const cancel = systemClock.timer(patienceMs, () => end.abort());
  try {
    const response = await fetch(url, { ...request, signal: end.signal });
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch (cause) {
    throw new ApiError("api/unreachable", `nobody answers at ${url}; is the server running?`, { cause });
  } finally {
    cancel();
  }
}
