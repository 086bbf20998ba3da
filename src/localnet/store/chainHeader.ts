import { createHash } from "node:crypto";
import { readRoot } from "../../cell/boc.ts";
import { loadCell } from "../../cell/codec.ts";
import { fromBase64, fromHex, toBase64, toHex } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { type ArgValues, decodeArgs } from "../../lib/kit/arg.ts";
import { boolArg, intArg, listArg, textArg } from "../../lib/kit/basicArgs.ts";
import { basechain, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { WalletSecret } from "../genesis/usualWallets.ts";
import type { ZeroState } from "../ledger/Ledger.ts";
import { type KeyRules, newKeyRules } from "../wallets/networkKeys.ts";

/** The beginning of a chain. */
export interface ChainHeader {
  readonly seed: string;
  readonly globalId: number;
  readonly zeroStates: readonly ZeroState[];
  readonly keyRules: KeyRules;
  /** Wallets of the seed, stored because deriving them is slow. */
  readonly wallets: readonly WalletSecret[];
}

/** A header as it was read. */
export interface ReadHeader {
  readonly header: ChainHeader;
  /** Whether a checksum proves that it is what was written; files of earlier versions have none. */
  readonly isProven: boolean;
}

const format = "tongate-chain/3";

/** Formats without a checksum. They are accepted once and written again with it. */
const formerFormat = "tongate-chain/2";
/**
 * Chains of this format have wallets with the network id of the main network, and a validator without an ADNL address.
 */
const oldestFormat = "tongate-chain/1";
const oldestRules: KeyRules = { walletNetworkId: -239, hasValidatorAddress: false };

const bag = textArg({ maxLength: 1 << 27 });
const int32 = intArg({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const wallets = listArg(textArg({ maxLength: 1_000 }), { maxItems: 100 });
const formerFields = { wallets, format: textArg(), seed: textArg(), globalId: int32, masterchain: bag, basechain: bag };
const fields = { ...formerFields, walletNetworkId: int32, hasValidatorAddress: boolArg(), checksum: textArg() };

export function encodeHeader({ seed, globalId, zeroStates, keyRules, wallets: known }: ChainHeader): Uint8Array {
  const boc = (workchain: number): string => {
    const zero = zeroStates.find(({ id }) => id.workchain === workchain);
    if (zero === undefined) throw new LocalnetError("localnet/missing", `no zero state of workchain ${workchain}`);
    return toBase64(zero.bytes);
  };
  const zeroBags = { masterchain: boc(masterchain), basechain: boc(basechain) };
  // The secret, then the words it is derived from.
  const lines = known.map(({ words, secret }) => [toHex(secret), ...words].join(" "));
  const { walletNetworkId, hasValidatorAddress } = keyRules;
  const content = { format, seed, globalId, walletNetworkId, hasValidatorAddress, wallets: lines, ...zeroBags };
  const header = { ...content, checksum: checksumOf(content) };
  return new TextEncoder().encode(`${JSON.stringify(header, undefined, 2)}\n`);
}

/** Depends on the names, values and order of all fields, and on nothing else. */
function checksumOf(content: Readonly<Record<string, unknown>>): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** Reads the output of `encodeHeader`, or of earlier versions; `place` is the file, for error messages. */
export function decodeHeader(bytes: Uint8Array, place: string): ReadHeader {
  try {
    return decodeFields(bytes);
  } catch (cause) {
    if (!isCoded(cause)) throw cause;
    throw new LocalnetError("localnet/data", `${place} does not describe a chain: ${cause.message}; ${advice}`, {
      cause,
    });
  }
}

function decodeFields(bytes: Uint8Array): ReadHeader {
  const json: Readonly<Record<string, unknown>> = Object(
    parseJson(new TextDecoder().decode(bytes), { maxLength: 1 << 28 }),
  );
  const isProven = json.format === format;
  if (!isProven && json.format !== formerFormat && json.format !== oldestFormat) {
    const found = JSON.stringify(json.format);
    throw damaged(`its format is ${found}, and this version of the program supports ${format}`);
  }
  // A damaged name would otherwise make a proven file one of the formats without a checksum.
  const names = Object.keys(isProven ? fields : formerFields);
  const unknown = Object.keys(json).find((name) => !names.includes(name));
  if (unknown !== undefined) throw damaged(`it has the unknown field ${JSON.stringify(unknown)}`);
  const header = isProven ? decodeProven(json) : decodeFormer(json);
  const own = loadCell(ShardStateUnsplit, header.zeroStates[0].root).globalId;
  if (own !== header.globalId) throw damaged(`its global id is ${header.globalId}, its zero state has ${own}`);
  return { header, isProven };
}

type WithZeroStates = ChainHeader & { readonly zeroStates: readonly [ZeroState, ZeroState] };

function decodeProven(json: Readonly<Record<string, unknown>>): WithZeroStates {
  const { checksum, ...content } = json;
  if (checksum !== checksumOf(content)) throw damaged("it was changed after it was written");
  const { walletNetworkId, hasValidatorAddress, ...header } = decodeArgs(fields, json);
  return { ...decodeCommon(header), keyRules: { walletNetworkId, hasValidatorAddress } };
}

function decodeFormer(json: Readonly<Record<string, unknown>>): WithZeroStates {
  const header = decodeArgs(formerFields, json);
  const keyRules = header.format === oldestFormat ? oldestRules : newKeyRules(header.globalId);
  return { ...decodeCommon(header), keyRules };
}

function decodeCommon(header: ArgValues<typeof formerFields>): Omit<WithZeroStates, "keyRules"> {
  const { seed, globalId } = header;
  const zeroStates = [zeroState(masterchain, header.masterchain), zeroState(basechain, header.basechain)] as const;
  return { seed, globalId, zeroStates, wallets: header.wallets.map(decodeWallet) };
}

const advice = "restore a copy of the file, or a snapshot of the chain";

function damaged(message: string): LocalnetError {
  return new LocalnetError("localnet/data", message);
}

function decodeWallet(line: string): WalletSecret {
  const [secret = "", ...words] = line.split(" ");
  return { words, secret: fromHex(secret) };
}

function zeroState(workchain: number, boc: string): ZeroState {
  const bytes = fromBase64(boc);
  const root = readRoot(bytes);
  const fileHash = hashFromBytes(createHash("sha256").update(bytes).digest());
  return { id: { workchain, shard: wholeShard, seqno: 0, rootHash: root.hash(), fileHash }, bytes, root };
}
