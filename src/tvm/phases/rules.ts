import type { Cell } from "../../cell/Cell.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import {
  type Config,
  type ConfigParamValue,
  findConfigParam,
  getConfigParam,
} from "../../model/config/ConfigParams.ts";
import { type GasPrices, gasPricesOf } from "../../model/config/GasLimitsPrices.ts";
import { capability, hasCapability } from "../../model/config/GlobalVersion.ts";
import type { MsgForwardPrices, StoragePrices } from "../../model/config/prices.ts";
import type { Hash } from "../../model/Hash.ts";
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

/** What addresses in a workchain may look like. */
export type Workchain = ReturnType<ConfigParamValue<12>["find"]>;

/** Everything transactions take from the configuration, read once. */
export interface Rules {
  /** The configuration's version, or the newest that the machine knows where that is older. */
  readonly version: number;
  readonly root: Cell;
  readonly gas: { readonly masterchain: GasPrices; readonly basechain: GasPrices };
  readonly forward: { readonly masterchain: MsgForwardPrices; readonly basechain: MsgForwardPrices };
  /** Oldest first. */
  readonly storage: readonly StoragePrices[];
  readonly limits: Readonly<typeof defaultLimits>;
  findWorkchain(id: number): Workchain | undefined;
  /** Bits of the body that an old bounced message returns. */
  readonly bouncedBodyBits: number;
  readonly blackhole: Hash | undefined;
  readonly suspended: ConfigParamValue<44> | undefined;
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

/** Every message that is sent looks one up. */
function remembered(workchains: ConfigParamValue<12>): Rules["findWorkchain"] {
  const known = new Map<number, Workchain>();
  return (id) => {
    const found = known.get(id) ?? workchains.find(id);
    if (found !== undefined) known.set(id, found);
    return found;
  };
}

function makeRules(config: Config, root: Cell): Rules {
  const global = findConfigParam(config, 8);
  const special = findConfigParam(config, 31);
  const keeper = findConfigParam(config, 0);
  const precompiled = findConfigParam(config, 45)?.list;
  return {
    version: Math.min(global?.version ?? 0, supportedGlobalVersion),
    root,
    gas: {
      masterchain: gasPricesOf(getConfigParam(config, 20)),
      basechain: gasPricesOf(getConfigParam(config, 21)),
    },
    forward: { masterchain: getConfigParam(config, 24), basechain: getConfigParam(config, 25) },
    storage: getConfigParam(config, 18).values(),
    limits: { ...defaultLimits, ...findConfigParam(config, 43) },
    findWorkchain: remembered(getConfigParam(config, 12)),
    bouncedBodyBits: hasCapability(global, capability.bounceBody) ? 256 : 0,
    blackhole: findConfigParam(config, 5)?.blackholeAccount,
    suspended: findConfigParam(config, 44),
    isSpecial: (workchain, account) =>
      workchain === masterchain && (account === keeper || special?.has(account) === true),
    findPrecompiled: (code) => precompiled?.find(code.hash())?.gasUsage,
    unpackedConfig: (now) => unpackedConfig(config, now),
  };
}
