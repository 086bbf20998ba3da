import { findCode, getAccount, isSuspended, shardAccountCell } from "../../chain/accounts.ts";
import { writeCode } from "../../chain/codeBags.ts";
import { chainProof } from "../declare/proof.ts";
import { accountArgs } from "./args.ts";
import { endpoint, untilNext } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { rawFullAccountState } from "./shapes/accounts.ts";
import { tvmCell } from "./shapes/cells.ts";

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
    const bag = code && writeCode(chain.caches.codeBags, code);
    return { account, code: bag, suspended: await isSuspended(chain, account) };
  }),
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
