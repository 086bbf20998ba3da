import { getAccount } from "../../chain/accounts.ts";
import { identifyContract } from "../../chain/knownContracts.ts";
import { findWallet } from "../../chain/wallets.ts";
import { chainProof } from "../declare/proof.ts";
import { accountArgs } from "./args.ts";
import { endpoint, untilNext } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { bounceable } from "./shapes/ids.ts";
import { fullAccountState, walletInformation } from "./shapes/wallets.ts";

export const getExtendedAddressInformation = endpoint({
  name: "getExtendedAddressInformation",
  proof: chainProof,
  tag: "accounts",
  summary: "An account with the type of its contract, if its code is one of a few known ones.",
  args: accountArgs,
  result: fullAccountState,
  cache: untilNext,
  run: onChain(async (chain, { address, seqno }) => {
    const account = await getAccount(chain, address.address, seqno);
    const shown = { ...bounceable(address.address), ...(address.flags && { flags: address.flags }) };
    return { address: shown, account, known: identifyContract(account) };
  }),
});

export const getWalletInformation = endpoint({
  name: "getWalletInformation",
  proof: chainProof,
  tag: "accounts",
  summary: "Wallet data of an account: version, seqno, wallet id.",
  description:
    "Wallets are recognised by their code; other contracts, including highload wallets, do not count as wallets.",
  args: accountArgs,
  result: walletInformation,
  cache: untilNext,
  run: onChain(async (chain, { address: { address }, seqno }) => {
    const account = await getAccount(chain, address, seqno);
    return { account, wallet: findWallet(account) };
  }),
});
