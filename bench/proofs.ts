import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { configOf, makeLinksProof } from "../kit/lite/forwardLink.ts";
import { linkOf, listKeyChains, listSignedBlocks, type SignedStep } from "../kit/lite/signedChain.ts";
import { readBoc } from "../src/cell/boc.ts";
import { loadCell } from "../src/cell/codec.ts";
import { fromBase64, fromHex, toHex } from "../src/lib/bytes.ts";
import { checkAccountState } from "../src/lite/queries/accounts.ts";
import { checkBlockProof } from "../src/lite/queries/blockProof.ts";
import { blockIdFromTl } from "../src/lite/queries/ids.ts";
import { type CheckedSignatures, checkSignatures, signedBytes } from "../src/lite/queries/signatures.ts";
import { masterchainGroup, type ValidatorGroup, ValidatorGroups } from "../src/lite/queries/validators.ts";
import { decodeAnswer } from "../src/lite/server/LiteServer.ts";
import { getAccountState } from "../src/lite/tl/liteQueries.ts";
import { decodeQuery, unwrapQuery } from "../src/lite/tl/queryEnvelope.ts";
import type { TlValue } from "../src/lite/tl/types.ts";
import { type Address, makeAddress } from "../src/model/Address.ts";
import { Block } from "../src/model/block/Block.ts";
import type { BlockIdExt } from "../src/model/block/BlockId.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit/benchmark.ts";
import { verifyBenchmarks } from "./verify/verifyBenchmarks.ts";

function readFixture(path: string): Buffer {
  return gunzipSync(readFileSync(join(process.cwd(), "test/fixtures", path)));
}

interface AccountExchange {
  readonly block: BlockIdExt;
  readonly address: Address;
  readonly bytes: Uint8Array;
  readonly answer: TlValue<typeof getAccountState.answer>;
}

/** The recorded states of accounts with code and data. */
function readAccounts(): AccountExchange[] {
  return readFixture("realnet/lite-answers.jsonl.gz")
    .toString("utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { group: string; request: string; response: string | null })
    .filter(({ group }) => group === "getAccountState")
    .flatMap(({ request, response }) => {
      const bytes = fromBase64(response ?? "");
      if (bytes.length < 1000) return [];
      const { id, account } = decodeQuery(unwrapQuery(fromHex(request))).args as TlValue<typeof getAccountState>;
      const address = makeAddress(account.workchain, toHex(account.id));
      return [{ block: blockIdFromTl(id), address, bytes, answer: decodeAnswer(getAccountState, bytes) }];
    });
}

/** The minimal work of any check: read every bag, hash every cell. */
function hashBags({ answer }: AccountExchange): number {
  let cells = 0;
  for (const bag of [answer.shardProof, answer.proof, answer.state])
    for (const root of readBoc(bag)) cells += root.hashBytes().length;
  return cells;
}

function verifyAccounts(accounts: readonly AccountExchange[]): unknown[] {
  return accounts.map(({ block, address, bytes }) =>
    checkAccountState(block, address, decodeAnswer(getAccountState, bytes)),
  );
}

function accountBenchmark(accounts: readonly AccountExchange[]): Benchmark {
  return benchmark({
    name: "account answers decoded and verified",
    group: "proofs",
    unit: "answers/s",
    amount: accounts.length,
    baseline: { name: "reading and hashing them", run: () => accounts.map(hashBags) },
    subject: { run: () => verifyAccounts(accounts) },
  });
}

const allowedUs = 500;

/** The same comparison as the cost of verification on top of hashing, against its limit. */
function accountCostBenchmark(race: Benchmark): Benchmark {
  const measure = async () => {
    const { value, ratio } = await race.measure();
    const eachUs = 1e6 / value;
    const besideUs = eachUs * (1 - ratio);
    return { value: besideUs, ratio: allowedUs / besideUs };
  };
  const name = "account answer verified, beside its hashes";
  return { name, group: "proofs", unit: "µs", baseline: `${allowedUs} µs`, mark: 1, measure };
}

interface GroupSigned {
  readonly block: BlockIdExt;
  readonly set: CheckedSignatures;
  readonly group: ValidatorGroup;
}

/** A signed block with its possible signers. */
function withGroup({ end, keyBlock, signatures }: SignedStep): GroupSigned {
  const { genCatchainSeqno } = loadCell(Block, end.root).info.load();
  return { block: end.id, set: signatures, group: masterchainGroup(configOf(keyBlock), genCatchainSeqno) };
}

const publicEd25519 = fromHex("302a300506032b6570032100");

/** Direct calls of the crypto library for the same keys, messages and signatures. */
function bareChecks(signed: readonly GroupSigned[]): (() => boolean)[] {
  return signed.flatMap(({ block, set, group }) => {
    const message = signedBytes(block, set);
    return set.signatures.map(({ nodeIdShort, signature }) => {
      const { publicKey } = group.validators.find(({ id }) => id === toHex(nodeIdShort)) ?? { publicKey: nodeIdShort };
      const der = Buffer.concat([publicEd25519, publicKey]);
      const key = createPublicKey({ key: der, format: "der", type: "spki" });
      return () => verify(null, message, key, signature);
    });
  });
}

function signatureBenchmarks(chain: readonly SignedStep[]): Benchmark[] {
  const signed = chain.map(withGroup);
  const proof = makeLinksProof(chain.map(linkOf));
  const bare = bareChecks(signed);
  const [known, target] = [blockIdFromTl(proof.from), blockIdFromTl(proof.to)];
  const groups = new ValidatorGroups();
  const baseline = { name: "bare node:crypto", run: () => bare.map((check) => check()) };
  return [
    benchmark({
      name: "signatures checked",
      group: "proofs",
      unit: "signatures/s",
      amount: bare.length,
      baseline,
      subject: { run: () => signed.map(({ block, set, group }) => checkSignatures(block, set, group)) },
      mark: 0.9,
    }),
    benchmark({
      name: `chain of ${chain.length} key blocks, validators unknown`,
      group: "proofs",
      unit: "links/s",
      amount: signed.length,
      baseline,
      subject: { run: () => checkBlockProof(known, target, proof) },
    }),
    benchmark({
      name: `chain of ${chain.length} key blocks, validators known`,
      group: "proofs",
      unit: "links/s",
      amount: signed.length,
      baseline,
      subject: { run: () => checkBlockProof(known, target, proof, groups) },
    }),
  ];
}

/** The longest chain of key blocks with signatures in the corpus; empty if there is none. */
function longestChain(corpus: string): readonly SignedStep[] {
  const [longest = []] = listKeyChains(listSignedBlocks(corpus)).sort((a, b) => b.length - a.length);
  return longest;
}

export function benchmarks({ corpus, leaveOut }: BenchContext): readonly Benchmark[] {
  const race = accountBenchmark(readAccounts());
  const accounts = [race, accountCostBenchmark(race), ...verifyBenchmarks()];
  const chain = corpus === undefined ? [] : longestChain(corpus);
  if (chain.length > 0) return [...accounts, ...signatureBenchmarks(chain)];
  leaveOut("blocks with the signatures of many validators are in the corpus");
  return accounts;
}
