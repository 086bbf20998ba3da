import { address, amount, bool, bytes, hash, int4, int8, int53, nullable } from "./columns.ts";
import { keepNewest } from "./conflictRule.ts";
import { derived, droppedBy, indexTable, partitionedBy, partOf } from "./indexTable.ts";
import { distributedBy } from "./placement.ts";

/** Token events are transactions of a contract, and are listed by account. */
function ofTokens<Contract extends string, Account extends string>(contract: Contract, account: Account) {
  return {
    key: [contract, "txLt"],
    source: partOf("trace", "traceId"),
    retention: partitionedBy("txLt", [account, "txLt"]),
    placement: distributedBy(contract),
  } as const;
}

/** The transaction of a token event. */
const tokenEvent = {
  txHash: hash,
  txLt: int8,
  txNow: int53,
  txAborted: bool,
  mcSeqno: int4,
  traceId: nullable(hash),
  queryId: amount,
};

/** What the sender of a token wants besides. */
const response = {
  responseDestination: nullable(address),
  customPayload: nullable(bytes),
};

export const jettonTransfers = indexTable({
  name: "jetton_transfers",
  ...ofTokens("sourceWallet", "source"),
  columns: {
    ...tokenEvent,
    amount: amount,
    source: address,
    destination: nullable(address),
    sourceWallet: address,
    jettonMaster: address,
    ...response,
    forwardTonAmount: nullable(amount),
    forwardPayload: nullable(bytes),
  },
});

export const jettonBurns = indexTable({
  name: "jetton_burns",
  ...ofTokens("jettonWallet", "owner"),
  columns: {
    ...tokenEvent,
    owner: address,
    jettonWallet: address,
    jettonMaster: address,
    amount: amount,
    ...response,
  },
});

export const nftTransfers = indexTable({
  name: "nft_transfers",
  ...ofTokens("nftItem", "oldOwner"),
  columns: {
    ...tokenEvent,
    nftItem: address,
    nftItemIndex: nullable(amount),
    nftCollection: nullable(address),
    oldOwner: address,
    newOwner: nullable(address),
    ...response,
    forwardAmount: nullable(amount),
    forwardPayload: nullable(bytes),
  },
});

/** A jetton wallet as a masterchain block left it. */
export const jettonWalletChanges = indexTable({
  name: "jetton_wallet_changes",
  key: ["mcSeqno", "address"],
  source: derived,
  retention: droppedBy("mcSeqno"),
  placement: distributedBy("address"),
  // A wallet may be read several times for one block; the last state counts, as for the wallet itself.
  conflict: keepNewest("lastTransactionLt"),
  columns: {
    mcSeqno: int4,
    address: address,
    balance: amount,
    owner: address,
    jetton: address,
    codeHash: nullable(hash),
    dataHash: nullable(hash),
    lastTransactionLt: int8,
  },
});
