import { cellTreeOf } from "./cellTreeOf.ts";
import type { Samples } from "./samples.ts";

type Json = Readonly<Record<string, unknown>>;

/** An empty cell, as a bag and as a tree. */
const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";
const emptyTree = { data: { b64: "", len: 0 }, refs: [], special: false };

/** The sample for an argument, or a function that computes its value from the samples. */
type Fill = string | Make;
type Make = (values: Json) => unknown;

const say =
  (value: unknown): Fill =>
  () =>
    value;
const list =
  (name: string): Fill =>
  (values) =>
    values[name] === undefined ? undefined : [values[name]];
const ofBlock =
  (name: string): Fill =>
  (values) =>
    (values.block as Json | undefined)?.[name];

const account = { address: "wallet" } as const;
const block = { workchain: ofBlock("workchain"), shard: ofBlock("shard"), seqno: ofBlock("seqno") } as const;
const located = { source: "source", destination: "destination", created_lt: "createdLt" } as const;
const query = { address: "wallet", body: say(emptyBag) } as const;
const tree = { address: "wallet", body: say(emptyTree) } as const;
/** A field of the message that was signed for an operation; of a message that nobody signed where there is none. */
const ofSigned =
  (operation: string, name: string, otherwise?: unknown): Make =>
  (values) =>
    (values[`signed ${operation}`] as Json | undefined)?.[name] ?? otherwise;
const asTree =
  (fill: Make): Make =>
  (values) => {
    const boc = fill(values);
    return typeof boc === "string" ? cellTreeOf(boc) : undefined;
  };
/** The wallet whose message the operation `message` sends: what it causes is pending until the next block. */
const ofMessage: Make = ofSigned("message", "from");
const signedBoc = (operation: string) => ({ boc: ofSigned(operation, "boc", emptyBag) });
const signedParts = (operation: string) => ({
  address: ofSigned(operation, "from"),
  body: ofSigned(operation, "body", emptyBag),
  init_code: ofSigned(operation, "init_code"),
  init_data: ofSigned(operation, "init_data"),
});
const method = { address: "wallet", method: say("seqno"), stack: say([]) } as const;
const few = { limit: say(3) } as const;
/** One name, so that a snapshot can be created, restored and deleted in this order. */
const snapshot = { name: say("tried") } as const;

/** Arguments for each operation: just enough to get an answer. Operations that are not listed need none. */
const fills: Readonly<Record<string, Readonly<Record<string, Fill>>>> = {
  "v2/getAddressInformation": account,
  "v2/getExtendedAddressInformation": account,
  "v2/getWalletInformation": account,
  "v2/getAddressBalance": account,
  "v2/getAddressState": account,
  "v2/getShardAccountCell": account,
  "v2/getTokenData": { address: "master" },
  "v2/dnsResolve": { address: "resolver" },
  "v2/getMasterchainBlockSignatures": { seqno: "seqno" },
  "v2/getShardBlockProof": block,
  "v2/getShards": { seqno: "seqno" },
  "v2/shards": { seqno: "seqno" },
  "v2/lookupBlock": block,
  "v2/getBlockHeader": block,
  "v2/getRawBlock": block,
  "v2/replayTransaction": { address: "account", lt: "lt", hash: "hash", limit: say(20) },
  "v2/getBlockTransactions": block,
  "v2/getBlockTransactionsExt": block,
  "v2/getTransactions": { ...account, ...few },
  "v2/getTransactionsStd": { ...account, ...few },
  "v2/tryLocateTx": located,
  "v2/tryLocateResultTx": located,
  "v2/tryLocateSourceTx": located,
  "v2/getConfigParam": { config_id: say(8) },
  "v2/getLibraries": { libraries: list("hash") },
  "v2/detectAddress": account,
  "v2/packAddress": account,
  "v2/unpackAddress": account,
  "v2/detectHash": { hash: "hash" },
  "v2/runGetMethod": method,
  "v2/runGetMethodStd": method,
  "v2/estimateFee": { ...query, ignore_chksig: say(true) },
  "v2/estimateFeeSimple": { ...tree, ignore_chksig: say(true) },
  "v2/sendBoc": signedBoc("sendBoc"),
  "v2/sendBocReturnHash": signedBoc("sendBocReturnHash"),
  "v2/sendBocReturnHashNoError": signedBoc("sendBocReturnHashNoError"),
  "v2/sendQuery": signedParts("sendQuery"),
  "v2/sendQuerySimple": {
    ...signedParts("sendQuerySimple"),
    body: asTree(signedParts("sendQuerySimple").body),
    init_code: asTree(signedParts("sendQuerySimple").init_code),
    init_data: asTree(signedParts("sendQuerySimple").init_data),
  },
  "v2/jsonRPC": { id: say("1"), jsonrpc: say("2.0"), method: say("getMasterchainInfo"), params: say({}) },
  "v3/accountStates": { address: list("wallet") },
  "v3/walletStates": { address: list("wallet") },
  "v3/addressBook": { address: list("wallet") },
  "v3/metadata": { address: list("master") },
  "v3/actions": few,
  "v3/traces": few,
  "v3/events": few,
  "v3/balanceChanges": { trace_id: "trace" },
  "v3/pendingActions": { account: "wallet" },
  "v3/pendingTraces": { account: "wallet" },
  "v3/pendingTransactions": { account: (values) => [ofMessage(values) ?? values.wallet] },
  "v3/adjacentTransactions": { hash: "hash" },
  "v3/blocks": few,
  "v3/masterchainBlockShardState": { seqno: "seqno" },
  "v3/masterchainBlockShards": { seqno: "seqno" },
  "v3/messages": few,
  "v3/transactions": few,
  "v3/transactionsByMasterchainBlock": { seqno: "seqno" },
  "v3/transactionsByMessage": { msg_hash: list("message") },
  "v3/jetton/masters": few,
  "v3/jetton/wallets": few,
  "v3/jetton/transfers": few,
  "v3/jetton/burns": few,
  "v3/nft/collections": few,
  "v3/nft/items": few,
  "v3/nft/transfers": few,
  "v3/nft/sales": { address: list("sale") },
  "v3/dns/records": { domain: "domain" },
  "v3/multisig/wallets": { address: list("multisig") },
  "v3/multisig/orders": { multisig_address: list("multisig") },
  "v3/vesting": { contract_address: list("vesting") },
  "v3/topAccountsByBalance": few,
  "v3/decode": { opcodes: (values) => [values.opcode ?? "0x0f8a7ea5"], bodies: list("body") },
  "v3/account": account,
  "v3/addressInformation": account,
  "v3/wallet": account,
  "v3/walletInformation": account,
  "v3/runGetMethod": method,
  "v3/estimateFee": { ...query, ignore_chksig: say(true) },
  "v3/message": signedBoc("message"),
  "localnet/faucet": { address: "wallet", amount: say("1") },
  "localnet/signTransfer": { from: ofMessage, to: "wallet", amount: say("1") },
  "localnet/advance": { seconds: say(1) },
  "localnet/makeSnapshot": snapshot,
  "localnet/restoreSnapshot": snapshot,
  "localnet/deleteSnapshot": snapshot,
};

/** The document with example values in every required field, and none in the others. */
export function fillDocument(document: Json, { values }: Samples): Json {
  const base = String((document.servers as readonly { readonly url?: string }[] | undefined)?.[0]?.url ?? "");
  const prefix = base.replace(/^\/(?:api\/)?/, "");
  const paths = Object.entries(Object(document.paths) as Readonly<Record<string, Json>>).map(([path, item]) => {
    const wanted = valuesOf(fills[`${prefix}${path}`] ?? {}, values);
    const operations = Object.entries(item).map(([name, operation]) => [
      name,
      fillOperation(Object(operation), wanted),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function valuesOf(fill: Readonly<Record<string, Fill>>, values: Json): Json {
  const found = Object.entries(fill).map(([name, each]) => [
    name,
    typeof each === "string" ? values[each] : each(values),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function fillOperation(operation: Json, wanted: Json): Json {
  const parameters = operation.parameters as readonly Json[] | undefined;
  const body = operation.requestBody as Json | undefined;
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters: parameters.map((each) => fillParameter(each, wanted)) }),
    ...(body === undefined ? {} : { requestBody: fillBody(body, wanted) }),
  };
}

/** The page uses a schema example as the value of its field, so only wanted examples stay. */
function fillParameter(parameter: Json, wanted: Json): Json {
  const { examples: _shown, example: _one, ...schema } = Object(parameter.schema) as Json;
  const items = Object(schema.items) as Json;
  const { examples: _all, example: _each, ...bare } = items;
  const plain = { ...parameter, schema: schema.items === undefined ? schema : { ...schema, items: bare } };
  const value = wanted[String(parameter.name)];
  return value === undefined ? plain : { ...plain, example: value };
}

function fillBody(body: Json, wanted: Json): Json {
  const content = Object.entries(Object(body.content) as Readonly<Record<string, Json>>);
  return { ...body, content: Object.fromEntries(content.map(([type, each]) => [type, { ...each, example: wanted }])) };
}
