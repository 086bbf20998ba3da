import { expect } from "vitest";
import { type Case, gives, refuses } from "./Case.ts";
import {
  elector,
  elsewhere,
  fifth,
  first,
  fourth,
  future,
  futureText,
  head,
  inBasechain,
  nobody,
  noTransaction,
  second,
  sender,
  sent,
  shardTop,
  transactionAt,
  whole,
  zeroHash,
  zeroState,
} from "./knownBlocks.ts";

/*
 * Over the first 24 masterchain blocks of the recorded chain. The golden tests compare whole answers with the
 * reference; here every endpoint is called in every way, including its errors.
 */

const badAddresses: readonly Case[] = [
  refuses("no address", {}, 422, "failed to parse address"),
  refuses("words", { address: "not_an_address" }, 422, "failed to parse address"),
];
const badSeqnos: readonly Case[] = [
  refuses("a seqno of zero", { address: nobody, seqno: 0 }, 422, "seqno should be positive"),
  refuses("a seqno that is none", { address: nobody, seqno: "x" }, 422, "failed to parse seqno"),
  refuses("a seqno of 33 bits", { address: nobody, seqno: "4294967296" }, 422, "failed to parse seqno"),
  refuses("a block that does not exist yet", { address: nobody, seqno: 1000 }, 500, future),
];
const badPlaces: readonly Case[] = [
  ...badAddresses,
  ...badSeqnos,
  refuses(
    "the basechain before its first block",
    { address: nobody, seqno: 1 },
    500,
    expect.stringMatching(/^LITE_SERVER_NOTREADY: cannot load block \(0,8000000000000000,0\):\S+ : not in db$/),
  ),
];
const neededSeqnos: readonly Case[] = [
  refuses("no seqno", {}, 422, "seqno should be positive"),
  refuses("a seqno below one", { seqno: -1 }, 422, "seqno should be positive"),
  refuses("words", { seqno: "x" }, 422, "failed to parse seqno"),
];
const badBlocks: readonly Case[] = [
  refuses("no workchain", { shard: whole, seqno: 5 }, 422, "failed to parse workchain"),
  refuses("no shard", { workchain: 0, seqno: 5 }, 422, "failed to parse shard"),
  refuses(
    "a shard without sign",
    { workchain: 0, shard: "9223372036854775808", seqno: 5 },
    422,
    "failed to parse shard",
  ),
  refuses("no seqno", inBasechain, 422, "failed to parse seqno"),
  refuses("a seqno of zero", { ...inBasechain, seqno: 0 }, 422, "seqno should be positive"),
  refuses("a bad hash", { ...inBasechain, seqno: 5, root_hash: "zz" }, 422, "failed to parse root_hash"),
];
const badListings: readonly Case[] = [
  ...badBlocks,
  refuses(
    "two hashes of nothing",
    { ...inBasechain, seqno: 5, root_hash: zeroHash, file_hash: zeroHash },
    500,
    "LITE_SERVER_UNKNOWN: invalid block id requested",
  ),
  refuses("nothing to list", { ...inBasechain, seqno: 5, count: 0 }, 422, "count should be positive"),
  refuses("too much", { ...inBasechain, seqno: 5, count: 10_001 }, 422, "count should be less or equal 10000"),
  refuses(
    "half a cursor",
    { ...inBasechain, seqno: 5, after_lt: 1 },
    422,
    "after_lt and after_hash should be used together",
  ),
  refuses("a time before all", { ...inBasechain, seqno: 5, after_lt: -1 }, 422, "after_lt should be non-negative"),
];
const badHistories: readonly Case[] = [
  ...badAddresses,
  refuses("no limit", { address: nobody, limit: 0 }, 422, "limit should be positive"),
  refuses("a high limit", { address: nobody, limit: 1001 }, 422, "limit should be less or equal 1000"),
  refuses("half a point", { address: nobody, lt: 5 }, 422, "lt and hash should be used together"),
  refuses("the other half", { address: nobody, hash: zeroHash }, 422, "lt and hash should be used together"),
  refuses("a bad hash", { address: nobody, lt: 5, hash: "zz" }, 422, "failed to parse hash"),
  refuses("a bad flag", { address: nobody, archival: "maybe" }, 422, "failed to parse archival"),
  refuses(
    "a transaction of another hash",
    { address: elector, lt: 25_000_002, hash: zeroHash },
    500,
    "LITE_SERVER_UNKNOWN: transaction hash mismatch",
  ),
  refuses(
    "a transaction that never was",
    { address: elector, lt: 25_000_003, hash: zeroHash },
    500,
    "LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time",
  ),
];
const zeroLt = { address: nobody, lt: 0 };
const apart = "lt and hash should be used together";
const strayHashes = { root_hash: zeroHash, file_hash: zeroHash };
const message = { source: elector, destination: nobody };
const badMessages: readonly Case[] = [
  refuses("no source", { destination: nobody, created_lt: 5 }, 422, "empty source address"),
  refuses("no destination", { source: nobody, created_lt: 5 }, 422, "empty destination address"),
  refuses("no time", message, 422, "failed to parse created_lt"),
  refuses("a negative time", { ...message, created_lt: -1 }, 422, "created_lt should be non-negative"),
  refuses(
    "a time that has not come",
    { ...message, created_lt: "999999999999" },
    500,
    `failed to get shards at create_lt: ${futureText("-1,8000000000000000", "lt=999999999999: ltdb: block not found (last known masterchain block: 24)")}`,
  ),
  refuses("no such message", { ...message, created_lt: 5_000_001 }, 404, "transaction not found"),
];
const emptyShards = { "@type": "blocks.shards", shards: [shardTop] };
const listed = { id: fifth, req_count: 40, incomplete: false, transactions: [] };
const accountHead = { balance: "0", extra_currencies: [], last_transaction_id: noTransaction, block_id: head };

/** The cases of every endpoint that reads the chain. */
export const chainCases = {
  getAddressInformation: [
    gives(
      "nobody",
      { address: nobody },
      {
        "@type": "raw.fullAccountState",
        ...accountHead,
        ...{ code: "", data: "", frozen_hash: "", sync_utime: 1794704586, state: "uninitialized", suspended: false },
      },
    ),
    ...badPlaces,
  ],
  getExtendedAddressInformation: [
    gives(
      "nobody, with the flags of the question",
      { address: "UQB5Rbwtbk_QoL5SFkYFV770g6gLavCsvN8Ghm9cRzuTZyBu" },
      {
        "@type": "fullAccountState",
        address: {
          "@type": "accountAddress",
          account_address: "UQB5Rbwtbk_QoL5SFkYFV770g6gLavCsvN8Ghm9cRzuTZyBu",
        },
        ...accountHead,
        sync_utime: 1794704586,
        account_state: { "@type": "uninited.accountState", frozen_hash: "" },
        revision: 0,
      },
    ),
    ...badPlaces,
  ],
  getWalletInformation: [
    gives(
      "nobody",
      { address: nobody },
      {
        "@type": "ext.accounts.walletInformation",
        ...{ wallet: false, balance: "0", account_state: "uninitialized", last_transaction_id: noTransaction },
      },
    ),
    ...badPlaces,
  ],
  getAddressBalance: [gives("nobody", { address: nobody }, "0"), ...badPlaces],
  getAddressState: [
    gives("nobody", { address: nobody }, "uninitialized"),
    gives("a contract", { address: elector, seqno: 2 }, "active"),
    ...badPlaces,
  ],
  getTokenData: [
    refuses("what is no token", { address: elector }, 409, "Smart contract is not Jetton or NFT"),
    ...badPlaces,
  ],
  getShardAccountCell: [
    gives(
      "nobody",
      { address: nobody },
      {
        "@type": "tvm.cell",
        bytes: "te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==",
      },
    ),
    ...badPlaces,
  ],
  dnsResolve: [
    refuses("a contract that resolves nothing", { address: elector, name: "x" }, 500, "get method failed"),
    refuses("a long name", { address: elector, name: "x".repeat(127) }, 500, "Name is too long"),
    refuses("a negative ttl", { address: elector, ttl: -1 }, 422, "ttl should be non-negative"),
    ...badPlaces,
  ],
  getMasterchainInfo: [
    gives(
      "nothing",
      {},
      {
        "@type": "blocks.masterchainInfo",
        last: head,
        state_root_hash: "a8tBJ9YCSdmzZuWjkmEiWOzW8bOAF2iFdqkxT3mh63U=",
        init: zeroState,
      },
    ),
  ],
  getMasterchainBlockSignatures: [
    gives(
      "a block",
      { seqno: 2 },
      {
        "@type": "blocks.blockSignatures.simplex",
        id: second,
        signatures: [
          {
            "@type": "blocks.signature",
            node_id_short: "1hTfLgMzWnGC/Eaa1hYG/IOrhsGSSVsyzYLuaU27ECU=",
            signature: "oEUBsujhHMOZGAJSpfJD8HQRj9FDnAP8Wdbu0fjA+y070aZtOrKVM8xjcur4dIGFP1VaHTJXFRYgGb85m0piAw==",
          },
        ],
        session_id: "8DNLf2TnbJggWPvMUPG2pLJOC9EvgDzLLggjKFLRixU=",
        slot: 1,
        candidate:
          "3Lz56P////8AAAAAAAAAgAIAAACTxt+jTnf5uJlaGcb4SNiZno9MOu9kMSqIOpNoXaLNpDrylb4PpN6Uosy7rneeckvDhkqbnkKrB6uGAmQRMua+XHbjti2h+q1IX4uCEEFqP/c/nWwS9sgJqtOCahd2no/xmksaP82RtgAAAABBpj5xpxlddlnEIaOPd39VfaPpFctVJqoyhvmiDeC+kw==",
      },
    ),
    ...neededSeqnos,
    refuses(
      "the first block, before which there is none",
      { seqno: 1 },
      500,
      futureText("-1,8000000000000000", "seqno=0: ltdb: block not found"),
    ),
  ],
  getShardBlockProof: [
    gives(
      "the head, which proves itself",
      { workchain: -1, shard: whole, seqno: 24 },
      { "@type": "blocks.shardBlockProof", from: head, mc_id: head, links: [], mc_proof: [] },
    ),
    refuses("no workchain", { shard: whole, seqno: 1 }, 422, "workchain required"),
    refuses("no shard", { workchain: 0, seqno: 1 }, 422, "shard required"),
    refuses("no seqno", inBasechain, 422, "seqno required"),
    refuses("a negative from", { ...inBasechain, seqno: 5, from_seqno: -1 }, 422, "from_seqno should be non-negative"),
    refuses(
      "a from that does not exist yet",
      { ...inBasechain, seqno: 5, from_seqno: 1000 },
      500,
      `lookup from block error: ${future}`,
    ),
    refuses("an old from", { ...inBasechain, seqno: 10, from_seqno: 3 }, 500, "from mc block is too old"),
  ],
  getConsensusBlock: [
    gives("nothing", {}, { "@type": "ext.blocks.consensusBlock", consensus_block: 24, timestamp: 1794704588 }),
  ],
  lookupBlock: [
    gives("a seqno", { ...inBasechain, seqno: 5 }, fifth),
    gives("a logical time", { ...inBasechain, lt: "6000001" }, fifth),
    gives("a time", { ...inBasechain, unixtime: 1794704550 }, fifth),
    gives("the first block, by what was before it", { workchain: -1, shard: whole, lt: 0 }, first),
    refuses(
      "a time that has not come",
      { workchain: -1, shard: whole, unixtime: 2_000_000_000 },
      500,
      futureText("-1,8000000000000000", "utime=2000000000: ltdb: block not found (last known masterchain block: 24)"),
    ),
    refuses(
      "a workchain that is not there",
      { workchain: 7, shard: whole, seqno: 1 },
      500,
      futureText("7,8000000000000000", "seqno=1: seqno not in db"),
    ),
    refuses("no shard", { workchain: 0, seqno: 5 }, 422, "failed to parse shard"),
    refuses("nothing to look for", inBasechain, 422, "exactly one of seqno, lt, unixtime should be specified"),
    refuses(
      "two things",
      { ...inBasechain, seqno: 5, lt: 5 },
      422,
      "exactly one of seqno, lt, unixtime should be specified",
    ),
    refuses("a negative lt", { ...inBasechain, lt: -1 }, 422, "lt should be non-negative"),
    refuses("a negative time", { ...inBasechain, unixtime: -1 }, 422, "unixtime should be non-negative"),
  ],
  getShards: [gives("the head", { seqno: 24 }, emptyShards), ...neededSeqnos],
  shards: [gives("the head", { seqno: 24 }, emptyShards), ...neededSeqnos],
  getBlockHeader: [
    gives(
      "a block",
      { ...inBasechain, seqno: 5 },
      {
        "@type": "blocks.header",
        id: fifth,
        ...{ global_id: -777, version: 0, flags: 1, vert_seqno: 0, min_ref_mc_seqno: 4, catchain_seqno: 0 },
        ...{ after_merge: false, after_split: false, before_split: false, want_merge: false, want_split: false },
        ...{ validator_list_hash_short: -1366152584, is_key_block: false, prev_key_block_seqno: 0 },
        ...{ start_lt: "6000000", end_lt: "6000001", gen_utime: 1794704550, prev_blocks: [fourth] },
      },
    ),
    gives(
      "one of two hashes, which does not count",
      { ...inBasechain, seqno: 5, root_hash: zeroHash, file_hash: "" },
      expect.objectContaining({ "@type": "blocks.header", id: fifth }),
    ),
    refuses(
      "two hashes of nothing",
      { ...inBasechain, seqno: 5, ...strayHashes },
      500,
      "LITE_SERVER_UNKNOWN: invalid BlockIdExt",
    ),
    ...badBlocks,
  ],
  getOutMsgQueueSize: [
    gives(
      "nothing",
      {},
      {
        "@type": "blocks.outMsgQueueSizes",
        shards: [head, shardTop].map((id) => ({ "@type": "blocks.outMsgQueueSize", id, size: 0 })),
        ext_msg_queue_size_limit: 8000,
      },
    ),
  ],
  getBlockTransactions: [
    gives(
      "the first of a block",
      { workchain: -1, shard: whole, seqno: 2, count: 1 },
      {
        "@type": "blocks.transactions",
        ...{ id: second, req_count: 1, incomplete: true },
        transactions: [
          {
            "@type": "blocks.shortTxId",
            mode: 135,
            account: `-1:${"0".repeat(64)}`,
            lt: "3000001",
            hash: expect.any(String),
          },
        ],
      },
    ),
    gives(
      "what is behind the last account",
      { workchain: -1, shard: whole, seqno: 2, after_lt: 1, after_hash: `-1:${"f".repeat(64)}` },
      { "@type": "blocks.transactions", id: second, req_count: 40, incomplete: false, transactions: [] },
    ),
    gives("an empty block", { ...inBasechain, seqno: 5 }, { "@type": "blocks.transactions", ...listed }),
    ...badListings,
  ],
  getBlockTransactionsExt: [
    gives("an empty block", { ...inBasechain, seqno: 5 }, { "@type": "blocks.transactionsExt", ...listed }),
    ...badListings,
  ],
  getTransactions: [
    gives("nobody", { address: nobody }, []),
    gives("a logical time of zero, which is none", zeroLt, []),
    gives("any servers", { address: nobody, archival: "NO" }, []),
    gives("the newest of a contract", { address: elector, limit: 1, to_lt: 1, archival: true }, [
      transactionAt(elector, "25000002"),
    ]),
    refuses("a hash at a logical time of none", { ...zeroLt, hash: zeroHash }, 422, apart),
    ...badHistories,
  ],
  getTransactionsStd: [
    gives(
      "nobody",
      { address: nobody },
      { "@type": "raw.transactions", transactions: [], previous_transaction_id: noTransaction },
    ),
    gives(
      "what was before all",
      { ...zeroLt, hash: zeroHash },
      { "@type": "raw.transactions", transactions: [], previous_transaction_id: noTransaction },
    ),
    refuses("a logical time of zero alone", zeroLt, 422, apart),
    ...badHistories,
  ],
  tryLocateTx: [gives("a message", sent, transactionAt(elsewhere, "1000007")), ...badMessages],
  tryLocateResultTx: [gives("a message", sent, transactionAt(elsewhere, "1000007")), ...badMessages],
  tryLocateSourceTx: [gives("a message", sent, transactionAt(sender, "1000005")), ...badMessages],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
