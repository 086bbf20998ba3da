import { type ChildProcess, execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { readRoot } from "../../../cell/boc.ts";
import type { CompiledSource, CompileSource } from "../../../contracts/AbiLibrary.ts";
import { findSourceFiles, type SourceFile } from "../../../contracts/abi/files/sourceText.ts";
import type { CompiledListing, ListedFile } from "../../../contracts/abi/source/SourceMap.ts";
import { fromBase64 } from "../../../lib/bytes.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import { Lru } from "../../../lib/lru.ts";
import { findHash } from "../../../model/Hash.ts";

/** The compiler, which is not a part of this package: users install it beside it. */
const compilerPackage = "@ton/tolk-js";

export interface SourceCompilerOptions {
  readonly timeoutMs: number;
  /**
   * Sources whose results are kept: as many as there can be ABIs, so that no caller has one compiled again and again.
   */
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
  readonly #known: Lru<string, KnownSource>;
  readonly #clock: Pick<Clock, "monotonic">;
  #last: Promise<unknown> = Promise.resolve();
  #child: ChildProcess | undefined;

  constructor(clock: Pick<Clock, "monotonic">, options: Partial<SourceCompilerOptions> = {}) {
    this.#clock = clock;
    this.#options = { ...usualOptions, ...options };
    this.#known = new Lru({ maxBytes: this.#options.maxKept, sizeOf: () => 1 });
  }

  /** Ends the process that runs. */
  async close(): Promise<void> {
    this.#child?.kill("SIGKILL");
  }

  readonly compile: CompileSource = (text) => {
    const compiler = this.#options.findCompiler();
    if (compiler === undefined) return Promise.resolve({ kind: "absent", package: compilerPackage });
    const key = createHash("sha256").update(text).digest("hex");
    const known = this.#known.find(key);
    if (known !== undefined && this.#clock.monotonic() < known.retryAtMs) return known.compiled;
    const compiled = this.#inTurn(() => this.#compile(compiler, text, () => this.#retryLater(key)));
    this.#known.set(key, { compiled, retryAtMs: Number.POSITIVE_INFINITY });
    return compiled;
  };

  /** A source with the assembler text of its code; `undefined` when there is none, or it is too long. */
  list(text: string): Promise<CompiledListing | undefined> {
    const compiler = this.#options.findCompiler();
    const files = numberLines(findSourceFiles(text) ?? []);
    if (compiler === undefined || files.length === 0) return Promise.resolve(undefined);
    return this.#inTurn(async () => {
      const { error, output } = await this.#run({ compiler, files, isListed: true }, maxListing);
      const { status, codeBoc64, fiftCode } = (error === null && findResult(output)) || {};
      if (status !== "ok" || typeof codeBoc64 !== "string" || typeof fiftCode !== "string") return undefined;
      const code = findCode(codeBoc64);
      return code && { code, fift: fiftCode, files };
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** A process that did not come to its end may do so another time. */
  #retryLater(key: string): void {
    const known = this.#known.peek(key);
    if (known !== undefined) known.retryAtMs = this.#clock.monotonic() + this.#options.retryMs;
  }

  async #compile(compiler: string, text: string, onFailed: () => void): Promise<CompiledSource> {
    const files = findSourceFiles(text);
    if (files === undefined) return { kind: "failed", reason: "the source has too many files" };
    const { error, output } = await this.#run({ compiler, files, isListed: false }, maxVerdict);
    if (error !== null) onFailed();
    return readOutput(error, output, this.#options.timeoutMs);
  }

  #run(input: ProcessInput, maxBuffer: number): Promise<ProcessOutput> {
    const options = { timeout: this.#options.timeoutMs, killSignal: "SIGKILL" as const, maxBuffer, env: {} };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ["--max-old-space-size=256", "--input-type=commonjs", "--eval", program],
        options,
        (error, output) => {
          this.#child = undefined;
          resolve({ error, output });
        },
      );
      this.#child = child;
      // A process that ended early has told its reason by its end.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(JSON.stringify(input));
    });
  }
}

interface ProcessInput {
  readonly compiler: string;
  /** The first one is compiled. */
  readonly files: readonly (SourceFile & Partial<Pick<ListedFile, "lineOffset">>)[];
  /** Whether the text for the assembler is wanted. */
  readonly isListed: boolean;
}

interface ProcessOutput {
  readonly error: (Error & { killed?: boolean }) | null;
  readonly output: string;
}

/** Longest output of a process, without and with the text for the assembler; it is parsed in one piece. */
const maxVerdict = 1 << 20;
const maxListing = 4 << 20;
/** More lines than a file of the compiler's own library has. */
const firstOffset = 20_000;
/** Empty lines in front of all files together. */
const maxOffsets = 16 << 20;

/** The compiler's comments have numbers of lines and no names of files: no two files get the same numbers. */
function numberLines(files: readonly SourceFile[]): readonly ListedFile[] {
  let lineOffset = firstOffset;
  let sum = 0;
  const listed = files.map((file) => {
    const own = { ...file, lineOffset };
    sum += lineOffset;
    lineOffset += file.text.split("\n").length;
    return own;
  });
  return sum > maxOffsets ? [] : listed;
}

function findCode(base64: string) {
  try {
    return readRoot(fromBase64(base64));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

/** The program of the process: small enough to be given as text. */
const program = `
const parts = [];
process.stdin.on("data", (part) => parts.push(part)).on("end", async () => {
  const { compiler, files, isListed } = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const { runTolkCompiler, getTolkCompilerVersion } = require(compiler);
  const texts = new Map(files.map(({ name, text, lineOffset = 0 }) => [name, "\\n".repeat(lineOffset) + text]));
  const fsReadCallback = (name) => {
    if (!texts.has(name)) throw new Error(name + " is not a file of the source");
    return texts.get(name);
  };
  const comments = { withStackComments: isListed, withSrcLineComments: isListed };
  const result = await runTolkCompiler({ entrypointFileName: files[0].name, fsReadCallback, ...comments });
  const { status, codeHashHex, message, codeBoc64, fiftCode } = result;
  const shown = isListed ? { codeBoc64, fiftCode } : { codeHashHex, message, version: await getTolkCompilerVersion() };
  process.stdout.write(JSON.stringify({ status, ...shown }));
});
`;

/** Characters of a compiler's message that are passed on. */
const maxReason = 2000;

function readOutput(error: ProcessOutput["error"], output: string, timeoutMs: number): CompiledSource {
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
