import { resolveName } from "../../chain/contracts/dns.ts";
import { getTokenData as getToken } from "../../chain/contracts/tokens.ts";
import { withDefault } from "../../lib/kit/arg.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { arg, sampled } from "../declare/argument.ts";
import { largeProof } from "../declare/proof.ts";
import { accountArgs, addressArg, ignoredArg, intArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { dnsResolved } from "./shapes/dns.ts";
import { tokenData } from "./shapes/tokens.ts";

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
    seqno: accountArgs.seqno,
  },
  result: dnsResolved,
  cache: "head",
  run: onChain((chain, { address: { address }, name, ttl, seqno }) =>
    resolveName(chain, address, { name, ttl, seqno }),
  ),
});
