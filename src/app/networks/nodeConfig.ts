import { fromHex, toBase64 } from "../../lib/bytes.ts";
import type { AdnlAddress } from "../../lite/adnl/AdnlClient.ts";
import { ask, type LiteServer } from "../../lite/server/LiteServer.ts";
import { publicKeyEd25519 } from "../../lite/tl/adnlRecords.ts";
import { getMasterchainInfo } from "../../lite/tl/liteQueries.ts";
import { decode } from "../../lite/tl/types.ts";
import { findHash, hashFromBytes, hashToBase64, hashToBytes } from "../../model/Hash.ts";
import { AppError } from "../errors.ts";
import { findShipped, shippedNames } from "./shipped.ts";

/** The chain of a node, as it reports it without proof. */
export interface NodeReport {
  readonly headSeqno: number;
  /** Root hash and file hash of the zero state, in base64. */
  readonly zeroState: { readonly rootHash: string; readonly fileHash: string };
}

/** Bytes of a `liteserver.pub` file: the TL constructor of `pub.ed25519` and the key. */
const keyFileBytes = 36;

/** Reads the public key of a lite server: the file that a node writes, or the key as base64 or hex text. */
export function readPublicKey(content: Uint8Array, path: string): Uint8Array {
  if (content.length === keyFileBytes) {
    try {
      return decode(publicKeyEd25519.boxed, content).key;
    } catch (cause) {
      throw new AppError(
        "app/config",
        `the key in ${path} is not an Ed25519 key; give the liteserver.pub of the node`,
        {
          cause,
        },
      );
    }
  }
  const text = new TextDecoder().decode(content).trim();
  if (/^[0-9a-f]{72}$/i.test(text)) return readPublicKey(fromHex(text), path);
  const key = findHash(text);
  if (key !== undefined) return new Uint8Array(hashToBytes(key));
  throw new AppError(
    "app/config",
    `${path} has ${content.length} bytes and is not a public key; give the node's liteserver.pub (36 bytes), or 32 bytes in base64 or hex`,
  );
}

/** Parses `HOST:PORT`; an IPv6 address is in brackets. */
export function readNodeAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:\s]+)):([0-9]{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new AppError("app/config", `--at cannot be ${JSON.stringify(text)}; give HOST:PORT, such as 10.0.0.7:4924`);
  return { host, port: Number(port) };
}

/** Queries which chain a node follows. */
export async function askNode(server: LiteServer, signal: AbortSignal): Promise<NodeReport> {
  const { last, init } = await ask(server, getMasterchainInfo, {}, { signal });
  const base64 = (bytes: Uint8Array) => hashToBase64(hashFromBytes(bytes));
  return {
    headSeqno: last.seqno,
    zeroState: { rootHash: base64(init.rootHash), fileHash: base64(init.fileHash) },
  };
}

/** The shipped network with the zero state that the node reports. */
export function findNetworkOf({ zeroState }: NodeReport): string | undefined {
  return shippedNames.find((name) => {
    const shipped = findShipped(name);
    return shipped !== undefined && hashToBase64(shipped.zeroState.rootHash) === zeroState.rootHash;
  });
}

/** The content of `tongate.json` for a node: its network by name, with the node as its lite server. */
export function makeNodeConfig(address: AdnlAddress, report: NodeReport): Readonly<Record<string, unknown>> {
  const name = findNetworkOf(report);
  const liteServers = [{ host: address.host, port: address.port, key: toBase64(address.publicKey) }];
  // A network that is not shipped is trusted from its zero state on, as the node reports it.
  const initBlock = { seqno: 0, ...report.zeroState };
  const entry = name === undefined ? { zeroState: report.zeroState, initBlock, liteServers } : { liteServers };
  const network = name ?? "private";
  return { network, networks: { [network]: entry } };
}
