import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { parseAddress } from "../../../model/Address.ts";
import { declareFamily } from "../../engine/declareFamily.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { cellOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import { call, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import { stakeDeposit, stakeWithdrawalRequest } from "../exchange/staking.ts";
import { findReceived, type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import {
  jettonInternalTransfer,
  jettonNotify,
  jettonMintBody as mintBody,
  jettonTransferBody as transferBody,
} from "../jetton/messages.ts";
import { type JettonMint, jettonMint } from "../jetton/mint.ts";

/** The token that is given, and the one that is received. */
const usde = parseAddress("0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC").address;
const tsusde = parseAddress("0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D").address;

export const ethenaStaking = {
  deposit: stakeDeposit("ethena", "ethena_deposit"),
  request: stakeWithdrawalRequest("ethena", "ethena_withdrawal_request"),
};

const minted = where((node): node is TraceNode<JettonMint> => isKind(node, jettonMint) && node.data.asset === tsusde);
const given = where(
  (node): node is TraceNode<JettonTransfer> => isKind(node, jettonTransfer) && node.data.asset === usde,
  { child: minted },
);

const ethenaDepositMatcher = matcher({
  name: "ethena_deposit",
  pattern: given,
  build: (match) => {
    const { data: transfer } = match.get(given);
    const mint = match.get(minted).data;
    const data = {
      holder: transfer.sender,
      holderWallet: transfer.senderWallet,
      pool: transfer.receiver,
      amount: transfer.amount,
      tokensMinted: mint.amount,
      asset: mint.asset,
      sourceAsset: transfer.asset,
    };
    // The service never marks it as failed, even when the mint has failed.
    return made(ethenaStaking.deposit, data, { from: [match.get(given), match.get(minted)] });
  },
});

/** Mints the requested token; has the layout of an arriving transfer. */
const requestMint = 0xb2583ed5;
const issued = call(requestMint);
const ordered = call(mintBody, { child: issued });
const received = call(jettonInternalTransfer, { child: call(jettonNotify, { child: ordered }) });
const sent = call(transferBody, { child: received });

const ethenaRequestMatcher = matcher({
  name: "ethena_withdrawal_request",
  pattern: sent,
  build: (match, facts) => {
    const node = match.get(sent);
    const arrival = match.get(received);
    const issue = match.get(issued);
    const sender = sourceOf(node);
    const from = facts.findJettonWallet(destinationOf(node));
    const token = facts.findJettonWallet(destinationOf(issue));
    if (from === undefined || token === undefined) return undefined;
    if (from.owner !== sender || token.owner !== sender) return undefined;
    // The transfer arrives at the master itself, and the requested token comes from its own master.
    if (from.jetton !== destinationOf(arrival) || token.jetton !== sourceOf(issue)) return undefined;
    known(findReceived(arrival));
    const data = {
      holder: sender,
      holderWallet: destinationOf(node),
      pool: sourceOf(match.get(ordered)),
      tokensMinted: readIssued(cellOf(issue)),
      asset: from.jetton,
    };
    return made(ethenaStaking.request, data);
  },
});

// query_id:uint64 amount:Coins from:addr response:addr forward_amount:Coins
function readIssued(cell: Cell): bigint {
  const body = sliceOf(cell).skip(96);
  const amount = body.loadCoins();
  address.load(body);
  address.load(body);
  body.loadCoins();
  return amount;
}

const types = ["stake_deposit", "stake_withdrawal_request"];

/** Ethena staking on jettons. */
export const family = declareFamily({
  matchers: { request: ethenaRequestMatcher, deposit: ethenaDepositMatcher },
  types: { v1: types, sets: { staking: types } },
});
