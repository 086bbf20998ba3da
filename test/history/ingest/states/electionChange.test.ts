import { expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { makeLibrary } from "../../../../src/cell/exotic.ts";
import { beginsWithElection } from "../../../../src/history/ingest/states/electionChange.ts";

const election = beginCell().storeUint(1, 32).cell();
const other = beginCell().storeUint(2, 32).cell();
const opened = (coins: number) => beginCell().storeBit(true).storeRef(election).storeUint(coins, 8).cell();
const closed = beginCell().storeBit(false).storeRef(election).cell();

it.each([
  ["the same one, beside other coins", opened(5), election, true],
  ["another one", opened(5), other, false],
  ["none any more", closed, election, false],
  ["none as before", closed, undefined, true],
  ["one where there was none", opened(5), undefined, false],
  ["no reference", beginCell().storeBit(true).cell(), election, false],
  ["no data", emptyCell, undefined, false],
  ["a library in place of data", makeLibrary(election.hash()), undefined, false],
] as const)("data of an elector begins with an election: %s", (_, data, last, begins) => {
  expect(beginsWithElection(data, last?.hash())).toBe(begins);
});
