import { getAccount as findAccount } from "../../chain/accounts.ts";
import { bool, shape } from "../../lib/kit/shape.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { chainProof } from "../declare/proof.ts";
import { addressArg, ltArg, seqnoArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onBlock } from "./onBlock.ts";
import { accountAnswer, accountLiteAnswer } from "./shapes/accounts.ts";
import { blockId } from "./shapes/ids.ts";

const accountArgs = { seqno: seqnoArg, address: addressArg };
const common = { tag: "accounts", methods: ["GET"], statuses: [404], cache: "forever" } as const;

export const getAccount = endpoint({
  ...common,
  name: "getAccount",
  proof: chainProof,
  path: "block/{seqno}/{address}",
  summary: "An account at a block, with its code and data.",
  args: accountArgs,
  result: accountAnswer,
  run: onBlock((chain, { address }) => findAccount(chain, address)),
});

export const getAccountLite = endpoint({
  ...common,
  name: "getAccountLite",
  proof: chainProof,
  path: "block/{seqno}/{address}/lite",
  summary: "An account at a block, with the hashes of its code and data.",
  args: accountArgs,
  result: accountLiteAnswer,
  run: onBlock((chain, { address }) => findAccount(chain, address)),
});

interface Change {
  readonly changed: boolean;
  readonly block: BlockIdExt;
}

export const isAccountChanged = endpoint({
  ...common,
  name: "isAccountChanged",
  proof: chainProof,
  path: "block/{seqno}/{address}/changed/{lt}",
  summary: "Whether an account has a transaction after a logical time.",
  description: "True as well for an account without transactions.",
  args: { ...accountArgs, lt: ltArg },
  result: shape<Change>()({
    changed: bool("Whether the account has a transaction after the given logical time.", (change) => change.changed),
    block: blockId("Masterchain block at which the account was read.", (change) => change.block),
  }),
  run: onBlock(async (chain, { address, lt }): Promise<Change> => {
    const { lastTransaction: last, block } = await findAccount(chain, address);
    return { changed: last.lt === 0n || last.lt > lt, block };
  }),
});
