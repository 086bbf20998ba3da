import openEmulator from "@ton/sandbox/dist/executor/emulator-emscripten.js";
import { describe, expect, it } from "vitest";
import { makeQuickCalls } from "../../../src/tvm/engine/quickCalls.ts";

type Call = (...args: readonly unknown[]) => unknown;

const glue =
  '_setThrew=wasmExports["c"];__emscripten_stack_restore=wasmExports["b"];_emscripten_stack_get_current=wasmExports["a"];';

/** Stands in for functions of the glue: only their names tell what they are. */
function named(name: string, call: Call): Call {
  return Object.defineProperty((...args: readonly unknown[]) => call(...args), "name", { value: name });
}

/** Nobody calls those that are replaced. */
const replaced = (name: string) => named(name, () => expect.unreachable());

const notQuick = named("_other", () => 1);
const script = {
  p: replaced("invoke_iii"),
  q: replaced("invoke_v"),
  r: replaced("invoke_jij"),
  s: replaced("invoke_di"),
  t: named("___cxa_throw", (pointer) => {
    throw pointer;
  }),
  u: notQuick,
};

/** Functions as a table takes them: exported by another module, which hands its imports out again. */
async function asExports(types: readonly (readonly number[])[], calls: readonly Call[]) {
  const section = (id: number, entries: readonly (readonly number[])[]) => {
    const content = [entries.length, ...entries.flat()];
    return [id, content.length, ...content];
  };
  const letter = (i: number) => [1, 0x61 + i];
  const code = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(
      2,
      types.map((_, i) => [1, 0x78, ...letter(i), 0, i]),
    ),
    ...section(
      7,
      types.map((_, i) => [...letter(i), 0, i]),
    ),
  ];
  const imports = { x: Object.fromEntries(calls.map((call, i) => [String.fromCharCode(0x61 + i), call])) };
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(Uint8Array.from(code)), imports);
  return exports;
}

/** A machine with a stack pointer of 77 and, in its table: subtraction, a thrower, a failure, and others by type. */
async function openMachine() {
  const seen: unknown[] = [];
  const quick = await makeQuickCalls({ env: script }, glue);
  const env = quick?.imports.env as Readonly<Record<string, Call>>;
  const exports = await asExports(
    [
      [0x60, 0, 1, 0x7f],
      [0x60, 1, 0x7f, 0],
      [0x60, 2, 0x7f, 0x7f, 0],
      [0x60, 2, 0x7f, 0x7f, 1, 0x7f],
      [0x60, 0, 0],
      [0x60, 0, 0],
      [0x60, 2, 0x7f, 0x7e, 1, 0x7e],
      [0x60, 1, 0x7f, 1, 0x7c],
    ],
    [
      () => 77,
      (at) => seen.push({ restored: at }),
      (...told) => seen.push({ threw: told }),
      (a, b) => Number(a) - Number(b),
      () => env.t?.(4096),
      () => {
        throw new RangeError("too deep");
      },
      (a, b) => (a === -1 ? env.t?.(1) : BigInt(Number(a)) * BigInt(String(b))),
      (a) => (a === -1 ? env.t?.(1) : Number(a) / 2),
    ],
  );
  const table = new WebAssembly.Table({ initial: 6, element: "anyfunc" });
  for (const [i, name] of ["d", "e", "f", "g", "h"].entries()) table.set(i + 1, exports[name]);
  quick?.tie({ ...exports, table });
  return { env, seen };
}

describe("quick calls", () => {
  it("hand arguments and results of all types through, and leave other imports alone", async () => {
    const { env, seen } = await openMachine();
    const results = [env.p?.(1, 50, 8), env.r?.(4, 3, 1n << 40n), env.s?.(5, 5)];
    expect({ results, seen, other: env.u }).toEqual({ results: [42, 3n << 40n, 2.5], seen: [], other: notQuick });
  });

  it("put the stack back and tell the machine when its own exception is thrown", async () => {
    const { env, seen } = await openMachine();
    const results = [env.q?.(2), env.r?.(4, -1, 1n), env.s?.(5, -1)];
    const once = [{ restored: 77 }, { threw: [1, 0] }];
    expect({ results, seen }).toEqual({ results: [undefined, 0n, 0], seen: [...once, ...once, ...once] });
  });

  it("let everything else that is thrown pass, also after an exception of the machine", async () => {
    const { env, seen } = await openMachine();
    env.q?.(2);
    seen.length = 0;
    expect(() => env.q?.(3)).toThrow(new RangeError("too deep"));
    expect(seen).toEqual([{ restored: 77 }]);
  });

  it("are not made for glue of another form", async () => {
    expect(await makeQuickCalls({ env: script }, 'f=wasmExports["a"];')).toBeUndefined();
    expect(await makeQuickCalls({ env: script, more: {} }, glue)).toBeUndefined();
  });

  it("are made for the machine that is used, all of them", async () => {
    const names = await new Promise<readonly string[]>((resolve, reject) => {
      const instantiateWasm = (imports: WasmImports) => {
        makeQuickCalls(imports, String(openEmulator)).then((quick) => {
          const [all = {}] = Object.values(quick?.imports ?? {});
          resolve(Object.values(all).map((value) => (typeof value === "function" ? value.name : "")));
        }, reject);
        return {};
      };
      void openEmulator({ instantiateWasm, print: () => {}, printErr: () => {} });
    });
    expect(names).not.toEqual([]);
    expect(names.filter((name) => name.startsWith("invoke_"))).toEqual([]);
  });
});
