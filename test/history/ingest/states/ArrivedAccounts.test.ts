import { describe, expect, it } from "vitest";
import { NewArrivals } from "../../../../src/history/ingest/states/ArrivedAccounts.ts";
import { noAccount } from "../../../../src/history/ingest/states/BlockStates.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import { zeroHash } from "../../../../src/model/Hash.ts";

const { signal } = new AbortController();
const [stored, changed, first, second] = [1, 2, 3, 4].map((digit) => makeAddress(0, `${digit}`.repeat(64))) as [
  Address,
  Address,
  Address,
  Address,
];

function accountAt(address: Address) {
  const block = { workchain: 0, shard: 1n << 63n, seqno: 1, rootHash: zeroHash, fileHash: zeroHash };
  const state = { stateHash: noAccount.hash(), lastTransHash: zeroHash, lastTransLt: 1n, now: 1, cell: noAccount };
  return { address, block, ...state, code: undefined, data: undefined };
}

describe("accounts that came from another chain", () => {
  it("are taken once each, without those in the tables and those that the chain has changed", async () => {
    const came = [stored, changed, first];
    const asked: Address[] = [];
    const arrivals = new NewArrivals(
      {
        list: (from) => came.slice(from),
        find: async (address) => {
          asked.push(address);
          return address === changed ? undefined : accountAt(address);
        },
      },
      { findStates: async () => new Map([[stored, { codeHash: undefined, dataBoc: undefined }]]) },
    );
    const take = async () => (await arrivals.take(signal)).map(({ address }) => address);
    expect(await take()).toEqual([first]);
    expect(await take()).toEqual([]);
    came.push(second);
    expect(await take()).toEqual([second]);
    expect(asked).toEqual([changed, first, second]);
  });
});
