import { createHash } from "node:crypto";
import { readRoot } from "../../cell/boc.ts";
import { fromBase64, fromHex, toBase64, toHex } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { decodeArgs } from "../../lib/kit/arg.ts";
import { intArg, listArg, textArg } from "../../lib/kit/basicArgs.ts";
import { basechain, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import { type KeyRules, newKeyRules } from "../genesis/networkKeys.ts";
import type { WalletSecret } from "../genesis/usualWallets.ts";
import type { ZeroState } from "../ledger/Ledger.ts";

/** The beginning of a chain. */
export interface ChainHeader {
  readonly seed: string;
  readonly globalId: number;
  readonly zeroStates: readonly ZeroState[];
  readonly keyRules: KeyRules;
  /** Wallets of the seed, stored because deriving them is slow. */
  readonly wallets: readonly WalletSecret[];
}

const format = "tongate-chain/2";

/** Chains of this format have wallets with the network id of the main network, and a validator without an ADNL address. */
const olderFormat = "tongate-chain/1";
const olderRules: KeyRules = { walletNetworkId: -239, hasValidatorAddress: false };

const bag = textArg({ maxLength: 1 << 27 });
const int32 = intArg({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const wallets = listArg(textArg({ maxLength: 1_000 }), { maxItems: 100 });
const fields = { wallets, format: textArg(), seed: textArg(), globalId: int32, masterchain: bag, basechain: bag };

export function encodeHeader({ seed, globalId, zeroStates, wallets: known }: ChainHeader): Uint8Array {
  const boc = (workchain: number): string => {
    const zero = zeroStates.find(({ id }) => id.workchain === workchain);
    if (zero === undefined) throw new LocalnetError("localnet/missing", `no zero state of workchain ${workchain}`);
    return toBase64(zero.bytes);
  };
  const zeroBags = { masterchain: boc(masterchain), basechain: boc(basechain) };
  // The secret, then the words it is derived from.
  const lines = known.map(({ words, secret }) => [toHex(secret), ...words].join(" "));
  const header = { format, seed, globalId, wallets: lines, ...zeroBags };
  return new TextEncoder().encode(`${JSON.stringify(header, undefined, 2)}\n`);
}

/** Reads the output of `encodeHeader`; `place` is the file, for error messages. */
export function decodeHeader(bytes: Uint8Array, place: string): ChainHeader {
  try {
    return decodeFields(bytes);
  } catch (cause) {
    if (!isCoded(cause)) throw cause;
    throw new LocalnetError("localnet/data", `${place} does not describe a chain: ${cause.message}`, { cause });
  }
}

function decodeFields(bytes: Uint8Array): ChainHeader {
  const json = parseJson(new TextDecoder().decode(bytes), { maxLength: 1 << 28 });
  const header = decodeArgs(fields, Object(json));
  if (header.format !== format && header.format !== olderFormat) {
    throw new LocalnetError(
      "localnet/data",
      `its format is ${JSON.stringify(header.format)}, and this version of the program knows ${format}`,
    );
  }
  const { seed, globalId } = header;
  const zeroStates = [zeroState(masterchain, header.masterchain), zeroState(basechain, header.basechain)];
  const keyRules = header.format === olderFormat ? olderRules : newKeyRules(globalId);
  return { seed, globalId, zeroStates, keyRules, wallets: header.wallets.map(decodeWallet) };
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
