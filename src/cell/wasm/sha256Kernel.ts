import { initialState, roundConstants } from "../../lib/browser/sha256.ts";
import { assembleModule } from "./assemble.ts";
import { hashFour, hashOne, layout } from "./sha256Code.ts";

/** SHA-256 of padded messages in `memory`, laid out as in `layout`; `size` is that of the longest. */
export interface Sha256Kernel {
  readonly memory: ArrayBuffer;
  hashOne(size: number): void;
  hashFour(size: number): void;
}

/** The used part of the engine's interface; the types of Node 20 do not declare it. */
interface WebAssemblyGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: KernelExports };
  validate(bytes: Uint8Array): boolean;
}

interface KernelExports extends Omit<Sha256Kernel, "memory"> {
  readonly memory: { readonly buffer: ArrayBuffer };
}

/** The bytes of the module; every current engine accepts them. */
export function assembleKernel(): Uint8Array {
  const constants = { initial: initialState, rounds: roundConstants };
  return assembleModule([hashOne(constants), hashFour(constants)]);
}

/** Makes the kernel; returns undefined when the engine has no WebAssembly or no SIMD. */
export function findKernel(): Sha256Kernel | undefined {
  // The cast gives the global the types it has: see WebAssemblyGlobal.
  const { WebAssembly } = globalThis as { readonly WebAssembly?: WebAssemblyGlobal };
  if (WebAssembly === undefined) return undefined;
  const bytes = assembleKernel();
  if (!WebAssembly.validate(bytes)) return undefined;
  const { memory, hashOne, hashFour } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  const table = new Int32Array(memory.buffer, layout.constantsAt, roundConstants.length * 4);
  for (let i = 0; i < table.length; i++) table[i] = roundConstants[i >> 2] as number;
  return { memory: memory.buffer, hashOne, hashFour };
}
