import { findCode, getAccount, isSuspended, shardAccountCell } from "../../chain/accounts.ts";
import { identifyContract } from "../../chain/knownContracts.ts";
import { findWallet } from "../../chain/wallets.ts";
import { chainProof } from "../declare/proof.ts";
import { accountArgs } from "./accountArgs.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { balance, fullAccountState, rawFullAccountState, stateWord, walletInformation } from "./shapes/accounts.ts";
import { tvmCell } from "./shapes/cells.ts";
import { bounceable } from "./shapes/ids.ts";

/** An account at a given block is immutable, the newest one is valid until the next block. */
function untilNext({ seqno }: { readonly seqno: number | undefined }) {
  return seqno === undefined ? "head" : "forever";
}

export const getAddressInformation = endpoint({
  name: "getAddressInformation",
  proof: chainProof,
  tag: "accounts",
  summary: "Balance, code, data and state of an account.",
  args: accountArgs,
  result: rawFullAccountState,
  cache: untilNext,
  run: onChain(async (chain, { address: { address }, seqno }) => {
    const account = await getAccount(chain, address, seqno);
    const code = findCode(account);
    const bag = code && chain.caches.codeBags.write(code);
    return { account, code: bag, suspended: await isSuspended(chain, account) };
  }),
});

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

export const getAddressBalance = endpoint({
  name: "getAddressBalance",
  proof: chainProof,
  tag: "accounts",
  summary: "Balance of an account in nanocoins.",
  args: accountArgs,
  result: balance,
  cache: untilNext,
  run: onChain((chain, { address: { address }, seqno }) => getAccount(chain, address, seqno)),
});

export const getAddressState = endpoint({
  name: "getAddressState",
  proof: chainProof,
  tag: "accounts",
  summary: "State of an account: `uninitialized`, `active` or `frozen`.",
  args: accountArgs,
  result: stateWord,
  cache: untilNext,
  run: onChain((chain, { address: { address }, seqno }) => getAccount(chain, address, seqno)),
});

export const getShardAccountCell = endpoint({
  name: "getShardAccountCell",
  proof: chainProof,
  tag: "accounts",
  summary: "The account's entry in the state of its shard, as a cell.",
  isExtra: true,
  args: accountArgs,
  result: tvmCell,
  cache: untilNext,
  run: onChain(async (chain, { address: { address }, seqno }) =>
    shardAccountCell(await getAccount(chain, address, seqno)),
  ),
});
