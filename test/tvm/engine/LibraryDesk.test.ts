import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import { type Hash, parseHash } from "../../../src/model/Hash.ts";
import { LibraryDesk, librariesIn } from "../../../src/tvm/engine/LibraryDesk.ts";

const numbered = (number: number): Cell => beginCell().storeUint(number, 32).cell();
const named = (number: number): Hash => parseHash(number.toString(16).padStart(64, "0"));

describe("the libraries of a run", () => {
  it("are asked for once each, with the signal of the run", async () => {
    const asked: [Hash, AbortSignal | undefined][] = [];
    const { signal } = new AbortController();
    const library = numbered(1);
    const desk = new LibraryDesk((hash, given) => {
      asked.push([hash, given]);
      return hash === library.hash() ? library : undefined;
    }, signal);
    const missing = named(5);
    expect(await desk.askAll([library.hash(), missing])).toBe(true);
    expect(await desk.askAll([library.hash(), missing])).toBe(false);
    expect(asked).toEqual([
      [library.hash(), signal],
      [missing, signal],
    ]);
    expect([...desk.found]).toEqual([[library.hash(), library]]);
  });

  it("are none without somebody to ask", async () => {
    expect(await new LibraryDesk(undefined, undefined).ask(emptyCell.hash())).toBe(false);
  });

  it("are asked for up to a bound", async () => {
    let asked = 0;
    const desk = new LibraryDesk(() => {
      asked += 1;
      return undefined;
    }, undefined);
    await desk.askAll(Array.from({ length: 100 }, (_, number) => named(number)));
    expect(asked).toBe(16);
  });

  it("are refused with another hash than asked for", async () => {
    const desk = new LibraryDesk(() => emptyCell, undefined);
    await expect(desk.ask(named(1))).rejects.toMatchObject({ code: "tvm/library" });
  });
});

describe("library cells", () => {
  it("are found wherever they are named, each once", () => {
    const [first, second] = [named(1), named(2)];
    const inner = beginCell().storeRef(makeLibrary(first)).storeRef(makeLibrary(second)).cell();
    const root = beginCell().storeRef(inner).storeRef(inner).storeRef(makeLibrary(first)).cell();
    expect([...librariesIn([root, inner])].sort()).toEqual([first, second]);
    expect(librariesIn([emptyCell]).size).toBe(0);
  });
});
