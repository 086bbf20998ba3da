import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRoot } from "../../src/cell/boc.ts";
import { fromBase64 } from "../../src/lib/bytes.ts";
import { systemCodes } from "../../src/localnet/codes/systemCodes.ts";
import { compileTolk } from "../kit/compileTolk.ts";

describe("a contract of the network itself", () => {
  it.each(Object.entries(systemCodes))("%s is what its source compiles to", async (name, { hash, boc }) => {
    const compiled = await compileTolk(join(import.meta.dirname, `../../src/localnet/codes/${name}.tolk`));
    expect(compiled.hash()).toBe(hash);
    expect(readRoot(fromBase64(boc)).hash()).toBe(hash);
  });
});
