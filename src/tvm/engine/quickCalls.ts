import { encodeModule, type ValueType, valueTypes } from "./callModule.ts";

/** The machine's imports with quick calls in them, and how to tie those to the machine once it is there. */
export interface QuickCalls {
  readonly imports: WasmImports;
  tie(exports: WasmInstance["exports"]): void;
}

/** Functions of the machine that are needed besides those in its table, by their names in the glue. */
const helpers = ["_emscripten_stack_get_current", "__emscripten_stack_restore", "_setThrew"] as const;

/** The only places where the glue throws exceptions of the machine's own code. */
const throwers: ReadonlySet<string> = new Set(["___cxa_throw", "___cxa_rethrow", "___resumeException"]);

/**
 * The machine does exceptions by calling itself through functions of the glue (`invoke_…`): out to script and back in
 * again, many times a run. Here those calls stay inside WebAssembly, which is quicker.
 * `undefined` when the glue is not of the form known; it does its work as well then, only slower.
 */
export async function makeQuickCalls(imports: WasmImports, glue: string): Promise<QuickCalls | undefined> {
  const found = helpers.map((name) => new RegExp(`\\b${name}=wasmExports\\["([^"]+)"\\]`).exec(glue)?.[1]);
  const [space, ...others] = Object.entries(imports);
  if (space === undefined || others.length > 0 || found.includes(undefined)) return undefined;
  const [spaceName, all] = space;
  const signatures = Object.entries(all).flatMap(([name, value]) => {
    const signature = signatureOf(value);
    return signature === undefined ? [] : [{ name, signature }];
  });
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(encodeModule(signatures)), {});
  const { table, isThrown, ...calls } = exports;
  if (!(table instanceof WebAssembly.Table) || !(isThrown instanceof WebAssembly.Global)) return undefined;
  const marked = Object.entries(all).map(([name, value]) => [name, markThrown(value, isThrown)] as const);
  return {
    imports: { [spaceName]: { ...Object.fromEntries(marked), ...calls } },
    tie: (machine) => fillTable(table, machine, found),
  };
}

/** `vij` of `invoke_vij`: what the function returns, then what it takes. */
function signatureOf(value: unknown): readonly ValueType[] | undefined {
  const letters = typeof value === "function" ? /^invoke_([vijfd]+)$/.exec(value.name)?.[1] : undefined;
  return letters === undefined
    ? undefined
    : [...letters].flatMap((letter) => valueTypes.find((t) => t === letter) ?? []);
}

/** WebAssembly cannot look at what was thrown, so those who throw the machine's exceptions say so before. */
function markThrown(value: unknown, isThrown: WasmGlobal): unknown {
  if (typeof value !== "function" || !throwers.has(value.name)) return value;
  return (...args: readonly unknown[]): unknown => {
    isThrown.value = 1;
    return Reflect.apply(value, undefined, args);
  };
}

/** The helpers first, then the machine's own table, in which nothing changes any more. */
function fillTable(
  table: WasmTable,
  machine: WasmInstance["exports"],
  helperNames: readonly (string | undefined)[],
): void {
  const own = Object.values(machine).find((value): value is WasmTable => value instanceof WebAssembly.Table);
  if (own === undefined) throw new Error("the machine shows no table");
  table.grow(own.length);
  for (const [i, name] of helperNames.entries()) table.set(i, name === undefined ? null : machine[name]);
  for (let i = 0; i < own.length; i++) table.set(helperNames.length + i, own.get(i));
}
