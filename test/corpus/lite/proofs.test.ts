import { join } from "node:path";
import { expect, it } from "vitest";
import { configOf, makeForwardLink, makeLinksProof, proofExchange } from "../../../kit/lite/forwardLink.ts";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { decodedAnswer, listProvable, provableNames, provenBy } from "../../../kit/lite/provenAnswer.ts";
import {
  findKeyBlockBefore,
  isStep,
  linkOf,
  listKeyChains,
  listSignedBlocks,
  listUnsignedRecords,
} from "../../../kit/lite/signedChain.ts";
import { describeCorpusPart, listFiles, readBytes, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { checkBlockProof } from "../../../src/lite/queries/blockProof.ts";
import { checkConfig } from "../../../src/lite/queries/config.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { signedBytes } from "../../../src/lite/queries/signatures.ts";
import { checkBlockTransactions } from "../../../src/lite/queries/transactions.ts";
import { masterchainGroup } from "../../../src/lite/queries/validators.ts";
import { type blockTransactions, configInfo } from "../../../src/lite/tl/liteRecords.ts";
import { decode, type TlValue } from "../../../src/lite/tl/types.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";
import { expectRecorded, readChainFacts } from "../../kit/lite/chainFacts.ts";
import { tryForgedAnswers } from "../../kit/lite/forgedAnswers.ts";

describeCorpusPart("recorded proofs", "*/lite/*.jsonl.gz", (folder) => {
  const files = listFiles(folder, ".", ".jsonl.gz").filter((path) => /(^|\/)lite\/[^/]+$/.test(path));
  const networks = [...new Set(files.map((path) => join(path, "../..")))];

  for (const network of networks) {
    const paths = files.filter((path) => join(path, "../..") === network);
    const provable = () => paths.flatMap((path) => listProvable(readLiteExchanges(join(folder, path))));

    it(`of ${network} all verify, and match the known chain`, () => {
      const facts = readChainFacts(folder, network);
      const counts = new Map(provableNames.map((name) => [name, 0]));
      for (const exchange of provable()) {
        expectRecorded(facts, exchange, provenBy(exchange.request, decodedAnswer(exchange)));
        counts.set(exchange.name, (counts.get(exchange.name) ?? 0) + 1);
      }
      const absent = [...counts].filter(([, count]) => count === 0).map(([name]) => name);
      if (absent.length > 0) process.stdout.write(`${network} has no answers to ${absent.join(", ")}\n`);
      expect(absent.length).toBeLessThan(counts.size);
    });

    it(`of ${network} cannot be changed unnoticed`, () => {
      const random = seededRandom(network);
      const all = provable();
      for (const name of provableNames) {
        const exchanges = all.filter((exchange) => exchange.name === name);
        const some = Array.from({ length: 12 }, () => exchanges[random.int(exchanges.length)]).filter(isThere);
        const { accepted, crashed } = tryForgedAnswers(some, { flips: 20, forgeries: 40, donors: 3 }, random);
        expect({ name, accepted, crashed }).toEqual({ name, accepted: [], crashed: [] });
      }
    });
  }
});

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

describeCorpusPart("recorded signatures", "proofs/block-signatures/*.json", (folder) => {
  const blocks = listSignedBlocks(folder);
  const chains = listKeyChains(blocks)
    .filter(({ length }) => length > 1)
    .map((chain) => ({ chain, name: chain.map(({ keySeqno }) => keySeqno).join(", ") }));

  it("belong to available blocks and key blocks, others are reported", () => {
    const keyless = blocks.filter((block) => block.isKeyRecorded && !isStep(block)).map(({ path }) => path);
    reportAbsent("blocks or key blocks of", [...listUnsignedRecords(folder), ...keyless]);
    expect(blocks.length + listUnsignedRecords(folder).length).toBeGreaterThan(0);
  });

  it.each(blocks.filter(isStep))("by the validators of key block $keySeqno make the block final: $path", (step) => {
    const { keyBlock, end, signatures, signedData } = step;
    const { block, header } = checkBlockProof(keyBlock.id, end.id, makeLinksProof([linkOf(step)]));
    expect(toHex(signedBytes(block, signatures))).toBe(signedData);
    expect({ block, seqno: header?.seqno }).toEqual({ block: end.id, seqno: end.id.seqno });
  });

  it("lead across a change of validators, if there is one", () => {
    const sets = ({ chain }: (typeof chains)[number]) =>
      new Set(chain.map(({ keyBlock }) => configOf(keyBlock).params.find(34)?.hash()));
    if (!chains.some((found) => sets(found).size > 1)) reportAbsent("signatures over", ["a change of validators"]);
    expect(chains.every((found) => sets(found).size > 0)).toBe(true);
  });

  it.each(chains)("lead from key block to key block: $name", ({ chain }) => {
    const proof = makeLinksProof(chain.map(linkOf));
    const target = blockIdFromTl(proof.to);
    const { block, keyBlock } = checkBlockProof(blockIdFromTl(proof.from), target, proof);
    expect({ block, keyBlock }).toEqual({ block: target, keyBlock: target });
  });

  it.each(chains)("cannot be changed unnoticed: $name", ({ chain, name }) => {
    const exchange = proofExchange(name, makeLinksProof(chain.map(linkOf)));
    const plan = { flips: 60, forgeries: 120, donors: 0 };
    const { refused, accepted, crashed } = tryForgedAnswers([exchange], plan, seededRandom(name));
    expect({ accepted, crashed }).toEqual({ accepted: [], crashed: [] });
    expect(refused).toBeGreaterThan(100);
  });

  const unknown = blocks.filter((block) => !isStep(block) && findKeyBlockBefore(blocks, block) !== undefined);

  it.each(unknown)("by validators of no available key block prove nothing: $path", (signed) => {
    const from = findKeyBlockBefore(blocks, signed);
    if (from === undefined) throw new Error("no key block before");
    const proof = makeLinksProof([makeForwardLink(from, signed.end, signed.signatures)]);
    expect(() => checkBlockProof(from.id, signed.end.id, proof)).toThrow(`whose last key block is ${signed.keySeqno}`);
  });
});

interface RecordedAnswer {
  /** The constructor of the bytes next to it. */
  readonly constructor: string;
  readonly expected: Readonly<Record<string, unknown>>;
}

describeCorpusPart("answers of public networks", "protocol/lite-server-responses/", (folder) => {
  const path = "protocol/lite-server-responses";

  const configs = listFiles(folder, path, ".expected.json")
    .map((file) => ({ ...(readJson(folder, file) as RecordedAnswer), file }))
    .filter(({ constructor: name }) => name === configInfo.name);

  it.each(configs)("prove the whole configuration and its validators: $file", ({ file, expected }) => {
    const answer = decode(configInfo.boxed, readBytes(folder, file.replace(".expected.json", ".bin")));
    const { header, config } = checkConfig(blockIdFromTl(answer.id), answer);
    expect(header.seqno).toBe(asRecord(expected.id).seqno);
    expect(masterchainGroup(config, header.genCatchainSeqno).hashShort).toBe(header.genValidatorListHashShort);
  });

  const lists = listFiles(folder, path, ".json").filter((file) => file.includes("blockTransactions_"));

  it("are recorded with their content, or reported", () => {
    if (configs.length === 0) reportAbsent("what is expected of", ["an answer with the configuration"]);
    if (lists.length === 0) reportAbsent("answers with", ["transactions of a block"]);
    expect(listFiles(folder, path, "").length).toBeGreaterThan(0);
  });

  it.each(lists)("prove the transactions of a block: %s", (file) => {
    const { answer } = asRecord(readJson(folder, file));
    const page = listFromJson(asRecord(answer));
    const { items, incomplete } = checkBlockTransactions(blockIdFromTl(page.id), { count: page.reqCount }, page);
    const ids = page.ids.map(({ account, lt, hash }) => ({
      account: hashFromBytes(account ?? new Uint8Array()),
      lt,
      hash: hashFromBytes(hash ?? new Uint8Array()),
    }));
    expect({ items, incomplete }).toEqual({ items: ids, incomplete: false });
    expect(ids.length).toBeGreaterThan(0);
  });
});

function bytesIn(value: unknown): Uint8Array {
  return fromHex(asText(asRecord(value).hex));
}

function listFromJson(answer: Readonly<Record<string, unknown>>): TlValue<typeof blockTransactions> {
  const id = asRecord(answer.id);
  return {
    id: {
      workchain: Number(id.workchain),
      shard: BigInt(asText(id.shard)),
      seqno: Number(id.seqno),
      rootHash: bytesIn(id.rootHash),
      fileHash: bytesIn(id.fileHash),
    },
    reqCount: Number(answer.reqCount),
    incomplete: answer.incomplete === true,
    ids: asList(answer.ids)
      .map(asRecord)
      .map(({ mode, account, lt, hash }) => ({
        mode: Number(mode),
        account: bytesIn(account),
        lt: BigInt(asText(lt)),
        hash: bytesIn(hash),
      })),
    proof: bytesIn(answer.proof),
  };
}
