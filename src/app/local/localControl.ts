import { createWriteStream, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ApiError } from "../../api/declare/errors.ts";
import type { IndexedPoint } from "../../history/queries/transactionPoint.ts";
import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { storageError } from "../../lib/files/FileSystem.ts";
import { parseJson } from "../../lib/json.ts";
import { parseAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type Answer, originOf, patienceMs, reach, readError, refuse, sendRequest } from "../client/requestServer.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { type Coin, defaultCoin, type NetworkPlan } from "../NetworkPlan.ts";
import { localName, planNetworks } from "../networks/planNetworks.ts";

function findLocalPlan(config: AppConfig): NetworkPlan | undefined {
  return planNetworks({ ...config, network: [localName] }, systemSources.findFile)[0];
}

/** The URL of the server of the local network in this configuration. */
function localOrigin(config: AppConfig): string {
  return originOf(findLocalPlan(config)?.listen ?? config);
}

/** The coin of the local network in this configuration. */
export function localCoin(config: AppConfig): Coin {
  return findLocalPlan(config)?.coin ?? defaultCoin;
}

/** The index state that the server at this address reports, if there is one. */
export async function findIndexReport(place: {
  readonly host: string;
  readonly port: number;
}): Promise<string | undefined> {
  try {
    const { bytes } = await sendRequest(`${originOf(place)}/readyz`, {});
    const { checks }: Answer = Object(parseJson(Buffer.from(bytes).toString()));
    const { detail }: Answer = Object(Object(checks).index);
    return typeof detail === "string" ? detail : undefined;
  } catch (error) {
    // The process that holds the index may listen elsewhere, or not at all.
    if (!isCoded(error)) throw error;
    return undefined;
  }
}

/** What the server at this address finds when it compares its index with the chain. */
export async function askVerification(
  place: { readonly host: string; readonly port: number },
  sample: number,
): Promise<{ readonly differences: number; readonly lines: readonly string[] }> {
  const url = `${originOf(place)}/index/verify?sample=${sample}`;
  const { status, bytes } = await sendRequest(url, { method: "POST" });
  if (status !== 200) throw refuse(url, status, status === 404 ? "this server has no index" : readError(bytes));
  const { differences, lines }: Answer = Object(parseJson(Buffer.from(bytes).toString()));
  return { differences: Number(differences), lines: Array.isArray(lines) ? lines.map(String) : [] };
}

/** Where a transaction is, by the index of the server at this address. */
export async function askTransactionPoint(
  place: { readonly host: string; readonly port: number },
  hash: Hash,
): Promise<IndexedPoint | undefined> {
  const url = `${originOf(place)}/api/v3/transactions?hash=${hash}`;
  const { status, bytes } = await sendRequest(url, {});
  if (status !== 200) throw refuse(url, status, readError(bytes));
  const { transactions }: Answer = Object(parseJson(Buffer.from(bytes).toString()));
  const [found]: readonly Answer[] = Array.isArray(transactions) ? transactions : [];
  if (found === undefined) return undefined;
  return { address: parseAddress(String(found.account)).address, lt: BigInt(String(found.lt)) };
}

/** Sends a command to the server of the local network; returns its answer. */
export async function postLocal(config: AppConfig, name: string, args: Readonly<Record<string, unknown>>) {
  const body = JSON.stringify(args);
  return readResult<Answer>(config, name, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** Fetches a list from the server of the local network. */
export function listLocal(config: AppConfig, name: string): Promise<readonly Answer[]> {
  return readResult<readonly Answer[]>(config, name, {});
}

/** A control of the local network, as its server describes it. */
export interface LocalControl {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly summary: string;
  readonly args: readonly { readonly name: string; readonly isRequired: boolean; readonly isList: boolean }[];
}

/** The controls that the server of the local network has. */
export async function listControls(config: AppConfig): Promise<readonly LocalControl[]> {
  const url = `${localOrigin(config)}/localnet/openapi.json`;
  const { status, bytes } = await sendRequest(url, {});
  if (status !== 200) throw refuse(url, status, status === 404 ? "" : readError(bytes));
  // The server is this program: its document has the declared shape.
  const { paths } = parseJson(Buffer.from(bytes).toString()) as unknown as ControlDocument;
  return Object.entries(paths).map(([path, { get, post }]) => {
    const { properties = {}, required = [] } = post?.requestBody?.content["application/json"].schema ?? {};
    const args = Object.entries(properties).map(([name, { type }]) => ({
      name,
      isRequired: required.includes(name),
      isList: type === "array",
    }));
    const { summary } = post ?? get ?? { summary: "" };
    return { name: path.slice(1), method: post === undefined ? "GET" : "POST", summary, args };
  });
}

/** What a control document is read for. */
interface ControlDocument {
  readonly paths: Readonly<Record<string, { readonly get?: ControlOperation; readonly post?: ControlOperation }>>;
}

interface ControlOperation {
  readonly summary: string;
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: BodySchema } };
  };
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly required?: readonly string[];
}

/** Uses a control. */
export async function askControl(
  config: AppConfig,
  { name, method }: LocalControl,
  args: Readonly<Record<string, unknown>>,
): Promise<object> {
  return method === "GET" ? listLocal(config, name) : postLocal(config, name, args);
}

/** Writes an answer of the server of the local network to a file, which is whole or not there; returns its length. */
export async function downloadLocal(config: AppConfig, path: string, file: string): Promise<number> {
  const url = `${localOrigin(config)}/localnet/${path}`;
  const temporary = `${file}.new`;
  const silent = new AbortController();
  let cancel = (): void => {};
  const wait = (): void => {
    cancel();
    cancel = systemClock.timer(patienceMs, () => silent.abort());
  };
  try {
    wait();
    const response = await reach(url, { signal: silent.signal });
    if (response.status !== 200)
      throw refuse(url, response.status, readError(new Uint8Array(await response.arrayBuffer())));
    const pieces = async function* () {
      for await (const piece of response.body ?? []) {
        wait();
        yield piece;
      }
    };
    const target = createWriteStream(temporary, { flush: true, mode: 0o600 });
    await pipeline(pieces, target);
    const expected = Number(response.headers.get("content-length") ?? target.bytesWritten);
    if (target.bytesWritten !== expected) {
      const text = `${url} ended after ${target.bytesWritten} of ${expected} bytes; try again`;
      throw new ApiError("api/unreachable", text);
    }
    renameSync(temporary, file);
    return expected;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError("write", file, error);
  } finally {
    cancel();
  }
}

async function readResult<T extends object>(config: AppConfig, name: string, request: RequestInit): Promise<T> {
  const url = `${localOrigin(config)}/localnet/${name}`;
  const { status, bytes } = await sendRequest(url, request);
  const { ok, result }: Answer = status === 404 ? {} : Object(parseJson(Buffer.from(bytes).toString()));
  if (ok !== true) throw refuse(url, status, status === 404 ? "" : readError(bytes));
  // The server is this program: its answer has the declared shape.
  return Object(result) as T;
}
