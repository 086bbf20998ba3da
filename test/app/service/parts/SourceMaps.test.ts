import { beforeAll, expect, it } from "vitest";
import { SourceMaps } from "../../../../src/app/service/parts/SourceMaps.ts";
import { AbiLibrary } from "../../../../src/contracts/AbiLibrary.ts";
import { joinSources } from "../../../../src/contracts/abi/files/sourceText.ts";
import type { CompiledListing } from "../../../../src/contracts/abi/source/SourceMap.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { zeroHash } from "../../../../src/model/Hash.ts";
import { listTolk } from "../../../kit/contracts/listTolk.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const address = makeAddress(0, zeroHash);
let listing: CompiledListing;

beforeAll(async () => {
  const listed = await listTolk("main.tolk", () => "fun onInternalMessage(_: InMessage) { }\n");
  if (listed === undefined) throw new Error("it has an entry point");
  listing = listed;
});

/** Maps of sources whose compiler gives these listings, one after the other. */
function openMaps(listings: readonly (CompiledListing | Error | undefined)[], source = joinSources(listing.files)) {
  const library = new AbiLibrary();
  const target = { addresses: [address], codeHashes: [], interfaces: [] };
  const abi = { name: "some", methods: [], receives: [], sends: [], emits: [], storage: [] };
  library.add({ id: "1", abi, target, source });
  const asked: string[] = [];
  const list = async (text: string) => {
    asked.push(text);
    const listed = listings[asked.length - 1];
    if (listed instanceof Error) throw listed;
    return listed;
  };
  const clock = new ManualClock();
  return { clock, asked, maps: new SourceMaps({ library: () => library }, { list }, clock) };
}

it("makes the map of a source once, and gives it only for the code that the source compiles to", async () => {
  const { asked, maps } = openMaps([listing]);
  const codeHash = listing.code.hash();
  const [first, second] = await Promise.all([maps.find({ address, codeHash }), maps.find({ address, codeHash })]);
  expect([first?.codeHash, second === first, asked.length]).toEqual([codeHash, true, 1]);
  expect(await maps.find({ address, codeHash: zeroHash })).toBeUndefined();
  expect(await maps.find({ address: makeAddress(-1, zeroHash), codeHash })).toBeUndefined();
  expect(asked).toHaveLength(1);
});

it("tries a source without a map again only later", async () => {
  const { clock, asked, maps } = openMaps([undefined, listing]);
  const account = { address, codeHash: listing.code.hash() };
  expect([await maps.find(account), await maps.find(account), asked.length]).toEqual([undefined, undefined, 1]);
  await clock.advance(600_000);
  expect([(await maps.find(account))?.codeHash, asked.length]).toEqual([account.codeHash, 2]);
});

it("tries a source at once again whose compiler could not be run", async () => {
  const { asked, maps } = openMaps([new Error("no process"), listing]);
  const account = { address, codeHash: listing.code.hash() };
  await expect(maps.find(account)).rejects.toThrow("no process");
  expect([(await maps.find(account))?.codeHash, asked.length]).toEqual([account.codeHash, 2]);
});
