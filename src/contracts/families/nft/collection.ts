import type { Address } from "../../../model/Address.ts";
import { entity } from "../../kit/entity.ts";
import { addressOrNone, cell, stack, stackInt } from "../../kit/stack.ts";
import { readTokenContent, type TokenContent } from "../../kit/tokenContent.ts";

/** A contract that issues items. */
export interface NftCollection {
  readonly kind: "nftCollection";
  /** −1 where items have no order. */
  readonly nextItemIndex: bigint;
  readonly owner: Address | undefined;
  readonly content: TokenContent;
}

/** The answer of `get_collection_data`. */
export const collectionData = stack({ nextItemIndex: stackInt, content: cell, owner: addressOrNone });

export const nftCollection = entity({
  methods: ["get_collection_data"],
  run: (asking) => asking.own("get_collection_data", collectionData),
  confirm: ({ nextItemIndex, content, owner }): NftCollection => ({
    kind: "nftCollection",
    nextItemIndex,
    owner,
    content: readTokenContent(content),
  }),
});
