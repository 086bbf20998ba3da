import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { domainCollections } from "../../../src/contracts/families/dns/collections.ts";
import { DomainRoots } from "../../../src/history/meaning/DomainRoots.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { storeDnsRecord } from "../../../src/model/content/DnsRecord.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { openSlice } from "../../../src/model/vm/VmCellSlice.ts";
import type { VmValues } from "../../../src/model/vm/VmValue.ts";
import { accountNamed, named, noConfig } from "../../kit/history/traceBlocks.ts";

const root = makeAddress(-1, named("root"));
const collection = accountNamed("collection");
const config = (hash = named("root")) => ({
  params: noConfig.params.set(4, beginCell().storeHex(hash).cell()),
});

/** A chain whose DNS root resolves only `.ton`, without its zero byte. */
function chainOf(parameters: ReturnType<typeof config>) {
  const asked: Address[] = [];
  const ask = async (address: Address, _method: string, [name]: VmValues) => {
    asked.push(address);
    const bytes = name?.kind === "slice" ? openSlice(name.slice).loadBytes(4) : undefined;
    if (Buffer.from(bytes ?? []).toString() !== "ton\0") return { kind: "failed" as const };
    const record = storeDnsRecord({ kind: "nextResolver", resolver: collection });
    const stack: VmValues = [
      { kind: "int", value: 24n },
      { kind: "cell", cell: record },
    ];
    return { kind: "ok" as const, stack };
  };
  return { asked, roots: new DomainRoots({ getConfig: async () => parameters, callerAt: () => ({ ask }) }) };
}

const place = (keySeqno: number) => ({
  master: { workchain: -1, shard: 1n << 63n, seqno: 9, rootHash: zeroHash, fileHash: zeroHash },
  ...{ keySeqno, now: 1, signal: new AbortController().signal },
});

describe("collections of domains", () => {
  it("are the next resolvers of the root in configuration parameter 4", async () => {
    const { roots, asked } = chainOf(config());
    expect(await roots.find(place(3))).toEqual({
      ton: new Set([collection]),
      telegram: domainCollections.telegram,
    });
    expect(asked).toEqual([root, root]);
  });

  it("are those of the public networks on a chain without a root", async () => {
    const { roots, asked } = chainOf(noConfig);
    expect(await roots.find(place(3))).toEqual(domainCollections);
    expect(asked).toEqual([]);
  });

  it("are resolved again after a key block and after a change of the root, and not otherwise", async () => {
    const { roots, asked } = chainOf(config());
    await roots.find(place(3));
    await roots.forgetChanged([collection]);
    await roots.find(place(3));
    expect(asked).toHaveLength(2);
    await roots.find(place(5));
    expect(asked).toHaveLength(4);
    await roots.forgetChanged([collection, root]);
    await roots.find(place(5));
    expect(asked).toHaveLength(6);
  });
});
