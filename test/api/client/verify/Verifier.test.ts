import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProofJson } from "../../../../src/api/declare/proofForm.ts";
import { fromBase64, toBase64 } from "../../../../src/lib/bytes.ts";
import { isCoded } from "../../../../src/lib/errors.ts";
import type { JsonInput } from "../../../../src/lib/json.ts";
import { nameOfNetwork } from "../../../../src/lite/server/knownNetworks.ts";
import { getAccountState, getBlockProof } from "../../../../src/lite/tl/liteQueries.ts";
import { decodeQuery } from "../../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode, type TlValue } from "../../../../src/lite/tl/types.ts";
import { signConfigChange } from "../../../../src/localnet/network/configChange.ts";
import type { TestServer } from "../../../kit/api/apiServer.ts";
import { askRpc, type Lie, openProvingClient, type ProvedAnswer, serveProofs } from "../../../kit/api/proofStage.ts";
import { openChainKit, type TestChain } from "../../../kit/localnet/localChain.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const kit = await openChainKit();
let chain: TestChain;
let server: TestServer;

beforeAll(async () => {
  chain = await kit.open();
  await chain.rounds(3);
  server = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
});

afterAll(async () => {
  await server.close();
  await kit.close();
});

function startHere() {
  const { id } = chain.net.ledger.zero;
  return { zeroState: id, initBlock: id };
}

function openClient(options: Partial<Parameters<typeof openProvingClient>[1]> = {}) {
  return openProvingClient(server.origin, { start: startHere(), clock: chain.clock, ...options });
}

function walletArgs(index: number): { readonly address: string } {
  return { address: chain.wallet(index).address };
}

/** The answers of lite servers in a proof, changed where the query is of this kind. */
function changeAnswers(id: number, change: (answer: Uint8Array) => Uint8Array): Lie {
  return ({ result, proof }) => {
    const answers = proof.answers.map(([query, answer]) => {
      const isMeant = decodeQuery(fromBase64(query)).query.id === id;
      return [query, isMeant ? toBase64(change(fromBase64(answer))) : answer] as const;
    });
    return { result, proof: { ...proof, answers } };
  };
}

type Links = TlValue<typeof getBlockProof.answer>;

function changeLinks(change: (links: Links) => Links): Lie {
  const { boxed } = getBlockProof.answer;
  return changeAnswers(getBlockProof.id, (answer) => encode(boxed, change(decode(boxed, answer) as Links)));
}

/** The links with other signatures under each. */
function changeSignatures(change: (signature: Uint8Array) => readonly Uint8Array[]): Lie {
  return changeLinks((links) => ({
    ...links,
    steps: links.steps.map((step) => {
      if (step.kind !== "forward") return step;
      const signatures = step.signatures.signatures.flatMap((each) =>
        change(each.signature).map((signature) => ({ ...each, signature })),
      );
      return { ...step, signatures: { ...step.signatures, signatures } };
    }),
  }));
}

/** The code and the sentence of the error with which a call fails. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (result) => `accepted ${JSON.stringify(result)}`,
    (error: unknown) => `${isCoded(error) ? error.code : "no code"}: ${Object(error).message}`,
  );
}

/** The code of the error with which a call fails. */
async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (result) => ({ accepted: result }),
    (error: unknown) => (isCoded(error) ? error.code : error),
  );
}

const withProof =
  (change: (proof: ProofJson) => unknown): Lie =>
  ({ result, proof }) => ({ result, proof: change(proof) });

describe("a client that checks proofs", () => {
  it("resolves with the result of an honest server, for every way to ask for a proof", async () => {
    const { address } = walletArgs(0);
    const response = await fetch(`${server.origin}/api/v2/getAddressInformation?address=${address}`);
    const plain = Object(await response.json());
    expect(await openClient()("getAddressInformation", { address })).toEqual(plain.result);
    const base = `${server.origin}/api/v2/getAddressInformation`;
    const body = JSON.stringify({ address, proof: 1 });
    const ways = await Promise.all([
      fetch(`${base}?address=${address}&proof=1`),
      fetch(`${base}?address=${address}`, { headers: { "X-Proof": "1" } }),
      fetch(base, { method: "POST", body }),
      fetch(base, { method: "POST", body: JSON.stringify({ address }), headers: { "X-Proof": "1" } }),
    ]);
    const answers = await Promise.all(ways.map(async (response) => Object(await response.json())));
    const { proof } = await askRpc(server.origin, "getAddressInformation", { address, proof: true });
    expect(answers.map(({ result, proof: own }) => ({ result, proof: own }))).toEqual(
      answers.map(() => ({ result: plain.result, proof })),
    );
    expect(plain.proof).toBeUndefined();
  });

  it("gets the proof of the cached answer, not that of a newer head", async () => {
    const args = { ...walletArgs(1), seqno: 2, proof: 1 };
    const first = await askRpc(server.origin, "getAddressBalance", args);
    await chain.rounds(1);
    expect(await askRpc(server.origin, "getAddressBalance", args)).toEqual(first);
    expect(await openClient()("getAddressBalance", { ...walletArgs(1), seqno: 2 })).toBe(first.result);
    const before = await askRpc(server.origin, "getAddressBalance", { ...walletArgs(1), proof: 1 });
    await chain.rounds(1);
    const after = await askRpc(server.origin, "getAddressBalance", { ...walletArgs(1), proof: 1 });
    expect(after.proof.block?.seqno).toBe((before.proof.block?.seqno ?? 0) + 1);
  });

  it("has each lite answer once", async () => {
    const { proof } = await askRpc(server.origin, "getTokenData", { ...walletArgs(0), proof: 1 }).catch(() =>
      askRpc(server.origin, "getExtendedAddressInformation", { ...walletArgs(0), proof: 1 }),
    );
    const queries = proof.answers.map(([query]) => query);
    expect(new Set(queries).size).toBe(queries.length);
  });

  it("sends what only writes, and proves nothing about it", async () => {
    const boc = "te6cckEBAQEAAgAAAEysuc0=";
    await expect(openClient()("sendBoc", { boc })).rejects.toThrow(/external|message/i);
  });
});

interface Refusal {
  /** The code and the sentence; `#` stands for the head, `~` for a validator. */
  readonly says: string;
  readonly lie?: Lie;
  readonly name?: string;
  readonly args?: JsonInput;
}

describe("a client that checks proofs refuses", () => {
  const networkHere = "THIS";
  const unknownForm = "verify/form: getAddressBalance: the proof is of an unknown form; a newer client may know it";
  const missingAnswer =
    "verify/missing-answer: getAddressBalance: the proof is not complete; the server is faulty, or lies (the recording does not contain this query)";
  const changed = "verify/changed: getAddressBalance: the server sent a result that its own proof contradicts";
  const other = async (args: JsonInput): Promise<ProvedAnswer> =>
    askRpc(server.origin, "getAddressBalance", { ...Object(args), proof: 1, proof_since: 0 });

  it.each<[string, Refusal]>([
    [
      "an answer without a proof",
      {
        says: "verify/no-proof: getAddressBalance: the server sent no proof; it may be too old, or lie",
        lie: ({ result }) => ({ result, proof: undefined }),
      },
    ],
    ["another form", { says: unknownForm, lie: withProof((proof) => ({ ...proof, form: 2 })) }],
    ["a proof without its block", { says: unknownForm, lie: withProof(({ block: _block, ...proof }) => proof) }],
    [
      "another network",
      {
        says: `verify/network: getAddressBalance: the server is of the network mainnet, not ${networkHere}`,
        lie: withProof((proof) => ({ ...proof, network: "mainnet" })),
      },
    ],
    [
      "another start",
      {
        says: "verify/start: getAddressBalance: the proof begins at another block # than the trusted block 0; the server is of another network, or its network was made anew",
        lie: withProof((proof) => ({ ...proof, since: proof.block })),
      },
    ],
    [
      "a head that nobody signed",
      {
        says: "verify/weight: getAddressBalance: too few validators signed a block; the server is faulty, or lies (only 0 of weight 17 signed (-1,8000000000000000,#))",
        lie: changeSignatures(() => []),
      },
    ],
    [
      "a wrong signature",
      {
        says: "verify/signature: getAddressBalance: a block is not signed by its validators; the server is faulty, or lies (the signature of ~ is wrong)",
        lie: changeSignatures(([first = 0, ...rest]) => [Uint8Array.of(first ^ 1, ...rest)]),
      },
    ],
    [
      "a signature that counts twice",
      {
        says: "verify/signature: getAddressBalance: a block is not signed by its validators; the server is faulty, or lies (a signature of ~, who is not a validator or signed twice)",
        lie: changeSignatures((each) => [each, each]),
      },
    ],
    [
      "a chain that does not reach the head",
      {
        says: "verify/head: getAddressBalance: the newest block of the server is not proved; the server is faulty, or lies (a complete proof that does not reach (-1,8000000000000000,#))",
        lie: changeLinks((links) => ({ ...links, steps: [], to: links.from })),
      },
    ],
    [
      "another head",
      {
        says: missingAnswer,
        lie: withProof((proof) => ({ ...proof, block: { ...Object(proof.block), seqno: 1 } })),
      },
    ],
    [
      "a proof without the account",
      {
        says: missingAnswer,
        lie: withProof((proof) => ({
          ...proof,
          answers: proof.answers.filter(([query]) => decodeQuery(fromBase64(query)).query.id !== getAccountState.id),
        })),
      },
    ],
    [
      "bytes that are no answer",
      {
        says: "verify/answer: getAddressBalance: the answer does not follow from its proof; the server is faulty, or lies (Not enough data to read at 20)",
        lie: changeAnswers(getAccountState.id, (answer) => answer.subarray(0, 40)),
      },
    ],
    ["another result", { says: changed, lie: ({ proof }) => ({ result: "1", proof }) }],
    ["no result", { says: changed, lie: ({ proof }) => ({ result: undefined, proof }) }],
    [
      "an operation that nothing proves",
      {
        says: "verify/not-covered: getConsensusBlock has no proof: its time is that of this server's clock; getMasterchainInfo has the newest block with a proof",
        name: "getConsensusBlock",
        args: {},
      },
    ],
    [
      "an operation that is not known",
      { says: "verify/not-covered: getEverything is not known here", name: "getEverything", args: {} },
    ],
  ])("%s", async (_what, { says, lie, name = "getAddressBalance", args = walletArgs(0) }) => {
    const { ledger, keys } = chain.net;
    const filled = says
      .replace(networkHere, nameOfNetwork(ledger.zero.id))
      .replace("#", String(ledger.headId.seqno))
      .replace("~", String(keys.validators[0]?.id));
    expect(await refusalOf(openClient()(name, args, lie))).toBe(filled);
  });

  it("the proof of another account", async () => {
    const wrong = await other(walletArgs(1));
    const account = wrong.proof.answers.find(
      ([query]) => decodeQuery(fromBase64(query)).query.id === getAccountState.id,
    );
    const lie = changeAnswers(getAccountState.id, () => fromBase64(account?.[1] ?? ""));
    expect(await refusalOf(openClient()("getAddressBalance", walletArgs(0), lie))).toBe(
      "verify/other-account: getAddressBalance: the proof is not about this account; the server is faulty, or lies (account: the proof does not contain this cell)",
    );
    expect(await codeOf(openClient()("getAddressBalance", walletArgs(0), () => wrong))).toBe("verify/missing-answer");
  });

  it("the proof of the account at another block", async () => {
    const old = await other({ ...walletArgs(0), seqno: 2 });
    const account = old.proof.answers.find(([query]) => decodeQuery(fromBase64(query)).query.id === getAccountState.id);
    const lie = changeAnswers(getAccountState.id, () => fromBase64(account?.[1] ?? ""));
    expect(await refusalOf(openClient()("getAddressBalance", walletArgs(0), lie))).toBe(
      `verify/other-block: getAddressBalance: the proof is about another block; the server is faulty, or lies (an answer about a block other than (-1,8000000000000000,${chain.net.ledger.headId.seqno}))`,
    );
  });

  it("the answer of another operation", async () => {
    const state = await askRpc(server.origin, "getAddressState", { ...walletArgs(0), proof: 1, proof_since: 0 });
    const ask = (lie: Lie) => codeOf(openClient()("getAddressBalance", walletArgs(0), lie));
    expect(await refusalOf(openClient()("getAddressBalance", walletArgs(0), () => state))).toBe(
      "verify/other-operation: getAddressBalance: the server sent the answer of another operation, getAddressState",
    );
    // An object whose text cannot be had.
    const odd = { toString: 1 };
    expect(await ask(() => ({ ...state, proof: { ...state.proof, operation: odd } }))).toBe("verify/other-operation");
    expect(await ask(({ proof }) => ({ ...state, proof }))).toBe("verify/changed");
    expect(await ask(() => ({ ...state, proof: { ...state.proof, operation: "getAddressBalance" } }))).toBe(
      "verify/changed",
    );
  });

  it("a head that is too old by its clock, also one that was new when it was first proved", async () => {
    const clock = new ManualClock(chain.clock.now());
    const client = openClient({ clock });
    const answer = await other(walletArgs(0));
    expect(await client("getAddressBalance", walletArgs(0), () => answer)).toBe(answer.result);
    await clock.advance(100_000);
    expect(await refusalOf(client("getAddressBalance", walletArgs(0), () => answer))).toBe(
      "verify/old-head: getAddressBalance: the newest block of the server is 100 s old by the clock of this machine (limit 60 s); the server is behind, or this clock is wrong",
    );
    expect(await codeOf(openClient({ clock, maxAge: 200 })("getAddressBalance", walletArgs(0)))).toEqual({
      accepted: answer.result,
    });
    // What is immutable does not grow old.
    const seqno = { ...walletArgs(0), seqno: 2 };
    expect(await client("getAddressBalance", seqno)).toBe(answer.result);
  });

  it("a head of the future by its clock", async () => {
    const clock = new ManualClock(chain.clock.now() - 100_000);
    expect(await refusalOf(openClient({ clock })("getAddressBalance", walletArgs(0)))).toBe(
      "verify/clock: getAddressBalance: the newest block of the server is 100 s in the future by the clock of this machine (limit 60 s); set this clock",
    );
  });
});

describe("the store of a client that checks proofs", () => {
  it("keeps the newest key block, also over two changes of the configuration", async () => {
    let kept: string | undefined;
    const saved: number[] = [];
    const store = {
      load: () => kept,
      save: (text: string) => {
        kept = text;
        saved.push(JSON.parse(text).seqno);
      },
    };
    const since: unknown[] = [];
    const noting: Lie = (answer) => {
      since.push(answer.proof.since?.seqno);
      return answer;
    };
    await openClient({ store })("getMasterchainInfo", {}, noting);
    const { net } = chain;
    for (const seqno of [0, 1]) {
      const fee = BigInt(seqno + 5);
      const value = { masterchainBlockFee: fee, basechainBlockFee: fee };
      await chain.submit(signConfigChange(net.keys.owner, 14, value, { seqno, now: net.clock.seconds }));
      await chain.rounds(3);
    }
    const newestKey = net.ledger.keySeqnos.at(-1);
    for (const _time of [1, 2]) await openClient({ store })("getMasterchainInfo", {}, noting);
    expect(since).toEqual([0, 0, newestKey]);
    expect(saved).toEqual([newestKey]);
  });

  it("is refused if it is of another network or no text of ours", async () => {
    const foreign = {
      load: () =>
        JSON.stringify({ network: "mainnet", seqno: 9, rootHash: "00".repeat(32), fileHash: "00".repeat(32) }),
      save: () => {},
    };
    const broken = { load: () => "{", save: () => {} };
    const refusals = [foreign, broken].map((store) => refusalOf(openClient({ store })("getMasterchainInfo", {})));
    expect(await Promise.all(refusals)).toEqual([
      `verify/store: the stored block is of the network mainnet, not ${nameOfNetwork(chain.net.ledger.zero.id)}; give each network its own store`,
      "verify/store: the stored block cannot be read; remove it and it is proved again",
    ]);
  });

  it("is told when the server is behind it", async () => {
    const { net } = chain;
    const { rootHash, fileHash } = net.ledger.headId;
    const { proof } = await askRpc(server.origin, "getMasterchainInfo", { proof: 1 });
    const ahead = JSON.stringify({ network: proof.network, seqno: net.ledger.headId.seqno + 5, rootHash, fileHash });
    const client = openClient({ store: { load: () => ahead, save: () => {} } });
    await expect(client("getMasterchainInfo", {})).rejects.toThrow(/this server is behind the receiver/);
  });
});
