import openEmulator from "@ton/sandbox/dist/executor/emulator-emscripten.js";
import type { Answer, GetMethodJob, Job, Kept, NamedText, TransactionJob } from "./protocol.ts";
import { makeQuickCalls } from "./quickCalls.ts";
import { readVmLog } from "./vmLog.ts";

/** A configuration in the machine's memory, and the transaction emulators made from it by their verbosity. */
interface HeldConfig {
  readonly pointer: number;
  readonly emulators: Map<number, HeldEmulator>;
}

interface HeldEmulator {
  readonly pointer: number;
  /** The name of the previous blocks that it has. */
  previousBlocks: string | undefined;
}

/** Input that the machine does not take; it can go on with other runs. */
export class Refusal extends Error {}

/**
 * The machine of one worker. Everything that it keeps between runs is set anew by each run: an emulator remembers
 * seed, libraries and previous blocks, so that a run without them would see those of another account. Only previous
 * blocks, which take longer to read than most runs last, are not told again to an emulator that has the same ones.
 */
export class Emulator {
  readonly #module: EmulatorModule;
  readonly #memory: WasmMemory;
  readonly #configs = new Map<string, HeldConfig>();
  readonly #previousBlocks = new Map<string, string>();

  private constructor(module: EmulatorModule, memory: WasmMemory) {
    this.#module = module;
    this.#memory = memory;
  }

  static async open(code: WasmModule): Promise<Emulator> {
    let memory: WasmMemory | undefined;
    const module = await openEmulator({
      instantiateWasm: (imports, done) => {
        void instantiate(code, imports).then((instance) => {
          memory = findMemory(instance);
          done(instance, code);
        });
        return {};
      },
      print: () => {},
      printErr: () => {},
    });
    if (memory === undefined) throw new Error("the machine shows no memory");
    return new Emulator(module, memory);
  }

  /** Never shrinks, whatever is freed inside. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Runs a job to its end. */
  run(job: Job): Answer {
    const config = this.#hold(job.config);
    const text = job.kind === "getMethod" ? this.#runGetMethod(job, config) : this.#runTransaction(job, config);
    const { vm_log: log = "", ...output } = readAnswer(text);
    return { output, marks: readVmLog(log), log: job.wantsLog ? log : "" };
  }

  forget(what: Kept, key: string): void {
    if (what === "previousBlocks") this.#previousBlocks.delete(key);
    else this.#forgetConfig(key);
  }

  #forgetConfig(key: string): void {
    const held = this.#configs.get(key);
    if (held === undefined) return;
    this.#configs.delete(key);
    for (const { pointer } of held.emulators.values()) this.#module._destroy_emulator(pointer);
    this.#module._free(held.pointer);
  }

  #runGetMethod(job: GetMethodJob, config: HeldConfig): string {
    const told = job.previousBlocks && this.#holdBlocks(job.previousBlocks);
    return this.#call([withBlocks(job.parameters, told), job.stack], ([parameters = 0, stack = 0]) =>
      this.#module._run_get_method(parameters, stack, config.pointer),
    );
  }

  #runTransaction(job: TransactionJob, config: HeldConfig): string {
    const emulator = this.#emulator(job, config);
    const blocks = job.previousBlocks && { key: job.previousBlocks.key, text: this.#holdBlocks(job.previousBlocks) };
    const told = blocks?.key === emulator.previousBlocks ? undefined : blocks?.text;
    const texts = [job.libraries, job.account, job.message, withBlocks(job.parameters, told)];
    const text = this.#call(texts, ([libraries = 0, account = 0, message = 0, parameters = 0]) =>
      this.#module._emulate_with_emulator(emulator.pointer, libraries, account, message, parameters),
    );
    // The machine destroys an emulator whose parameters it refuses; using it once more would be use after free.
    if (isRefusal(text)) config.emulators.delete(job.verbosity);
    else emulator.previousBlocks = blocks?.key;
    return text;
  }

  #emulator(job: TransactionJob, config: HeldConfig): HeldEmulator {
    const known = config.emulators.get(job.verbosity);
    if (known !== undefined) return known;
    const made = { pointer: this.#module._create_emulator(config.pointer, job.verbosity), previousBlocks: undefined };
    if (made.pointer === 0) throw new Refusal("the configuration cannot be read");
    config.emulators.set(job.verbosity, made);
    return made;
  }

  #holdBlocks({ key, boc }: NamedText): string {
    const text = boc ?? this.#previousBlocks.get(key);
    if (text === undefined) throw new Error(`previous blocks ${key} were never told`);
    this.#previousBlocks.set(key, text);
    return text;
  }

  #hold({ key, boc }: NamedText): HeldConfig {
    const known = this.#configs.get(key);
    if (known !== undefined) return known;
    if (boc === undefined) throw new Error(`configuration ${key} was never told`);
    const held = { pointer: this.#store(boc), emulators: new Map<number, HeldEmulator>() };
    this.#configs.set(key, held);
    return held;
  }

  #call(texts: readonly string[], invoke: (pointers: readonly number[]) => number): string {
    const pointers = texts.map((text) => this.#store(text));
    const answer = invoke(pointers);
    const text = this.#module.UTF8ToString(answer);
    for (const pointer of [...pointers, answer]) this.#module._free(pointer);
    return text;
  }

  #store(text: string): number {
    const size = this.#module.lengthBytesUTF8(text) + 1;
    const pointer = this.#module._malloc(size);
    if (pointer === 0) throw new Error(`no memory for ${size} bytes`);
    this.#module.stringToUTF8(text, pointer, size);
    return pointer;
  }
}

async function instantiate(code: WasmModule, imports: WasmImports): Promise<WasmInstance> {
  const quick = await makeQuickCalls(imports, String(openEmulator));
  const instance = await WebAssembly.instantiate(code, quick?.imports ?? imports);
  quick?.tie(instance.exports);
  return instance;
}

function findMemory(instance: WasmInstance): WasmMemory | undefined {
  return Object.values(instance.exports).find((value): value is WasmMemory => value instanceof WebAssembly.Memory);
}

/** Parameters with the previous blocks put into them. */
function withBlocks(parameters: string, boc: string | undefined): string {
  return boc === undefined ? parameters : `${parameters.slice(0, -1)},"prev_blocks_info":"${boc}"}`;
}

interface Output extends Readonly<Record<string, unknown>> {
  readonly vm_log?: string;
}

function isRefusal(text: string): boolean {
  return text.startsWith('{"fail":');
}

/** The machine answers `{ output, logs }`, or `{ fail, message }` when it did not come to running. */
function readAnswer(text: string): Output {
  const answer: { readonly message?: string; readonly output?: Output } = JSON.parse(text);
  if (answer.output === undefined) throw new Refusal(answer.message ?? "no reason given");
  return answer.output;
}
