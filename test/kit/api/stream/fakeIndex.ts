import type { StreamBlock, StreamTrace } from "../../../../src/api/stream/StreamBlock.ts";
import type { StreamSource } from "../../../../src/api/stream/StreamHub.ts";
import { parseAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";

export const accountAt = (n: number) => parseAddress(`0:${n.toString(16).padStart(64, "0")}`).address;
export const hashAt = (n: number) => n.toString(16).padStart(64, "0") as Hash;

/** A block whose number of traces depends on its seqno, each with one account. */
export function makeBlock(mcSeqno: number): StreamBlock {
  const traces = Array.from({ length: (mcSeqno * 7) % 4 }, (_, at): StreamTrace => {
    const key = hashAt(mcSeqno * 10 + at);
    const owner = accountAt((mcSeqno + at) % 3);
    const transaction = {
      account: owner,
      hash: key,
      mcSeqno,
      bodyHash: undefined,
      involved: [owner],
      json: `{"n":"${key}"}`,
    };
    const action = {
      type: "ton_transfer",
      ancestors: [],
      accounts: [owner],
      involved: [owner],
      json: `{"a":"${key}"}`,
    };
    return {
      external: key,
      key,
      endLt: BigInt(mcSeqno * 100 + at),
      finality: "finalized",
      transactions: [transaction],
      actions: [action],
      tree: "{}",
    };
  });
  const states = [...new Set(traces.flatMap((trace) => trace.transactions.map((each) => each.account)))].sort();
  return {
    ...{ mcSeqno, utime: mcSeqno, traces, open: [], jettons: [] },
    states: states.map((each) => ({ account: each, json: `{"at":${mcSeqno}}` })),
    block: { json: `{"seqno":${mcSeqno}}`, transactions: traces.length },
    accounts: new Set(states),
    ...{ jettonMasters: new Set(), codeHashes: new Set() },
  };
}

/** An index that grows on request and can be read by several hubs. */
export class FakeIndex {
  last = 1;
  reads = 0;
  changesRead = 0;
  readonly #listeners = new Set<() => void>();
  readonly #make: (mcSeqno: number) => StreamBlock;

  constructor(make = makeBlock) {
    this.#make = make;
  }

  grow(): void {
    this.last += 1;
    for (const listener of this.#listeners) listener();
  }

  source(): StreamSource {
    return {
      extent: () => ({ first: 1, last: this.last }),
      onExtent: (listener) => {
        const hear = () => listener({ first: 1, last: this.last });
        this.#listeners.add(hear);
        return () => this.#listeners.delete(hear);
      },
      readBlock: async (mcSeqno) => {
        this.reads += 1;
        await Promise.resolve();
        return this.#make(mcSeqno);
      },
      readChanges: async (mcSeqno) => {
        this.changesRead += 1;
        const { utime, states, traces } = this.#make(mcSeqno);
        const accounts = new Set(states.map(({ account }) => account));
        return { utime, accounts, ended: traces.map(({ external }) => external) };
      },
      describe: async () => ({ book: new Map(), metadata: new Map() }),
      listPending: async () => [],
    };
  }
}
