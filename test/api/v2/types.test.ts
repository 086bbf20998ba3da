import { describe, expect, it } from "vitest";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import { extMessage, rawMessage } from "../../../src/api/v2/shapes/messages.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { loadInCell, Message } from "../../../src/model/Message.ts";

/** The objects of the contract by `@type` with their fields; those with a question mark are optional. */
const contract: Readonly<Record<string, string>> = {
  "ton.blockIdExt": "workchain shard seqno root_hash file_hash",
  "internal.transactionId": "lt hash",
  accountAddress: "account_address",
  adnlAddress: "adnl_address",
  extraCurrency: "id amount",
  "msg.dataText": "text",
  "msg.dataEncryptedText": "text",
  "msg.dataRaw": "body init_state",
  "raw.message": "hash source destination value extra_currencies fwd_fee ihr_fee created_lt body_hash msg_data",
  "ext.message":
    "hash source destination value extra_currencies fwd_fee ihr_fee created_lt body_hash msg_data message? message_decode_error?",
  "raw.transaction": "address utime data transaction_id fee storage_fee other_fee in_msg? out_msgs",
  "raw.transactionExt": "address account utime data transaction_id fee storage_fee other_fee in_msg? out_msgs",
  "ext.transaction": "address account utime data transaction_id fee storage_fee other_fee in_msg? out_msgs",
  "raw.transactions": "transactions previous_transaction_id",
  "blocks.shortTxId": "mode account lt hash",
  "blocks.transactions": "id req_count incomplete transactions",
  "blocks.transactionsExt": "id req_count incomplete transactions",
  "raw.fullAccountState":
    "balance extra_currencies code data last_transaction_id block_id frozen_hash sync_utime state suspended",
  fullAccountState: "address balance extra_currencies last_transaction_id block_id sync_utime account_state revision",
  "ext.accounts.walletInformation":
    "wallet balance account_state last_transaction_id wallet_type? seqno? wallet_id? is_signature_allowed?",
  "uninited.accountState": "frozen_hash",
  "raw.accountState": "code data frozen_hash",
  "wallet.v3.accountState": "wallet_id seqno",
  "wallet.v4.accountState": "wallet_id seqno",
  "wallet.highload.v1.accountState": "wallet_id seqno",
  "wallet.highload.v2.accountState": "wallet_id",
  "dns.accountState": "wallet_id",
  "rwallet.accountState": "wallet_id seqno unlocked_balance config",
  "pchan.accountState": "config state description",
  "rwallet.config": "start_at limits",
  "rwallet.limit": "seconds value",
  "pchan.config": "alice_public_key alice_address bob_public_key bob_address init_timeout close_timeout channel_id",
  "pchan.stateInit": "signed_A signed_B min_A min_B expire_at A B",
  "pchan.stateClose": "signed_A signed_B min_A min_B expire_at A B",
  "pchan.statePayout": "A B",
  "blocks.masterchainInfo": "last state_root_hash init",
  "blocks.shards": "shards",
  "blocks.header":
    "id global_id version validator_list_hash_short catchain_seqno min_ref_mc_seqno prev_key_block_seqno gen_utime after_merge after_split before_split want_merge want_split is_key_block start_lt end_lt prev_blocks flags vert_seqno",
  "blocks.signature": "node_id_short signature",
  "blocks.blockSignatures": "id signatures",
  "blocks.blockSignatures.simplex": "id signatures session_id slot candidate",
  "blocks.shardBlockProof": "from mc_id links mc_proof",
  "blocks.shardBlockLink": "id proof",
  "blocks.blockLinkBack": "to_key_block from to dest_proof proof state_proof",
  "ext.blocks.consensusBlock": "consensus_block timestamp",
  "blocks.outMsgQueueSizes": "shards ext_msg_queue_size_limit",
  "blocks.outMsgQueueSize": "id size",
  // The following three are not in the contract: our own operations answer them.
  "blocks.raw": "id bytes",
  "replay.transaction":
    "hash is_equal reason exit_code gas_used gas_by_family gas_by_method gas_by_line gas_by_stack total_steps failed_step steps cells",
  "replay.step": "index operation code_hash code_bit source gas gas_used gas_remaining stack_depth stack",
  "ext.tokens.jettonMasterData":
    "address contract_type total_supply mintable admin_address? jetton_content jetton_wallet_code",
  "ext.tokens.jettonWalletData": "address contract_type balance owner jetton mintless_is_claimed? jetton_wallet_code",
  "ext.tokens.nftCollectionData": "address contract_type next_item_index owner_address? collection_content",
  "ext.tokens.nftItemData": "address contract_type init index collection_address? owner_address? content",
  dns_smc_address: "smc_addr",
  dns_next_resolver: "resolver",
  dns_adnl_address: "adnl_addr",
  dns_storage_address: "bag_id",
  addr_std: "workchain_id address",
  configInfo: "config",
  "tvm.cell": "bytes",
  "smc.libraryResult": "result",
  "smc.libraryEntry": "hash data",
  ok: "",
  "raw.extMessageInfo": "hash hash_norm",
  "query.fees": "source_fees destination_fees",
  fees: "in_fwd_fee storage_fee gas_fee fwd_fee",
  "ext.utils.detectedAddress": "raw_form bounceable non_bounceable given_type test_only",
  "ext.utils.detectedAddressVariant": "b64 b64url",
  "ext.utils.detectedHash": "b64 b64url hex",
  "dns.resolved": "entries",
  "dns.entry": "name category entry",
  "dns.entryDataUnknown": "bytes",
  "dns.entryDataText": "text",
  "dns.entryDataNextResolver": "resolver",
  "dns.entryDataSmcAddress": "smc_address",
  "dns.entryDataAdnlAddress": "adnl_address",
  "dns.entryDataStorageAddress": "bag_id",
  "smc.runResult": "gas_used stack exit_code | gas_used stack exit_code block_id last_transaction_id",
  // The contract has no domain record with text; it is shown like the others.
  dns_text: "text",
};

const sorted = (fields: string) =>
  fields
    .split(" | ")
    .map((form) => form.split(" ").sort().join(" "))
    .sort()
    .join(" | ");

/** All typed objects in declared answers, with their fields. */
function declaredTypes(): Readonly<Record<string, string>> {
  const forms = new Map<string, Set<string>>();
  const open: unknown[] = v2Endpoints.map(({ result }) => result.schema);
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { properties, required = [] } = Object(schema);
    const type = Object(Object(properties)["@type"]).const;
    if (typeof type === "string") {
      const fields = Object.keys(properties).filter((name) => name !== "@type");
      const form = fields.map((name) => (required.includes(name) ? name : `${name}?`)).join(" ");
      forms.set(type, (forms.get(type) ?? new Set()).add(sorted(form)));
    }
    for (const inner of Object.values(Object(schema))) if (typeof inner === "object") open.push(inner ?? undefined);
  }
  return Object.fromEntries([...forms].map(([type, found]) => [type, [...found].sort().join(" | ")]));
}

it("every object has exactly the fields of the contract", () => {
  const wanted = Object.fromEntries(Object.entries(contract).map(([type, fields]) => [type, sorted(fields)]));
  expect(declaredTypes()).toEqual(wanted);
});

const account = parseAddress(`0:${"7".repeat(64)}`).address;

function withBody(body: Cell) {
  const info = { kind: "externalIn", src: undefined, dest: account, importFee: 0n } as const;
  return loadInCell(
    Message,
    storeCell(Message, { info, init: undefined, initPlace: "inline", body, bodyPlace: "ref" }),
  );
}

const bytesCell = (...bytes: readonly number[]) => beginCell().storeBytes(Uint8Array.from(bytes)).cell();

describe("the body of a message", () => {
  it.each<[string, Cell, string, string | undefined, string | undefined]>([
    ["nothing", beginCell().cell(), "msg.dataRaw", "", undefined],
    ["an empty text", bytesCell(0, 0, 0, 0), "msg.dataText", "", undefined],
    ["a text", bytesCell(0, 0, 0, 0, 0x68, 0x69), "msg.dataText", "hi", undefined],
    [
      "a text with a mark of byte order",
      bytesCell(0, 0, 0, 0, 0xef, 0xbb, 0xbf, 0x68),
      "msg.dataText",
      "\ufeffh",
      undefined,
    ],
    ["a text that is no UTF-8", bytesCell(0, 0, 0, 0, 0xff), "msg.dataText", "\ufffd", undefined],
    ["an encrypted text", bytesCell(0x21, 0x67, 0xda, 0x4b, 1), "msg.dataEncryptedText", undefined, undefined],
    ["bits", beginCell().storeUint(0b101, 3).cell(), "msg.dataRaw", "oA==\n", undefined],
    ["zeroes of no whole bytes", beginCell().storeUint(0, 33).cell(), "msg.dataRaw", "AAAAAAA=\n", undefined],
    ["a cell of another kind", makeLibrary(zeroHash), "msg.dataRaw", undefined, "the body is no ordinary cell"],
  ])("of %s", (_what, body, type, message, error) => {
    const { msg_data: data, ...shown } = extMessage.encode(withBody(body));
    expect([Object(data)["@type"], shown.message, shown.message_decode_error]).toEqual([type, message, error]);
    const raw = rawMessage.encode(withBody(body));
    expect([raw.msg_data, Object.hasOwn(raw, "message")]).toEqual([data, false]);
  });
});
