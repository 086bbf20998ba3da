import { expect, it, onTestFinished } from "vitest";
import { makeLinksProof } from "../../../kit/lite/forwardLink.ts";
import { linkOf, listKeyChains, listSignedBlocks, type SignedStep } from "../../../kit/lite/signedChain.ts";
import { describeCorpusPart, reportAbsent } from "../../../kit/suite/corpus.ts";
import type { ProofReport, TrustStore } from "../../../src/api/client/verify/TrustOptions.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import type { BlockLink } from "../../../src/lite/queries/blockProof.ts";
import { startOf } from "../../../src/lite/server/knownNetworks.ts";
import { getBlockHeader, getBlockProof } from "../../../src/lite/tl/liteQueries.ts";
import { openAll, openCell, readWhole } from "../../../src/localnet/ledger/proof.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openV2Server } from "../../kit/api/apiServer.ts";
import { openProvingClient } from "../../kit/api/proofStage.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";

/** The header of the last block of a chain, with the hashes of its state update. */
function headerOf({ end }: SignedStep): Uint8Array {
  const reading = readWhole(end.root);
  const { info, stateUpdate } = loadCell(Block, reading.root);
  openAll(info.cell);
  openCell(stateUpdate);
  return writeBoc(reading.proof());
}

const start = startOf("testnet");

/** Serves v2 with the end of a chain of recorded key blocks as the newest block, and these links to it. */
async function serveChain(chain: readonly SignedStep[], links: readonly BlockLink[]): Promise<string> {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a chain without blocks");
  const header = headerOf(last);
  const server = new ScriptedLite([
    replyTo(getBlockProof, makeLinksProof(links)),
    replyTo(getBlockHeader, ({ id, mode }) => ({ id, mode, headerProof: header })),
  ]);
  const head = { block: last.end.id, genUtime: loadCell(Block, last.end.root).info.load().genUtime };
  const executor = await openExecutor({}, { clock: systemClock });
  const source = serverSource(server, () => head);
  const { zeroState } = start;
  const chains = new LiveChains({ source, executor, clock: systemClock, zeroState, initBlock: first.keyBlock.id });
  const served = await openV2Server({}, { isLive: () => true, chains });
  onTestFinished(async () => {
    await served.close();
    await executor.close();
  });
  return served.origin;
}

/** A store with the key block at which a chain begins, and the seqnos of the blocks that were saved in it. */
function storeAt([first]: readonly SignedStep[]): TrustStore & { readonly saved: number[] } {
  const { seqno, rootHash, fileHash } = Object(first?.keyBlock.id);
  let text = JSON.stringify({ network: "testnet", seqno, rootHash, fileHash });
  const saved: number[] = [];
  const save = (newer: string) => {
    text = newer;
    saved.push(JSON.parse(newer).seqno);
  };
  return { load: () => text, save, saved };
}

function openReceiver(origin: string, store: TrustStore, reports: ProofReport[] = []) {
  const onProof = (report: ProofReport) => void reports.push(report);
  // The time of a recording stands still.
  const options = { trust: "testnet", store, onProof, maxAge: Number.POSITIVE_INFINITY } as const;
  return openProvingClient(origin, { start, clock: systemClock, ...options });
}

describeCorpusPart("recorded changes of validators", "proofs/block-signatures/*.json", (folder) => {
  const chains = listKeyChains(listSignedBlocks(folder)).filter(
    ([first, ...others]) => first?.network === "testnet" && others.length >= 2,
  );

  it("are three key blocks one after another, or reported as absent", () => {
    if (chains.length === 0) reportAbsent("three key blocks one after another of", ["testnet"]);
    expect(chains.every(({ length }) => length > 2)).toBe(true);
  });

  it.each(chains.map((whole) => ({ chain: whole.slice(0, 3), from: whole[0]?.keySeqno })))(
    "are followed by a receiver whose stored key block $from is older than two of them",
    async ({ chain }) => {
      const origin = await serveChain(chain, chain.map(linkOf));
      const [store, reports] = [storeAt(chain), [] as ProofReport[]];
      const ask = openReceiver(origin, store, reports);
      const id = Object(chain.at(-1)?.end.id);
      const first = Object(await ask("getMasterchainInfo", {}));
      expect(first.last).toMatchObject({ seqno: id.seqno, root_hash: hashToBase64(id.rootHash) });
      // The newest block is a key block: the next proof begins there.
      expect(await ask("getMasterchainInfo", {})).toEqual(first);
      expect(store.saved).toEqual([id.seqno]);
      expect(reports.map(({ since, seqno }) => [since, seqno])).toEqual([
        [chain[0]?.keySeqno, id.seqno],
        [id.seqno, id.seqno],
      ]);
      const { signatures = 0, weight = 0n, totalWeight = 0n } = reports[0]?.signedBy ?? {};
      expect([signatures, 3n * weight > 2n * totalWeight]).toEqual([chain.at(-1)?.signatures.signatures.length, true]);
    },
  );

  it.each(chains.map((whole) => ({ chain: whole.slice(0, 3), from: whole[0]?.keySeqno })))(
    "cannot be left out, nor signed by too few: from key block $from",
    async ({ chain }) => {
      const links = chain.map(linkOf);
      const codeOf = async (shown: readonly BlockLink[]) =>
        openReceiver(await serveChain(chain, shown), storeAt(chain))("getMasterchainInfo", {}).then(
          () => "proved",
          (error: unknown) => (isCoded(error) ? error.code : error),
        );
      const thinned = links.map((link, i) =>
        i === 1 && link.kind === "forward"
          ? { ...link, signatures: { ...link.signatures, signatures: link.signatures.signatures.slice(0, 3) } }
          : link,
      );
      const hidden = links.filter((_, i) => i !== 1);
      expect([await codeOf(links), await codeOf(thinned), await codeOf(hidden)]).toEqual([
        ...["proved", "verify/weight", "verify/head"],
      ]);
    },
  );
});
