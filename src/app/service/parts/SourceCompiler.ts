import { type ChildProcess, execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { CompiledSource, CompileSource } from "../../../contracts/AbiLibrary.ts";
import { findSourceFiles } from "../../../contracts/abi/files/sourceText.ts";
import type { Clock } from "../../../lib/clock.ts";
import { findHash } from "../../../model/Hash.ts";

/** The compiler, which is not a part of this package: users install it beside it. */
const compilerPackage = "@ton/tolk-js";

export interface SourceCompilerOptions {
  readonly timeoutMs: number;
  /** Sources whose results are kept: as many as there can be ABIs, so that no caller has one compiled again and again. */
  readonly maxKept: number;
  /** After how long a source is tried again whose compiler came to no end. */
  readonly retryMs: number;
  readonly findCompiler: () => string | undefined;
}

const usualOptions: SourceCompilerOptions = { timeoutMs: 60_000, maxKept: 1000, retryMs: 600_000, findCompiler };

function findCompiler(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(compilerPackage);
  } catch {
    // It is not installed.
    return undefined;
  }
}

interface KnownSource {
  readonly compiled: Promise<CompiledSource>;
  retryAtMs: number;
}

/**
 * Compiles sources of contracts, one at a time, each in a process that is killed when it takes too long. The compiler
 * reads the files of the source alone; what it makes is never run.
 */
export class SourceCompiler {
  readonly #options: SourceCompilerOptions;
  readonly #known = new Map<string, KnownSource>();
  readonly #clock: Pick<Clock, "monotonic">;
  #last: Promise<unknown> = Promise.resolve();
  #child: ChildProcess | undefined;

  constructor(clock: Pick<Clock, "monotonic">, options: Partial<SourceCompilerOptions> = {}) {
    this.#clock = clock;
    this.#options = { ...usualOptions, ...options };
  }

  /** Ends the process that runs. */
  async close(): Promise<void> {
    this.#child?.kill("SIGKILL");
  }

  readonly compile: CompileSource = (text) => {
    const compiler = this.#options.findCompiler();
    if (compiler === undefined) return Promise.resolve({ kind: "absent", package: compilerPackage });
    const key = createHash("sha256").update(text).digest("hex");
    const known = this.#known.get(key);
    if (known !== undefined && this.#clock.monotonic() < known.retryAtMs) return known.compiled;
    const compiled = this.#last.then(() => this.#run(compiler, text, () => this.#retryLater(key)));
    this.#last = compiled;
    this.#known.set(key, { compiled, retryAtMs: Number.POSITIVE_INFINITY });
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#options.maxKept && oldest !== undefined) this.#known.delete(oldest);
    return compiled;
  };

  /** A process that did not come to its end may do so another time. */
  #retryLater(key: string): void {
    const known = this.#known.get(key);
    if (known !== undefined) known.retryAtMs = this.#clock.monotonic() + this.#options.retryMs;
  }

  #run(compiler: string, text: string, onFailed: () => void): Promise<CompiledSource> {
    const files = findSourceFiles(text);
    const [entry] = files ?? [];
    if (files === undefined || entry === undefined)
      return Promise.resolve({ kind: "failed", reason: "the source has too many files" });
    const input = JSON.stringify({
      compiler,
      entry: entry.name,
      files: files.map(({ name, text: own }) => [name, own]),
    });
    const options = {
      timeout: this.#options.timeoutMs,
      killSignal: "SIGKILL" as const,
      maxBuffer: 1 << 20,
      env: {},
    };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ["--max-old-space-size=256", "--input-type=commonjs", "--eval", program],
        options,
        (error, output) => {
          this.#child = undefined;
          if (error !== null) onFailed();
          resolve(readOutput(error, output, options.timeout));
        },
      );
      this.#child = child;
      // A process that ended early has told its reason by its end.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  }
}

/** The program of the process: small enough to be given as text. */
const program = `
const parts = [];
process.stdin.on("data", (part) => parts.push(part)).on("end", async () => {
  const { compiler, entry, files } = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const { runTolkCompiler, getTolkCompilerVersion } = require(compiler);
  const texts = new Map(files);
  const fsReadCallback = (name) => {
    if (!texts.has(name)) throw new Error(name + " is not a file of the source");
    return texts.get(name);
  };
  const { status, codeHashHex, message } = await runTolkCompiler({ entrypointFileName: entry, fsReadCallback });
  process.stdout.write(JSON.stringify({ status, codeHashHex, message, version: await getTolkCompilerVersion() }));
});
`;

/** Characters of a compiler's message that are passed on. */
const maxReason = 2000;

function readOutput(error: (Error & { killed?: boolean }) | null, output: string, timeoutMs: number): CompiledSource {
  if (error?.killed === true) return { kind: "failed", reason: `it took more than ${timeoutMs / 1000} s, or too much` };
  const result = error === null ? findResult(output) : undefined;
  if (result === undefined) return { kind: "failed", reason: "the compiler ended without a result" };
  const { status, codeHashHex, message, version } = result;
  const codeHash = status === "ok" ? findHash(String(codeHashHex)) : undefined;
  if (codeHash !== undefined) return { kind: "compiled", codeHash, compiler: `tolk ${version}` };
  return { kind: "failed", reason: String(message).slice(0, maxReason) };
}

/** What the process wrote; a compiler may write other things there, or nothing. */
function findResult(output: string) {
  try {
    return Object(JSON.parse(output));
  } catch {
    return undefined;
  }
}
