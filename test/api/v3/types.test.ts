import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createV3Client } from "../../../src/api/client/v3Client.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import { type DemoStage, type Json, openDemoStage } from "../../kit/api/demoStage.ts";
import { detailTypes } from "../../kit/api/v3/v3Details.ts";
import { differencesFrom } from "../../kit/api/v3/v3Notation.ts";
import {
  actionsIn,
  type KnownContracts,
  listRequests,
  pendingRequests,
  stakingRequests,
  type TypedRequest,
} from "../../kit/api/v3/v3Requests.ts";
import { v3Types } from "../../kit/api/v3/v3Types.ts";
import { loadStakingRows, stakingAt } from "../../kit/history/stakingRows.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";

let stage: DemoStage;
let known: KnownContracts;
let requests: readonly TypedRequest[];

type AnyClient = Readonly<Record<string, (args: object) => Promise<unknown>>>;
/** Accepts any method name, like the typed client. */
let client: AnyClient;

beforeAll(async () => {
  stage = await openDemoStage();
  const { people, market, multisig, vesting } = stage.demo;
  known = {
    wallet: people.alice.address,
    sales: [market.openSale, market.finishedSale],
    multisig: multisig.wallet,
    vesting: vesting.wallet,
    domain: "alice.ton",
  };
  client = createV3Client(`${stage.server.origin}/api/v3`) as unknown as AnyClient;
  // The demo set has no pool: these rows are made.
  await loadStakingRows(stage.database);
  const { pool, ann: nominator, validator } = stakingAt;
  requests = [...(await listRequests(stage.ask, known)), ...stakingRequests({ pool, nominator, validator })];
});
afterAll(() => stage.close());

const pendingNames = ["pendingTraces", "pendingActions", "pendingTransactions"];
const posted = ["message", "runGetMethod", "estimateFee"];
/** Those of the contract. */
const names = v3Endpoints
  .filter(({ isExtra }) => !isExtra)
  .map(({ name }) => name)
  .filter((name) => ![...pendingNames, ...posted].includes(name));

/** Has its own type name, but stands for one of two types. */
const typeOf = ({ type, details }: Json) =>
  type !== "extra_currency_transfer" ? `${type}` : "opcode" in Object(details) ? "call_contract" : "ton_transfer";

async function expectTyped({ path, type, key, forms }: TypedRequest): Promise<void> {
  for (const args of forms) {
    const answer = await stage.ask(path, args);
    expect([args, differencesFrom(v3Types, type, answer)]).toEqual([args, []]);
    if (key !== undefined) expect([args, answer[key]]).not.toEqual([args, []]);
    for (const action of actionsIn(answer))
      expect([action.type, differencesFrom(detailTypes, typeOf(action), action.details)]).toEqual([action.type, []]);
    expect([args, await client[path]?.(args)]).toEqual([args, answer]);
  }
}

async function readAbout(path: string, accounts: readonly unknown[]): Promise<Json> {
  const query = new URLSearchParams(accounts.map((account): [string, string] => ["address", String(account)]));
  return (await (await fetch(`${stage.server.origin}/api/v3/${path}?${query}`)).json()) as Json;
}

async function expectBook({ path, forms, book, hasMetadata = false }: TypedRequest): Promise<void> {
  for (const args of book === undefined ? [] : forms) {
    const answer = await stage.ask(path, args);
    const accounts = [...new Set(book?.(answer))].filter((each) => each !== null && each !== undefined);
    if (accounts.length === 0) continue;
    expect([args, answer.address_book]).toEqual([args, await readAbout("addressBook", accounts)]);
    if (hasMetadata) expect([args, answer.metadata]).toEqual([args, await readAbout("metadata", accounts)]);
  }
}

describe.each(names)("%s", (name) => {
  const own = () => requests.filter(({ path }) => path === name);

  it("has exactly the fields of the contract in their forms, for any caller and its client", async () => {
    expect(own().length).toBeGreaterThan(0);
    for (const request of own()) await expectTyped(request);
  });

  it("has exactly the accounts of the contract in its address book and metadata", async () => {
    for (const request of own()) await expectBook(request);
  });
});

describe("POST requests and pending messages", () => {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

  it("have the forms of the contract, also for the client", async () => {
    const { alice, bob } = stage.demo.people;
    const body = jettonTransferBody({ to: bob.address, amount: 5n, comment: "typed" });
    const transfer = { to: stage.demo.jetton.walletOf(alice.address), amount: 100_000_000n, bounce: true, body };
    const boc = text(writeBoc(stage.chain.sign(alice, transfer), crcForm));
    const sent = (await client.message?.({ boc })) as Json;
    expect(differencesFrom(v3Types, "V2SendMessageResult", sent)).toEqual([]);
    await stage.live.pending.idle();
    for (const request of pendingRequests(alice.address, `${sent.message_hash_norm}`)) {
      await expectTyped(request);
      await expectBook(request);
    }
    const predicted = await stage.ask("pendingTransactions", { account: alice.address });
    const described = (predicted.transactions as readonly Json[]).map(({ description }) => description);
    expect(described).toEqual(described.map(() => expect.objectContaining({ is_tock: false, installed: false })));
  });

  it("run methods and estimate fees in the forms of the contract", async () => {
    const run = { address: known.wallet, method: "seqno", stack: [] };
    const ran = (await client.runGetMethod?.(run)) as Json;
    expect(ran).toEqual({
      gas_used: expect.any(Number),
      exit_code: 0,
      stack: [{ type: "num", value: expect.stringMatching(/^0x[0-9a-f]+$/) }],
    });
    const message = { address: known.wallet, body: "te6cckEBAQEAAgAAAEysuc0=", init_code: "", init_data: "" };
    const fees = await client.estimateFee?.({ ...message, ignore_chksig: true });
    expect(differencesFrom(v3Types, "V2EstimateFeeResult", fees)).toEqual([]);
  });
});

describe("the independent copy of the contract", () => {
  it("detects missing, malformed and additional fields", () => {
    const block = { workchain: "0", seqno: 1, more: true };
    expect(differencesFrom(v3Types, "BlockId[]|null", [block])).toEqual([
      "BlockId.more: unknown",
      "BlockId.shard: absent",
      'BlockId.workchain: "0" is no num',
    ]);
    expect(differencesFrom(v3Types, "{dec}", { one: 1, two: "2" })).toEqual(["{dec}{}: 1 is no dec"]);
  });
});
