import type { Chain } from "../../chain/Chain.ts";
import { ChainError } from "../../chain/errors.ts";
import { listProvenHistory } from "../../chain/pinned/provenHistory.ts";
import { isCoded } from "../../lib/errors.ts";
import { withDefault } from "../../lib/kit/arg.ts";
import { list, shape } from "../../lib/kit/shape.ts";
import type { HistoryItem, TransactionPoint } from "../../lite/queries/transactions.ts";
import type { Address } from "../../model/Address.ts";
import { arg, sampled } from "../declare/argument.ts";
import { ApiError } from "../declare/errors.ts";
import { largeProof } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { hashArg, intArg } from "../v2/args.ts";
import { addressArg, ltArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { noteLasting, onNewest } from "./onBlock.ts";
import { bags, blockId } from "./shapes/ids.ts";
import { parsedTransaction } from "./shapes/parsed.ts";

const pointArgs = {
  address: sampled(addressArg, "account"),
  lt: arg("Logical time of the transaction to begin with.", ltArg, "lt"),
  hash: arg("Hash of the transaction to begin with.", hashArg(), "hash"),
};
const common = { tag: "transactions", methods: ["GET"], statuses: [404], cache: "forever" } as const;

/** As many as a page of this interface has. */
const pageLength = 20;

interface Page {
  readonly address: Address;
  readonly items: readonly HistoryItem[];
}

/** An empty page would end clients with an error of their own, so that an unknown point is one of ours. */
async function getPage(
  chain: Chain,
  address: Address,
  { count, ...from }: TransactionPoint & { readonly count: number },
  { proof }: RequestContext,
): Promise<Page> {
  const items = await findItems(chain, address, from, count);
  if (items.length === 0) throw new ChainError("chain/not-found", `transaction ${from.lt} of ${address} not found`);
  // A page that ends early is no proof: the rest may exist on another server.
  if (proof !== undefined && items.length < count && items.at(-1)?.transaction.prevLt !== 0n)
    throw new ApiError("api/no-proof", "no server has the rest of this history");
  return { address, items };
}

async function findItems(chain: Chain, address: Address, from: TransactionPoint, count: number) {
  try {
    return await listProvenHistory(chain, address, from, count);
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    return [];
  }
}

const blocks = list(blockId)("Block of each transaction, in their order.", (page: Page) =>
  page.items.map(({ claimedBlock }) => claimedBlock),
);

export const getAccountTransactions = endpoint({
  ...common,
  name: "getAccountTransactions",
  proof: largeProof,
  path: "account/{address}/tx/{lt}/{hash}",
  summary: "Transactions of an account from one of them backwards, as cells.",
  description: `At most ${pageLength}, the named one first; \`boc\` has one root for each, \`blocks\` the block of each.`,
  args: pointArgs,
  result: shape<Page>()({
    blocks,
    boc: bags("Bag of cells in base64 with one root for each transaction.", (page) =>
      page.items.map(({ transaction }) => transaction.cell),
    ),
  }),
  run: onNewest(async (chain, { address, lt, hash }, context, services) => {
    const page = await getPage(chain, address, { lt, hash, count: pageLength }, context);
    noteLasting(context, services, chain.zeroState, { rootHash: hash });
    return page;
  }),
});

export const getAccountTransactionsParsed = endpoint({
  ...common,
  name: "getAccountTransactionsParsed",
  proof: largeProof,
  path: "account/{address}/tx/parsed/{lt}/{hash}",
  summary: "Transactions of an account from one of them backwards, with their meaning for a wallet.",
  args: {
    ...pointArgs,
    count: arg("Largest number of transactions in the answer.", withDefault(intArg({ min: 1, max: 100 }), pageLength)),
  },
  result: shape<Page>()({
    blocks,
    transactions: list(parsedTransaction)("Transactions, newest first.", (page) =>
      page.items.map(({ transaction }) => ({ address: page.address, transaction })),
    ),
  }),
  run: onNewest(async (chain, { address, lt, hash, count }, context, services) => {
    const page = await getPage(chain, address, { lt, hash, count }, context);
    noteLasting(context, services, chain.zeroState, { rootHash: hash });
    return page;
  }),
});
