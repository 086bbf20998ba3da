import { Cell as CoreCell } from "@ton/core";
import { Executor as Sandbox } from "@ton/sandbox";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { ShardAccount } from "../../../src/model/Account.ts";
import type { Config } from "../../../src/model/config/ConfigParams.ts";
import { hashToBytes } from "../../../src/model/Hash.ts";
import type { AccountRun, TickTockRun, TransactionRun } from "../../../src/tvm/Executor.ts";

/** What a run became, as one text that can be compared. */
export type RunText = string;

/** The WebAssembly machine of `@ton/sandbox`, an early build of global version 13: it knows the rules of all versions before. */
export class SandboxOracle {
  #sandbox: Sandbox;
  readonly #configs = new WeakMap<Config, string>();

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  static async open(): Promise<SandboxOracle> {
    return new SandboxOracle(await Sandbox.create());
  }

  /** `undefined` when the machine itself breaks, which says nothing of the rules. */
  async runTransaction(run: TransactionRun, libraries: Cell | undefined): Promise<RunText | undefined> {
    const args = { ...this.#common(run, libraries), message: coreCell(run.message) };
    return this.#try(() => this.#sandbox.runTransaction(args), libraries);
  }

  async runTickTock(run: TickTockRun, libraries: Cell | undefined): Promise<RunText | undefined> {
    const args = { ...this.#common(run, libraries), which: run.which };
    return this.#try(() => this.#sandbox.runTickTock(args), libraries);
  }

  /** A machine that broke gives wrong answers afterwards, and one that had libraries keeps them: a new one is opened. */
  async #try(run: () => Promise<Emulation>, libraries: Cell | undefined): Promise<RunText | undefined> {
    let text: RunText | undefined;
    try {
      text = textOf(await run());
    } catch {
      text = undefined;
    }
    if (text === undefined || libraries !== undefined) this.#sandbox = await Sandbox.create();
    return text;
  }

  #common(run: AccountRun, libraries: Cell | undefined) {
    return {
      config: this.#config(run.config),
      libs: libraries === undefined ? null : coreCell(libraries),
      verbosity: "short" as const,
      shardAccount: base64(storeCell(ShardAccount, run.account)),
      now: run.now,
      lt: run.lt,
      randomSeed: hashToBytes(run.randomSeed),
      ignoreChksig: false,
      debugEnabled: false,
    };
  }

  #config(config: Config): string {
    const { root } = config.params;
    if (root === undefined) throw new Error("a configuration without parameters");
    const text = this.#configs.get(config) ?? base64(root);
    this.#configs.set(config, text);
    return text;
  }
}

type Emulation = Awaited<ReturnType<Sandbox["runTransaction"]>>;

function textOf({ result }: Emulation): RunText {
  if (result.success) return `${rootHash(result.transaction)} ${rootHash(result.shardAccount)}`;
  return result.vmResults === undefined ? "rejected" : `not accepted ${result.vmResults.vmExitCode}`;
}

function rootHash(text: string): string {
  return readRoot(Buffer.from(text, "base64")).hash();
}

function base64(cell: Cell): string {
  return Buffer.from(writeBoc([cell])).toString("base64");
}

function coreCell(cell: Cell): CoreCell {
  return CoreCell.fromBase64(base64(cell));
}
