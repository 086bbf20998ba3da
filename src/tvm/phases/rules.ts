import type { Cell } from "../../cell/Cell.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import {
  FundamentalContracts,
  PrecompiledContractsConfig,
  SuspendedAddressList,
} from "../../model/config/contracts.ts";
import { GasLimitsPrices, type GasPrices, gasPricesOf } from "../../model/config/GasLimitsPrices.ts";
import { capability, GlobalVersion, hasCapability } from "../../model/config/GlobalVersion.ts";
import { SizeLimitsConfig } from "../../model/config/limits.ts";
import { MsgForwardPrices, StoragePriceList, type StoragePrices } from "../../model/config/prices.ts";
import { findParam, getParam } from "../../model/config/readConfig.ts";
import { BurningConfig } from "../../model/config/validation.ts";
import { type Hash, hash } from "../../model/Hash.ts";
import { TvmError } from "../errors.ts";
import { supportedGlobalVersion } from "../globalVersion.ts";
import type { Tuple } from "../machine/StackValue.ts";
import { unpackedConfig } from "./unpackedConfig.ts";

/** Limits of sizes where the configuration names none. */
const defaultLimits = {
  ...{ maxMessageBits: 1 << 21, maxMessageCells: 1 << 13, maxMessageExtraCurrencies: 2 },
  ...{ maxTotalMessageBits: 5_242_880, maxTotalMessageCells: 20_480, maxExternalMessageDepth: 512 },
  ...{ maxLibraryCells: 1000, maxAccountPublicLibraries: 256, maxVmDataDepth: 512 },
  ...{ maxAccountStateCells: 1 << 16, maxMcAccountStateCells: 1 << 11, accountStateCellsForStorageDict: 26 },
  ...{ maxAccountFixedPrefixLength: 8, maxTransactionLibraryLoads: undefined as number | undefined },
};

/**
 * Everything transactions take from the configuration, read once; parameters are read by their own codecs, not all of
 * them.
 */
export interface Rules {
  readonly config: Config;
  /** The configuration's version, or the newest that the machine knows where that is older. */
  readonly version: number;
  readonly root: Cell;
  readonly gas: { readonly masterchain: GasPrices; readonly basechain: GasPrices };
  readonly forward: { readonly masterchain: MsgForwardPrices; readonly basechain: MsgForwardPrices };
  /** Oldest first. */
  readonly storage: readonly StoragePrices[];
  readonly limits: Readonly<typeof defaultLimits>;
  /** Bits of the body that an old bounced message returns. */
  readonly bouncedBodyBits: number;
  readonly blackhole: Hash | undefined;
  readonly suspended: SuspendedAddressList | undefined;
  isSpecial(workchain: number, account: Hash): boolean;
  /** Gas that a listed code is charged, whatever it used. */
  findPrecompiled(code: Cell): bigint | undefined;
  /** Parameters that instructions for fees use, as the machine finds them in c7. */
  unpackedConfig(now: number): Tuple;
}

const known = new WeakMap<Cell, Rules>();

/** The rules of a configuration; they are kept for as long as its root is. */
export function rulesOf(config: Config): Rules {
  const { root } = config.params;
  if (root === undefined) throw new TvmError("tvm/input", "a configuration without parameters");
  const rules = known.get(root) ?? makeRules(config, root);
  known.set(root, rules);
  return rules;
}

function makeRules(config: Config, root: Cell): Rules {
  const global = findParam(config, 8, GlobalVersion);
  const special = findParam(config, 31, FundamentalContracts);
  const keeper = findParam(config, 0, hash);
  const precompiled = findParam(config, 45, PrecompiledContractsConfig)?.list;
  return {
    config,
    version: Math.min(global?.version ?? 0, supportedGlobalVersion),
    root,
    gas: {
      masterchain: gasPricesOf(getParam(config, 20, GasLimitsPrices)),
      basechain: gasPricesOf(getParam(config, 21, GasLimitsPrices)),
    },
    forward: {
      masterchain: getParam(config, 24, MsgForwardPrices),
      basechain: getParam(config, 25, MsgForwardPrices),
    },
    storage: getParam(config, 18, StoragePriceList).values(),
    limits: { ...defaultLimits, ...findParam(config, 43, SizeLimitsConfig) },
    bouncedBodyBits: hasCapability(global, capability.bounceBody) ? 256 : 0,
    blackhole: findParam(config, 5, BurningConfig)?.blackholeAccount,
    suspended: findParam(config, 44, SuspendedAddressList),
    isSpecial: (workchain, account) =>
      workchain === masterchain && (account === keeper || special?.has(account) === true),
    findPrecompiled: (code) => precompiled?.find(code.hash())?.gasUsage,
    unpackedConfig: (now) => unpackedConfig(config, now),
  };
}
