import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRoot } from "../../src/cell/boc.ts";
import { fromBase64 } from "../../src/lib/bytes.ts";
import { demoCodes, vestingCode } from "../../src/localnet/codes/demoCodes.ts";
import { systemCodes } from "../../src/localnet/codes/systemCodes.ts";
import type { CompiledCode } from "../../src/localnet/codes/walletCodes.ts";
import { parseHash } from "../../src/model/Hash.ts";
import { compileTolk } from "../kit/cell/compileTolk.ts";
import { someOf } from "../kit/suite/everything.ts";

const folder = join(import.meta.dirname, "../../src/localnet/codes");

/** Each is compiled; in the ordinary run some of them. */
const tried = (codes: Readonly<Record<string, CompiledCode>>) => someOf(Object.entries(codes), (_, at) => at % 3 === 0);

async function expectCompiled(source: string, { hash, boc }: CompiledCode): Promise<void> {
  const compiled = await compileTolk(join(folder, source));
  expect(compiled.hash()).toBe(hash);
  expect(readRoot(fromBase64(boc)).hash()).toBe(hash);
}

describe("a system contract", () => {
  it.each(tried(systemCodes))("%s equals its compiled source", async (name, code) => {
    await expectCompiled(`${name}.tolk`, code);
  });
});

describe("a contract of the demo set", () => {
  it.each(tried(demoCodes))("%s equals its compiled source", async (name, code) => {
    await expectCompiled(`demo/${name}.tolk`, code);
  });

  it("for vesting is the one that indexers know", () => {
    expect(readRoot(fromBase64(vestingCode.boc)).hash()).toBe(vestingCode.hash);
    expect(vestingCode.hash).toBe(parseHash("tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA="));
  });
});
