import { Type } from "typebox";
import { cell } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { intKey } from "../../cell/keys.ts";
import type { Chain } from "../../chain/Chain.ts";
import { type ConfigState, getConfigState } from "../../chain/pinned/configState.ts";
import { decimal, field, objectSchema, shape } from "../../lib/kit/shape.ts";
import { makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { encodeBag } from "../declare/encodeBag.ts";
import { largeProof } from "../declare/proof.ts";
import { boc, bounceable } from "../v2/shapes/ids.ts";
import { friendlyUrl } from "../v2/shapes/utils.ts";
import { idsArg, seqnoArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onBlock } from "./onBlock.ts";

const config = shape<ConfigState>()({
  cell: field({ schema: boc.schema, encode: writeParams })(
    "Root of the dictionary of parameters as a bag of cells in base64; empty for none.",
    (state) => state.params,
  ),
  address: friendlyUrl("User-friendly address of the contract that keeps the configuration.", (state) =>
    bounceable(makeAddress(masterchain, state.contract)),
  ),
  globalBalance: shape<ConfigState["globalBalance"]>()({
    coins: decimal("Amount, in nanocoins.", (balance) => balance.coins),
  })("All coins of the network.", (state) => state.globalBalance),
});

const configAnswer = field({
  schema: objectSchema({
    exist: ["Whether there is such a block.", Type.Literal(true)],
    config: ["Configuration at the block.", config.schema],
  }),
  encode: (state: ConfigState) => ({ exist: true as const, config: config.encode(state) }),
});

/** The root of the dictionary; an empty dictionary is an empty bag. */
function writeParams({ root }: ConfigState["params"]): string {
  return root === undefined ? "" : encodeBag(root);
}

const common = { tag: "config", methods: ["GET"], cache: "forever", statuses: [404], result: configAnswer } as const;

export const getConfig = endpoint({
  ...common,
  name: "getConfig",
  proof: largeProof,
  path: "block/{seqno}/config",
  summary: "The whole configuration at a block.",
  description: "`cell` is the root of the dictionary of parameters, without the bit before it.",
  args: { seqno: seqnoArg },
  run: onBlock((chain) => getConfigState(chain)),
});

export const getConfigParams = endpoint({
  ...common,
  name: "getConfigParams",
  proof: largeProof,
  path: "block/{seqno}/config/{ids}",
  summary: "Some parameters of the configuration at a block; those that do not exist are omitted.",
  args: { seqno: seqnoArg, ids: idsArg },
  run: onBlock((chain, { ids }) => pickParams(chain, ids)),
});

async function pickParams(chain: Chain, ids: readonly number[]): Promise<ConfigState> {
  const state = await getConfigState(chain);
  let params: ConfigState["params"] = new Dictionary(undefined, intKey(32), cell);
  for (const id of ids) {
    const param = state.params.find(id);
    if (param !== undefined) params = params.set(id, param);
  }
  return { ...state, params };
}
