import { findCode, getAccount, isSuspended, shardAccountCell } from "../../chain/accounts.ts";
import { resolveName } from "../../chain/contracts/dns.ts";
import { getTokenData as getToken } from "../../chain/contracts/tokens.ts";
import { identifyContract } from "../../chain/knownContracts.ts";
import { findWallet } from "../../chain/wallets.ts";
import { optional, withDefault } from "../../lib/kit/arg.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { arg, sampled } from "../declare/argument.ts";
import { chainProof, largeProof } from "../declare/proof.ts";
import { addressArg, ignoredArg, intArg, seqnoArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { balance, fullAccountState, rawFullAccountState, stateWord, walletInformation } from "./shapes/accounts.ts";
import { tvmCell } from "./shapes/cells.ts";
import { dnsResolved } from "./shapes/dns.ts";
import { bounceable } from "./shapes/ids.ts";
import { tokenData } from "./shapes/tokens.ts";

const accountArgs = {
  address: arg("Address of the account.", addressArg(), "wallet"),
  seqno: arg(
    "Seqno of the masterchain block at which the account is read; the newest one if left out.",
    optional(seqnoArg),
  ),
};

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

export const getTokenData = endpoint({
  name: "getTokenData",
  proof: largeProof,
  tag: "accounts",
  summary: "Data of a jetton master, jetton wallet, NFT collection or NFT item.",
  description:
    "Data of a jetton wallet or an NFT item is confirmed by its master or collection. Off-chain documents are not fetched; content whose URI is not text, or that cannot be encoded, is answered with 500.",
  statuses: [409],
  args: { ...accountArgs, address: sampled(accountArgs.address, "master") },
  result: tokenData,
  cache: "head",
  run: onChain(async (chain, { address, seqno }) => ({
    address,
    token: await getToken(chain, address.address, seqno),
  })),
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

export const dnsResolve = endpoint({
  name: "dnsResolve",
  proof: largeProof,
  tag: "accounts",
  summary: "Resolves a name with a DNS contract.",
  description:
    "`ttl` is the number of further resolvers to follow; without it, the next resolver is returned. `category` is ignored: all categories are returned.",
  isExtra: true,
  args: {
    address: arg("The DNS contract that is asked first.", addressArg(), "resolver"),
    name: arg(
      "Domain to resolve, such as `alice.ton`; the contract itself when empty.",
      withDefault(textArg({ maxLength: 1024 }), ""),
    ),
    category: arg("Accepted and not used: records of all categories are answered.", ignoredArg),
    ttl: arg("Number of further resolvers to follow.", withDefault(intArg({ min: 0 }), 0)),
    seqno: arg(
      "Seqno of the masterchain block at which the account is read; the newest one if left out.",
      optional(seqnoArg),
    ),
  },
  result: dnsResolved,
  cache: "head",
  run: onChain((chain, { address: { address }, name, ttl, seqno }) =>
    resolveName(chain, address, { name, ttl, seqno }),
  ),
});
