import openEmulator from "@ton/sandbox/dist/executor/emulator-emscripten.js";
import type { Answer, ConfigText, GetMethodJob, Job, TransactionJob } from "./protocol.ts";
import { readVmLog } from "./vmLog.ts";

/** A configuration in the machine's memory, and the transaction emulators made from it by their verbosity. */
interface HeldConfig {
  readonly pointer: number;
  readonly emulators: Map<number, number>;
}

/** Input that the machine does not take; it can go on with other runs. */
export class Refusal extends Error {}

/**
 * The machine of one worker. Everything that it keeps between runs is set anew by each run: an emulator remembers
 * seed, libraries and previous blocks, so that a run without them would see those of another account.
 */
export class Emulator {
  readonly #module: EmulatorModule;
  readonly #memory: WasmMemory;
  readonly #configs = new Map<string, HeldConfig>();

  private constructor(module: EmulatorModule, memory: WasmMemory) {
    this.#module = module;
    this.#memory = memory;
  }

  static async open(code: WasmModule): Promise<Emulator> {
    let memory: WasmMemory | undefined;
    const module = await openEmulator({
      instantiateWasm: (imports, done) => {
        void WebAssembly.instantiate(code, imports).then((instance) => {
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

  forget(key: string): void {
    const held = this.#configs.get(key);
    if (held === undefined) return;
    this.#configs.delete(key);
    for (const emulator of held.emulators.values()) this.#module._destroy_emulator(emulator);
    this.#module._free(held.pointer);
  }

  #runGetMethod(job: GetMethodJob, config: HeldConfig): string {
    return this.#call([job.parameters, job.stack], ([parameters = 0, stack = 0]) =>
      this.#module._run_get_method(parameters, stack, config.pointer),
    );
  }

  #runTransaction(job: TransactionJob, config: HeldConfig): string {
    const emulator = this.#emulator(job, config);
    const texts = [job.libraries, job.account, job.message, job.parameters];
    const text = this.#call(texts, ([libraries = 0, account = 0, message = 0, parameters = 0]) =>
      this.#module._emulate_with_emulator(emulator, libraries, account, message, parameters),
    );
    // The machine destroys an emulator whose parameters it refuses; using it once more would be use after free.
    if (isRefusal(text)) config.emulators.delete(job.verbosity);
    return text;
  }

  #emulator(job: TransactionJob, config: HeldConfig): number {
    const known = config.emulators.get(job.verbosity);
    if (known !== undefined) return known;
    const made = this.#module._create_emulator(config.pointer, job.verbosity);
    if (made === 0) throw new Refusal("the configuration cannot be read");
    config.emulators.set(job.verbosity, made);
    return made;
  }

  #hold({ key, boc }: ConfigText): HeldConfig {
    const known = this.#configs.get(key);
    if (known !== undefined) return known;
    if (boc === undefined) throw new Error(`configuration ${key} was never told`);
    const held = { pointer: this.#store(boc), emulators: new Map<number, number>() };
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

function findMemory(instance: WasmInstance): WasmMemory | undefined {
  return Object.values(instance.exports).find((value): value is WasmMemory => value instanceof WebAssembly.Memory);
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
