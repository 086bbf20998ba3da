import type { Cell } from "../../cell/Cell.ts";
import { CellKind } from "../../cell/CellKind.ts";
import { libraryHash } from "../../cell/exotic.ts";
import { sliceOf } from "../../cell/Slice.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { plainAddress, workchainOf } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { type Hash, hashToBytes } from "../../model/Hash.ts";
import { MessageInfo } from "../../model/Message.ts";
import type { StateInit } from "../../model/StateInit.ts";
import type {
  AccountRun,
  Executor,
  GetMethodOutcome,
  GetMethodRun,
  RunEnvironment,
  TickTockRun,
  TransactionOutcome,
  TransactionRun,
} from "../Executor.ts";
import { TvmError } from "../errors.ts";
import { supportedGlobalVersion } from "../globalVersion.ts";
import { type GetMethodAnswer, readGetMethodAnswer, readTransactionAnswer } from "./answers.ts";
import { ConfigTexts, type PreparedConfig } from "./ConfigTexts.ts";
import { EndlessCode } from "./EndlessCode.ts";
import { Habits } from "./Habits.ts";
import { type Libraries, makeGetMethodJob, makeTickTockJob, makeTransactionJob, type SharedTexts } from "./jobs.ts";
import { LibraryDesk, librariesIn } from "./LibraryDesk.ts";
import { PreviousBlocksTexts } from "./PreviousBlocksTexts.ts";
import type { NamedText, TransactionJob } from "./protocol.ts";
import type { ThreadPool, ThreadPoolCounters } from "./ThreadPool.ts";

/** More than any get-method takes within its gas, and less than a request may take: who waits is told why. */
const maxMethodMs = 5000;

type SlimForm = NonNullable<PreparedConfig["slim"]>;

/** Turns runs into jobs of the machine and its answers into outcomes, and repeats a run that lacked something. */
export class WasmExecutor implements Executor {
  readonly supportedGlobalVersion = supportedGlobalVersion;
  readonly #pool: ThreadPool;
  readonly #configs = new ConfigTexts();
  readonly #previousBlocks = new PreviousBlocksTexts();
  readonly #habits = new Habits();
  readonly #endless: EndlessCode;

  constructor(pool: ThreadPool, clock: Clock) {
    this.#pool = pool;
    this.#endless = new EndlessCode(clock);
  }

  get counters(): ThreadPoolCounters {
    return this.#pool.counters;
  }

  runGetMethod(run: GetMethodRun, signal?: AbortSignal): Promise<GetMethodOutcome> {
    return this.#endless.guard(`${run.address} ${run.code.hash()}`, () => this.#runMethod(run, signal));
  }

  async #runMethod(run: GetMethodRun, signal: AbortSignal | undefined): Promise<GetMethodOutcome> {
    const config = this.#configs.get(run.config);
    const key = `${run.code.hash()} ${run.method}`;
    const habit = this.#habits.get(key);
    const desk = new LibraryDesk(run.findLibrary, signal);
    await desk.askAll([...libraryAtRoot(run.code), ...habit.libraries]);
    const slim = habit.wantsWholeConfig || isInMasterchain(run) ? undefined : config.slim;
    const quick = slim === undefined ? undefined : await this.#tryGetMethod(run, slim.text, slim.leftOut, desk, signal);
    const isEnough = quick !== undefined && slim !== undefined && !asksForMore(quick, slim);
    const answer = isEnough ? quick : await this.#tryGetMethod(run, config.whole, [], desk, signal);
    const wantsWholeConfig = habit.wantsWholeConfig || (slim !== undefined && !isEnough);
    this.#habits.set(key, { libraries: [...desk.found.keys()], wantsWholeConfig });
    const { exitCode, gasUsed, stack, missingLibrary, log } = answer;
    return { exitCode, gasUsed, stack, missingLibrary, log };
  }

  async runTransaction(run: TransactionRun, signal?: AbortSignal): Promise<TransactionOutcome> {
    checkDestination(run);
    const shared = this.#shared(run, this.#configs.get(run.config).whole);
    return this.#runOnAccount(run, [run.message], (libraries) => makeTransactionJob(run, shared, libraries), signal);
  }

  async runTickTock(run: TickTockRun, signal?: AbortSignal): Promise<TransactionOutcome> {
    const shared = this.#shared(run, this.#configs.get(run.config).whole);
    return this.#runOnAccount(run, [], (libraries) => makeTickTockJob(run, shared, libraries), signal);
  }

  /** Takes no new runs, lets those under way end, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Ends everything at once; runs under way fail with this reason. */
  destroy(reason: Error): void {
    this.#pool.destroy(reason);
  }

  #shared({ previousBlocks }: RunEnvironment, config: NamedText): SharedTexts {
    return { config, previousBlocks: previousBlocks && this.#previousBlocks.get(previousBlocks) };
  }

  /** Runs until no library is missing that somebody has. */
  async #tryGetMethod(
    run: GetMethodRun,
    config: NamedText,
    leftOut: readonly Hash[],
    desk: LibraryDesk,
    signal: AbortSignal | undefined,
  ): Promise<GetMethodAnswer> {
    const shared = this.#shared(run, config);
    for (;;) {
      const answer = readGetMethodAnswer(
        await this.#pool.run(makeGetMethodJob(run, shared, desk.found), signal, run.turn, maxMethodMs),
      );
      const { missingLibrary } = answer;
      if (missingLibrary === undefined || leftOut.includes(missingLibrary) || !(await desk.ask(missingLibrary)))
        return answer;
    }
  }

  /** As above; but a transaction does not tell which library it missed, so all that its cells name are asked for. */
  async #runOnAccount(
    run: AccountRun,
    given: readonly Cell[],
    makeJob: (libraries: Libraries) => TransactionJob,
    signal: AbortSignal | undefined,
  ): Promise<TransactionOutcome> {
    const { code, data } = findActiveInit(run.account) ?? {};
    const cells = [code, data, ...given].filter((cell) => cell !== undefined);
    const key = code?.hash() ?? "";
    const desk = new LibraryDesk(run.findLibrary, signal);
    await desk.askAll([...(code === undefined ? [] : libraryAtRoot(code)), ...this.#habits.get(key).libraries]);
    for (;;) {
      const answer = await this.#pool.run(makeJob(desk.found), signal, run.turn);
      if (!answer.marks.missedLibrary || !(await desk.askAll(librariesIn([...cells, ...desk.found.values()])))) {
        this.#habits.set(key, { libraries: [...desk.found.keys()], wantsWholeConfig: false });
        return readTransactionAnswer(answer);
      }
    }
  }
}

/**
 * Whether a run with a slim configuration may have wanted what is not in it. A library that is missing for good counts
 * too: the machine tells only the last one missed.
 */
function asksForMore(answer: GetMethodAnswer, slim: SlimForm): boolean {
  const { sawConfigRoot, missingLibrary, stackBytes } = answer;
  return (
    sawConfigRoot ||
    missingLibrary !== undefined ||
    slim.leftOut.some((hash) => indexOfBytes(stackBytes, hashToBytes(hash)) >= 0)
  );
}

function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(wanted);
}

/**
 * The contract that keeps the configuration has the same cells in its data; opening a cell twice costs less gas than
 * opening two, so it would pay more with a slim configuration.
 */
function isInMasterchain(run: GetMethodRun): boolean {
  return workchainOf(run.address) === masterchain;
}

/** The machine does not look: it would run the code of one account over the message to another. */
function checkDestination({ account, message }: TransactionRun): void {
  const info = MessageInfo.load(sliceOf(message));
  const found = account.account.load();
  if (info.kind === "externalOut") throw new TvmError("tvm/input", "a message to the outside is for no account");
  if (found.kind === "account" && plainAddress(found.address) !== plainAddress(info.dest))
    throw new TvmError("tvm/input", `a message for ${info.dest} on account ${found.address}`);
}

function findActiveInit({ account }: ShardAccount): StateInit | undefined {
  const loaded = account.load();
  return loaded.kind === "account" && loaded.storage.state.kind === "active" ? loaded.storage.state.init : undefined;
}

/** Code that is nothing but a reference to a library surely asks for it. */
function libraryAtRoot(code: Cell): readonly Hash[] {
  return code.kind === CellKind.library ? [libraryHash(code)] : [];
}
