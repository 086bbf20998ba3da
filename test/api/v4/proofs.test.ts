import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../src/api/client/verify/openStore.ts";
import { TrustedBlocks } from "../../../src/api/client/verify/TrustedBlocks.ts";
import { type ReceivedAnswer, Verifier } from "../../../src/api/client/verify/Verifier.ts";
import { ArgReader } from "../../../src/api/declare/requestArgs.ts";
import type { V4Services } from "../../../src/api/v4/declare.ts";
import { v4Api, v4Endpoints } from "../../../src/api/v4/envelope.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { toBase64Url } from "../../../src/lib/bytes.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";
import { Dice } from "../../kit/api/Dice.ts";
import { mutateAnswer, serveProofs } from "../../kit/api/proofStage.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";
import { repeats } from "../../kit/suite/everything.ts";

const kit = await openChainKit();
let chain: TestChain;
let server: TestServer;

beforeAll(async () => {
  chain = await kit.open();
  await chain.rounds(2);
  await chain.send(chain.wallet(0), { to: chain.wallet(1).address, amount: 1_000_000_000n });
  await chain.rounds(3);
  const { services, ...v2 } = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
  await v2.close();
  const head = () => chain.net.ledger.headId.seqno;
  server = await openApiServer(v4Api, { ...services, isResettable: false }, { head });
});

afterAll(async () => {
  await server.close();
  await kit.close();
});

/** Fills the arguments of a path in. */
function pathOf(path: string, args: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(args[name] ?? ""));
}

async function ask(name: string, args: Readonly<Record<string, string>>, query = "") {
  const path = v4Endpoints.find((each) => each.name === name)?.path ?? "";
  const response = await fetch(`${server.origin}/api/v4/${pathOf(path, args)}${query}`);
  return { response, body: Object(await response.json()) };
}

async function check(name: string, args: Readonly<Record<string, string>>, answer: ReceivedAnswer): Promise<unknown> {
  const { id } = chain.net.ledger.zero;
  const start = { zeroState: id, initBlock: id };
  const verifier = new Verifier<V4Services>({
    ...{ start, executor: kit.executor, clock: chain.clock, maxAge: 60 },
    trusted: new TrustedBlocks(start, openStore("memory", "")),
    services: (chains) => ({ isLive: () => true, chains, isResettable: false }),
  });
  const endpoint = v4Endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`no ${name}`);
  const decoded = new ArgReader(endpoint.args).fromQuery(args);
  const { signal } = new AbortController();
  return verifier.check({ endpoint, args: decoded, since: id, signal }, answer);
}

const emptyStack = toBase64Url(writeBoc(storeCell(VmStack, [])));

function callsHere(): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  const { address } = chain.wallet(0);
  const seqno = String(chain.net.ledger.headId.seqno);
  const { lastTransactionLt: lt, lastTransactionHash } = chain.net.account(address);
  const point = { address, lt: String(lt), hash: hashToBase64(lastTransactionHash) };
  return [
    ["getLastBlock", {}],
    ["getBlock", { seqno: "3" }],
    ["getBlock", { seqno: "999" }],
    ["getBlockByUtime", { utime: String(chain.net.ledger.getMaster(2).info.genUtime) }],
    ["getAccount", { seqno, address }],
    ["getAccountLite", { seqno: "3", address }],
    ["isAccountChanged", { seqno, address, lt: "5" }],
    ["getAccountTransactions", point],
    ["getAccountTransactionsParsed", point],
    ["getConfig", { seqno }],
    ["getConfigParams", { seqno: "3", ids: "8,15" }],
    ["runMethod", { seqno, address, method: "seqno", args: "" }],
    ["runMethodWithArgs", { seqno: "3", address, method: "seqno", args: emptyStack }],
  ];
}

describe("answers of v4 with proofs", () => {
  it("have the result of the answer without, and a proof that leads to it", async () => {
    const names = new Set<string>();
    for (const [name, args] of callsHere()) {
      const plain = await ask(name, args);
      const proved = await ask(name, args, "?proof=1&proof_since=0");
      if (plain.response.status !== 200) {
        expect([name, proved.response.status]).toEqual([name, plain.response.status]);
        continue;
      }
      names.add(name);
      expect(proved.body.result).toEqual(plain.body);
      expect(await check(name, args, proved.body)).toEqual(plain.body);
      const wrong = { ...proved.body, result: { ...proved.body.result, more: 1 } };
      await expect(check(name, args, wrong)).rejects.toMatchObject({ code: "verify/changed" });
    }
    const provable = v4Endpoints.filter(({ proof }) => proof.by !== "nothing").map(({ name }) => name);
    expect(provable.filter((name) => !names.has(name))).toEqual([]);
  });

  it("have no other result, whatever is changed in them", async () => {
    const codes = new Set<string>();
    for (const [at, [name, args]] of callsHere().entries()) {
      const { response, body: honest } = await ask(name, args, "?proof=1&proof_since=0");
      if (response.status !== 200) continue;
      const dice = new Dice(seededRandom(`v4 ${at}`));
      for (let i = 0; i < repeats({ usual: 12, all: 120 }); i++) {
        try {
          expect(await check(name, args, mutateAnswer(honest, dice))).toEqual(honest.result);
        } catch (error) {
          if (!isCoded(error) || !error.code.startsWith("verify/")) throw error;
          codes.add(error.code);
        }
      }
    }
    expect([...codes]).toEqual(expect.arrayContaining(["verify/answer", "verify/changed", "verify/head"]));
  });

  it("are not stored by caches, which may not know the header that asks for them", async () => {
    const [, [name, args] = ["", {}]] = callsHere();
    expect((await ask(name, args, "?proof=1")).response.headers.get("cache-control")).toBe("no-store");
    expect((await ask(name, args)).response.headers.get("cache-control")).toMatch(/immutable/);
  });

  it("say that a block does not exist yet only by a new head", async () => {
    const { body } = await ask("getBlock", { seqno: "999" }, "?proof=1&proof_since=0");
    await chain.clock.advance(100_000);
    await expect(check("getBlock", { seqno: "999" }, body)).rejects.toMatchObject({ code: "verify/old-head" });
  });
});
