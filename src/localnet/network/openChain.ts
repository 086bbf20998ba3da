import { loadCell } from "../../cell/codec.ts";
import { toHex } from "../../lib/bytes.ts";
import type { Clock } from "../../lib/clock.ts";
import { systemFiles } from "../../lib/files/FileSystem.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { LocalnetError } from "../errors.ts";
import type { Fork } from "../fork/Fork.ts";
import { type ForkPlace, openFork } from "../fork/openFork.ts";
import { localGlobalId } from "../genesis/genesisConfig.ts";
import type { WalletSecret } from "../genesis/usualWallets.ts";
import { Ledger, type ZeroState } from "../ledger/Ledger.ts";
import { defaultNetworkVersion, firstVersion } from "../ledger/networkVersion.ts";
import { configuredShards, secondsToSplit, splitDepthsOf } from "../ledger/shardCount.ts";
import { ChainFolder } from "../store/ChainFolder.ts";
import type { ChainHeader } from "../store/chainHeader.ts";
import { deriveKeys, type NetworkKeys, newKeyRules } from "../wallets/networkKeys.ts";
import type { LocalnetModules, LocalnetOptions } from "./LocalnetOptions.ts";
import { makeNetwork } from "./makeNetwork.ts";

/** A chain that is ready to go on. */
export interface OpenChain {
  readonly ledger: Ledger;
  readonly keys: NetworkKeys;
  /** Absent: the chain is in memory only. */
  readonly folder: ChainFolder | undefined;
  /** Absent: the chain continues no other. */
  readonly fork: Fork | undefined;
}

/** Opens the chain of the folder, or a new one. */
export async function openChain(options: LocalnetOptions, modules: LocalnetModules): Promise<OpenChain> {
  const { folder: path, seed } = options;
  if (path !== undefined) {
    const folder = await openFolder(path, options, modules);
    const { ledger, header, fork } = folder;
    const keys = options.keys ?? (await deriveKeys(seed, header.keyRules, header.wallets));
    return { ledger, keys, folder, fork };
  }
  const fork = await openFork(options.fork, undefined, modules);
  const globalId = fork?.facts.globalId ?? options.globalId ?? localGlobalId;
  const keys = options.keys ?? (await deriveKeys(seed, newKeyRules(globalId)));
  const ledger = new Ledger(fork?.base ?? newZeroStates(options, modules.clock, keys, globalId));
  return { ledger, keys, folder: undefined, fork };
}

async function openFolder(path: string, options: LocalnetOptions, modules: LocalnetModules): Promise<ChainFolder> {
  const { seed, shards, globalVersion, repair = false, onGiveUp } = options;
  const { clock, log, files = systemFiles } = modules;
  const makeHeader = async (fork: Fork | undefined): Promise<ChainHeader> => {
    const globalId = fork?.facts.globalId ?? options.globalId ?? localGlobalId;
    const keyRules = newKeyRules(globalId);
    const keys = options.keys ?? (await deriveKeys(seed, keyRules));
    return {
      seed,
      globalId,
      zeroStates: newZeroStates(options, clock, keys, globalId),
      keyRules,
      wallets: keys.wallets,
    };
  };
  const checkUnproven = (header: ChainHeader) => checkWallets(path, header);
  const giveUp = onGiveUp && { onGiveUp };
  const open = (place: ForkPlace) => openFork(options.fork, place, modules);
  const folderOptions = { repair, makeHeader, checkUnproven, openFork: open, ...giveUp };
  const folder = await ChainFolder.open(path, folderOptions, { files, log });
  // A fork has the shards and the version of its origin.
  const asked = folder.fork === undefined ? { seed, shards, globalVersion } : { seed };
  const different = findDifferent(folder, asked);
  if (different === undefined) return folder;
  await folder.destroy();
  throw new LocalnetError("localnet/data", `${path} contains a chain of ${different}`);
}

/** What of the options contradicts the chain of a folder. */
function findDifferent(
  { ledger: { zero }, header }: ChainFolder,
  { seed, shards, globalVersion }: Pick<LocalnetOptions, "seed" | "shards" | "globalVersion">,
): string | undefined {
  const held = { seed: header.seed, shards: configuredShards(zero), "global version": firstVersion(zero) };
  const asked = { seed, shards: shards ?? held.shards, "global version": globalVersion ?? held["global version"] };
  const different = (["seed", "shards", "global version"] as const).find((name) => held[name] !== asked[name]);
  if (different === undefined) return undefined;
  return `${different} ${JSON.stringify(held[different])}, not ${JSON.stringify(asked[different])}`;
}

function newZeroStates(
  options: LocalnetOptions,
  clock: Clock,
  keys: NetworkKeys,
  globalId: number,
): readonly ZeroState[] {
  const { shards = 1, globalVersion = defaultNetworkVersion, historySeconds = 0 } = options;
  const bornAt = Math.floor(clock.now() / 1000) - secondsToSplit(shards) - historySeconds;
  return makeNetwork(keys, { globalId, bornAt, ...splitDepthsOf(shards), globalVersion });
}

/** The time from which a chain goes on that is still in its history, or in that of the chain it continues. */
export function findHistory(
  { zero, head }: Ledger,
  { historySeconds = 0, shards = 1 }: LocalnetOptions,
  fork: Fork | undefined,
): number | undefined {
  const { genUtime: bornAt } = loadCell(ShardStateUnsplit, zero.root);
  const newest = head?.info.genUtime ?? bornAt + secondsToSplit(shards);
  if (fork !== undefined) return fork.facts.time === "block" ? newest : undefined;
  return newest < bornAt + historySeconds ? newest : undefined;
}

/** Wallets follow from the seed. Deriving them takes seconds, so it is done only where no checksum protects them. */
async function checkWallets(path: string, { seed, keyRules, wallets }: ChainHeader): Promise<void> {
  const derived = await deriveKeys(seed, keyRules);
  const describe = ({ words, secret }: WalletSecret): string => `${toHex(secret)} ${words.join(" ")}`;
  const at = derived.wallets.findIndex((wallet, i) => {
    const stored = wallets[i];
    return stored === undefined || describe(stored) !== describe(wallet);
  });
  if (at === -1) return;
  const advice = "restore a copy of the file, or a snapshot of the chain";
  throw new LocalnetError("localnet/data", `${path} has a damaged secret of wallet ${at + 1}; ${advice}`);
}
