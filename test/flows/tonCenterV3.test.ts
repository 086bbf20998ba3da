import { createRequire } from "node:module";
import { join } from "node:path";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { Address, beginCell, external, internal, SendMode, storeMessage, WalletContractV4 } from "@ton/ton";
import TonCenterV3 from "ton-center-v3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { listDifferences, readDeclared } from "../kit/house/declaredTypes.ts";

let service: StartedService;
let client: TonCenterV3;
let demo: ReadonlyMap<string, string>;
let sender: string;
/** A block after the demo set is complete. */
let last: number;
/** A transaction in the middle of a jetton transfer. */
let middle: string;

const patience = { timeout: 300_000, interval: 300 };
const packageFolder = join(createRequire(import.meta.url).resolve("ton-center-v3"), "..");
const types = readDeclared(join(packageFolder, "response.d.ts"));

beforeAll(async () => {
  service = await startService({ flags: ["--index"] });
  client = new TonCenterV3({ apiKey: "any" });
  // The client only supports the public URLs.
  Object.assign(client, { api: new URL(`${service.origin}/api/v3/`) });
  const listed = await fetch(`${service.origin}/localnet/demo`);
  const { result } = (await listed.json()) as { result: readonly { name: string; address: string }[] };
  demo = new Map(result.map(({ name, address }) => [name, address]));
  sender = service.wallet("v4r2").address;
  const made = await fetch(`${service.origin}/api/v2/getMasterchainInfo`);
  last = ((await made.json()) as { result: { last: { seqno: number } } }).result.last.seqno;
  // The demo set is complete when the service reports that it runs.
  await vi.waitFor(async () => expect((await client.getMasterchainInfo()).last.seqno).toBeGreaterThan(last), patience);
  const { transactions } = await client.getTransactionsByMessage({ opcode: "0x0f8a7ea5", limit: 1 });
  middle = String(transactions[0]?.hash);
});

afterAll(() => service.close());

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** The same request without the client. */
async function direct(path: string, query: Query = {}): Promise<unknown> {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === "object" ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  const response = await fetch(`${service.origin}/api/v3/${path}?${new URLSearchParams(pairs)}`);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

const expectDeclared = (name: string, value: unknown) => expect(listDifferences(types, name, value)).toEqual([]);

const posted = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(`${service.origin}/api/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
  return response.json();
};

/**
 * Accepted differences from the client's types: they come from an older document, declare optional fields as required,
 * and take placeholders of the document for fields.
 */
const known: readonly string[] = [
  ...["balance_extra_currencies: absent", "frozen_hash: absent", "last_transaction_lt: string"].map(
    (each) => `Account.${each}`,
  ),
  ...["balance_extra_currencies", "code_boc", "data_boc"].map((each) => `AccountState.${each}: absent`),
  ...["result_arg", "total_action_fees", "total_fwd_fees"].map((each) => `ActionPhase.${each}: absent`),
  ...["exit_arg", "gas_credit", "reason"].map((each) => `ComputePhase.${each}: absent`),
  ...["credit_extra_currencies", "due_fees_collected"].map((each) => `CreditPhase.${each}: absent`),
  ...["in_msg_tx_hash: absent", "out_msg_tx_hash: absent", "opcode: string"].map((each) => `Message.${each}`),
  ...["comment", "type"].map((each) => `MessageContent.decoded.${each}: absent`),
  "StoragePhase.storage_fees_due: absent",
  ...["description", "extra", "extra.additionalProp1", "image", "name", "symbol"].map(
    (each) => `TokenInfo.${each}: absent`,
  ),
  ...["transaction: absent", "in_msg_hash: absent", "children[]: object"].map((each) => `TraceNode.${each}`),
  ...["bounce", "credit_first", "credit_ph", "installed", "is_tock", "split_info"].map(
    (each) => `TransactionDescription.${each}: absent`,
  ),
  "Content.uri: absent",
  "JettonWalletsResponse.jetton_wallets[].mintless_info: absent",
];

interface Asked {
  /** The client's names of the method and of its answer type. */
  readonly method: string;
  readonly type: string;
  readonly path: string;
  ask(): Promise<unknown>;
  query(): Query;
  /** Fields that the request asks to leave out. */
  readonly leaves?: readonly string[];
}

const of = (name: string) => demo.get(name) ?? "";
const limit = 100;

const asked: readonly Asked[] = [
  {
    ...{ method: "getAccountStates", type: "AccountStatesResponse", path: "accountStates" },
    ask: () => client.getAccountStates([sender, of("jetton master")]),
    query: () => ({ address: [sender, of("jetton master")], include_boc: "true" }),
  },
  {
    ...{ method: "getAddressBook", type: "Record", path: "addressBook" },
    ask: () => client.getAddressBook([sender, of("alice.ton")]),
    query: () => ({ address: [sender, of("alice.ton")] }),
  },
  {
    ...{ method: "getMetadata", type: "Record", path: "metadata" },
    ask: () => client.getMetadata([of("jetton master"), of("NFT item 0")]),
    query: () => ({ address: [of("jetton master"), of("NFT item 0")] }),
  },
  {
    ...{ method: "getWalletStates", type: "WalletSatesResponse", path: "walletStates" },
    ask: () => client.getWalletStates([sender, of("jetton master")]),
    query: () => ({ address: [sender, of("jetton master")] }),
  },
  {
    ...{ method: "getActions", type: "ActionsResponse", path: "actions" },
    ask: () => client.getActions({ limit, sort: "asc" }),
    query: () => ({ limit, sort: "asc" }),
  },
  {
    ...{ method: "getTraces", type: "TracesResponse", path: "traces" },
    ask: () => client.getTraces({ limit, sort: "asc", include_actions: true }),
    query: () => ({ limit, sort: "asc", include_actions: "true" }),
  },
  {
    ...{ method: "getAddressInformation", type: "AddressInformationResponse", path: "addressInformation" },
    ask: () => client.getAddressInformation(sender),
    query: () => ({ address: sender, use_v2: "true" }),
  },
  {
    ...{ method: "getWalletInformation", type: "WalletInformationResponse", path: "walletInformation" },
    ask: () => client.getWalletInformation(sender),
    query: () => ({ address: sender, use_v2: "true" }),
  },
  {
    ...{ method: "getAddressInformation", type: "AddressInformationResponse", path: "addressInformation" },
    ask: () => client.getAddressInformation(sender, false),
    query: () => ({ address: sender, use_v2: "false" }),
  },
  {
    ...{ method: "getWalletInformation", type: "WalletInformationResponse", path: "walletInformation" },
    ask: () => client.getWalletInformation(sender, false),
    query: () => ({ address: sender, use_v2: "false" }),
  },
  {
    ...{ method: "getAccountStates", type: "AccountStatesResponse", path: "accountStates" },
    ask: () => client.getAccountStates([sender], false),
    query: () => ({ address: [sender], include_boc: "false" }),
    leaves: ["Account.code_boc: absent", "Account.data_boc: absent"],
  },
  {
    ...{ method: "getAdjacentTransactions", type: "AdjacentTransactionsResponse", path: "adjacentTransactions" },
    ask: () => client.getAdjacentTransactions(middle),
    query: () => ({ hash: middle }),
  },
  {
    ...{ method: "getMasterchainBlockShards", type: "BlocksResponse", path: "masterchainBlockShards" },
    ask: () => client.getMasterchainBlockShards(last, 1, 1),
    query: () => ({ seqno: last, limit: 1, offset: 1 }),
  },
  {
    ...{ method: "getTopAccountsByBalance", type: "Array", path: "topAccountsByBalance" },
    ask: () => client.getTopAccountsByBalance(2, 1),
    query: () => ({ limit: 2, offset: 1 }),
  },
  {
    ...{ method: "getAdjacentTransactions", type: "AdjacentTransactionsResponse", path: "adjacentTransactions" },
    ask: () => client.getAdjacentTransactions(middle, "in"),
    query: () => ({ hash: middle, direction: "in" }),
  },
  {
    ...{ method: "getBlocks", type: "BlocksResponse", path: "blocks" },
    ask: () => client.getBlocks({ limit, sort: "asc" }),
    query: () => ({ limit, sort: "asc" }),
  },
  {
    ...{ method: "getMasterchainBlockShardState", type: "BlocksResponse", path: "masterchainBlockShardState" },
    ask: () => client.getMasterchainBlockShardState(last),
    query: () => ({ seqno: last }),
  },
  {
    ...{ method: "getMasterchainBlockShards", type: "BlocksResponse", path: "masterchainBlockShards" },
    ask: () => client.getMasterchainBlockShards(last),
    query: () => ({ seqno: last }),
  },
  {
    ...{ method: "getMasterchainInfo", type: "MasterchainInfoResponse", path: "masterchainInfo" },
    ask: () => client.getMasterchainInfo(),
    query: () => ({}),
  },
  {
    ...{ method: "getMessages", type: "MessagesResponse", path: "messages" },
    ask: () => client.getMessages({ limit, sort: "asc" }),
    query: () => ({ limit, sort: "asc" }),
  },
  {
    ...{ method: "getTransactions", type: "TransactionsResponse", path: "transactions" },
    ask: () => client.getTransactions({ limit, sort: "asc", account: [sender, of("jetton master")] }),
    query: () => ({ limit, sort: "asc", account: [sender, of("jetton master")] }),
  },
  {
    ...{
      method: "getTransactionsByMasterchainBlock",
      type: "TransactionsResponse",
      path: "transactionsByMasterchainBlock",
    },
    ask: () => client.getTransactionsByMasterchainBlock({ seqno: last, limit }),
    query: () => ({ seqno: last, limit }),
  },
  {
    ...{ method: "getTransactionsByMessage", type: "TransactionsResponse", path: "transactionsByMessage" },
    ask: () => client.getTransactionsByMessage({ opcode: "0x0f8a7ea5", limit }),
    query: () => ({ opcode: "0x0f8a7ea5", limit }),
  },
  {
    ...{ method: "getJettonBurns", type: "JettonBurnsResponse", path: "jetton/burns" },
    ask: () => client.getJettonBurns({ jetton_master: of("jetton master") }),
    query: () => ({ jetton_master: of("jetton master") }),
  },
  {
    ...{ method: "getJettonMasters", type: "JettonMastersResponse", path: "jetton/masters" },
    ask: () => client.getJettonMasters({ address: [of("jetton master")] }),
    query: () => ({ address: of("jetton master") }),
  },
  {
    ...{ method: "getJettonTransfers", type: "JettonTransfersResponse", path: "jetton/transfers" },
    ask: () => client.getJettonTransfers({ jetton_master: of("jetton master"), limit }),
    query: () => ({ jetton_master: of("jetton master"), limit }),
  },
  {
    ...{ method: "getJettonWallets", type: "JettonWalletsResponse", path: "jetton/wallets" },
    ask: () => client.getJettonWallets({ jetton_address: of("jetton master"), limit }),
    query: () => ({ jetton_address: of("jetton master"), limit }),
  },
  {
    ...{ method: "getNftCollections", type: "NftCollectionsResponse", path: "nft/collections" },
    ask: () => client.getNftCollections({ limit }),
    query: () => ({ limit }),
  },
  {
    ...{ method: "getNftItems", type: "NftItemsResponse", path: "nft/items" },
    ask: () => client.getNftItems({ collection_address: of("NFT collection"), limit }),
    query: () => ({ collection_address: of("NFT collection"), limit }),
  },
  {
    ...{ method: "getNftTransfers", type: "NftTransfersResponse", path: "nft/transfers" },
    ask: () => client.getNftTransfers({ limit }),
    query: () => ({ limit }),
  },
  {
    ...{ method: "getTopAccountsByBalance", type: "Array", path: "topAccountsByBalance" },
    ask: () => client.getTopAccountsByBalance(5),
    query: () => ({ limit: 5 }),
  },
];

/** POST methods, covered by other tests. */
const posting = ["estimateFee", "message", "runGetMethod"];

/** Not for callers. */
const own = ["constructor", "createEndpoint"];

describe("ton-center-v3 against the service", () => {
  it.each(asked)("$method returns the answer of the service, in the fields of its types", async (each) => {
    // New blocks come in the meantime: both requests must hit the same one.
    await vi.waitFor(async () => expect(await each.ask()).toEqual(await direct(each.path, each.query())), patience);
    const answer = await each.ask();
    const [first] = Object.values(Object(answer));
    expect(first).not.toEqual([]);
    const allowed = [...known, ...(each.leaves ?? [])];
    expect(listDifferences(types, each.type, answer).filter((difference) => !allowed.includes(difference))).toEqual([]);
  });

  it("has no untested method", () => {
    const methods = Object.getOwnPropertyNames(TonCenterV3.prototype);
    const here = new Set([...asked.map(({ method }) => method), ...posting]);
    expect(methods.filter((name) => !own.includes(name) && !here.has(name))).toEqual([]);
  });

  it("runGetMethod and estimateFee return the answers of the service to the same bodies", async () => {
    const run = { address: sender, method: "seqno", stack: [] };
    // A block may come between two requests: the answer is that of the request before it or of the one after it.
    const ranBefore = await posted("runGetMethod", run);
    const ran = await client.runGetMethod(run);
    expect([ranBefore, await posted("runGetMethod", run)]).toContainEqual(ran);
    expect(ran.stack).toEqual([{ type: "num", value: expect.stringMatching(/^0x[0-9a-f]+$/) }]);
    const { body } = await signTransfer();
    const given = { address: sender, body, ignore_chksig: true, init_code: "", init_data: "" };
    const feesBefore = await posted("estimateFee", given);
    const fees = await client.estimateFee(given);
    expect([feesBefore, await posted("estimateFee", given)]).toContainEqual(fees);
    expect(fees.source_fees.gas_fee).toBeGreaterThan(0);
    expectDeclared("EstimateFeeResponse", fees);
  });

  it("a sent transfer is found by its hash, among transactions and as a trace", async () => {
    const { boc, hash } = await signTransfer();
    const sent = await client.message(boc);
    expect(sent).toMatchObject({ message_hash: hash });
    const find = async () => (await client.getTransactionsByMessage({ msg_hash: hash })).transactions;
    await vi.waitFor(async () => expect(await find()).toHaveLength(1), patience);
    const [transaction] = await find();
    expect(transaction).toMatchObject({
      account: raw(sender),
      in_msg: { hash },
      out_msgs: [{ destination: raw(receiver), value: "250000000", message_content: { decoded: comment } }],
    });
    const trace = async () => (await client.getTraces({ msg_hash: [hash], include_actions: true })).traces;
    await vi.waitFor(async () => expect(await trace()).toHaveLength(1), patience);
    expect(await trace()).toMatchObject([
      {
        external_hash: hash,
        trace_id: transaction?.trace_id,
        trace_info: { trace_state: "complete", transactions: 2 },
      },
    ]);
  });
});

const receiver = `0:${"5a".repeat(32)}`;
const comment = { "@type": "text_comment", comment: "through v3" };
const raw = (address: string) => Address.parse(address).toRawString().toUpperCase();

/** A transfer of a quarter of a coin: the message, its hash and its body. */
async function signTransfer() {
  const { stack } = await client.runGetMethod({ address: sender, method: "seqno", stack: [] });
  const seqno = Number(stack[0]?.value);
  const keys = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  const messages = [internal({ to: receiver, value: "0.25", bounce: false, body: "through v3" })];
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  const body = wallet.createTransfer({ seqno, secretKey: keys.secretKey, messages, sendMode });
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell();
  return {
    boc: message.toBoc().toString("base64"),
    hash: message.hash().toString("base64"),
    body: body.toBoc().toString("base64"),
  };
}
