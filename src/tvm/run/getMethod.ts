import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { accountOf, workchainOf } from "../../model/Address.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { GlobalVersion } from "../../model/config/GlobalVersion.ts";
import { SizeLimitsConfig } from "../../model/config/limits.ts";
import { findParam } from "../../model/config/readConfig.ts";
import { methodId } from "../../model/vm/methodId.ts";
import type { GetMethodOutcome, GetMethodRun } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import { supportedGlobalVersion } from "../globalVersion.ts";
import { cellSlice } from "../machine/CellSlice.ts";
import { fromBig } from "../machine/integers.ts";
import type { Tuple } from "../machine/StackValue.ts";
import { fromVmStack, fromVmValue, toVmStack } from "../machine/vmStack.ts";
import { contextTuple, moneyTuple, noMessage } from "../phases/contextTuple.ts";
import { unpackedConfig } from "../phases/unpackedConfig.ts";
import { openLibraries } from "./RunLibraries.ts";
import type { QueueTicket } from "./RunQueue.ts";
import { type CodeInput, type RunHost, runCode } from "./runCode.ts";
import { StepLog } from "./stepLog.ts";

/** Different libraries that one get-method may load, unless the network allows fewer. */
const libraryLoadsLimit = 8;

export function runGetMethod(run: GetMethodRun, host: RunHost, signal?: AbortSignal): Promise<GetMethodOutcome> {
  const atPlace = async (ticket: QueueTicket): Promise<GetMethodOutcome> => {
    throwIfAborted(signal);
    const log = new StepLog(run.log);
    const libraries = openLibraries(undefined, run.findLibrary, signal);
    const end = await runCode(inputOf(run, log.listener), libraries, host, ticket, signal);
    const { exitCode, gasUsed, stack, missingLibrary } = end;
    return { exitCode, gasUsed: BigInt(gasUsed), stack: toVmStack(stack), missingLibrary, log: log.textWith(end) };
  };
  return host.queue.run(run, atPlace, signal);
}

type Settings = Pick<CodeInput, "globalVersion" | "maxLibraryLoads" | "maxDataDepth">;
const known = new WeakMap<Cell, Settings>();

/** What the configuration says of the machine; kept for as long as its root is. */
function settingsOf(config: Config): Settings {
  const { root } = config.params;
  const found = root && known.get(root);
  if (found !== undefined) return found;
  const limits = findParam(config, 43, SizeLimitsConfig);
  const settings = {
    globalVersion: Math.min(findParam(config, 8, GlobalVersion)?.version ?? 0, supportedGlobalVersion),
    maxLibraryLoads: Math.min(
      libraryLoadsLimit,
      (limits?.kind === "v1" ? undefined : limits?.maxTransactionLibraryLoads) ?? libraryLoadsLimit,
    ),
    maxDataDepth: limits?.maxVmDataDepth,
  };
  if (root !== undefined) known.set(root, settings);
  return settings;
}

function inputOf(run: GetMethodRun, onStep: CodeInput["onStep"]): CodeInput {
  const { globalVersion, maxLibraryLoads, maxDataDepth } = settingsOf(run.config);
  checkInput(run);
  const limit = Number(run.gasLimit);
  return {
    code: run.code,
    data: run.data,
    libraryCode: "load",
    stack: [...fromVmStack(run.stack), methodId(run.method)],
    c7: contextOf(run, globalVersion),
    gas: { limit, max: limit, credit: 0 },
    globalVersion,
    maxLibraryLoads,
    maxDataDepth,
    onStep,
  };
}

const coinsLimit = 1n << 120n;

function checkInput({ now, balance, gasLimit, method, config }: GetMethodRun): void {
  const isWrong = (name: string) => new TvmError("tvm/input", `a get-method with a bad ${name}`);
  if (!Number.isInteger(now) || now < 0 || now >= 2 ** 32) throw isWrong("time");
  if (balance.coins < 0n || balance.coins >= coinsLimit) throw isWrong("balance");
  if (gasLimit < 0n || gasLimit > BigInt(Number.MAX_SAFE_INTEGER)) throw isWrong("gas limit");
  if (methodId(method) !== (methodId(method) | 0)) throw isWrong("method");
  if (config.params.root === undefined) throw isWrong("configuration");
}

function contextOf(run: GetMethodRun, version: number): Tuple {
  const { address, balance, config, now, previousBlocks } = run;
  const self = beginCell().storeUint(4, 3).storeInt(workchainOf(address), 8).storeHex(accountOf(address)).cell();
  const seed = fromBig(BigInt(`0x${run.randomSeed}`));
  const money = moneyTuple({ coins: balance.coins, extra: balance.extra.root });
  return contextTuple(
    version,
    [now, 0, 0, seed, money, cellSlice(self), config.params.root ?? null],
    [run.code, [0, null], 0, previousBlocks === undefined ? null : fromVmValue(previousBlocks)],
    [unpackedConfig(config, now), 0, null],
    [noMessage],
  );
}
