import type { Address } from "../../../model/Address.ts";
import { entity } from "../../kit/entity.ts";
import { readTokenContent, type TokenContent } from "../../kit/tokenContent.ts";
import { getCollectionData } from "./interfaces.ts";

/** A contract that issues items. */
export interface NftCollection {
  readonly kind: "nftCollection";
  /** −1 where items have no order. */
  readonly nextItemIndex: bigint;
  readonly owner: Address | undefined;
  readonly content: TokenContent;
}

export const nftCollection = entity({
  methods: ["get_collection_data"],
  run: (asking) => asking.own(getCollectionData.name, getCollectionData.result),
  confirm: ({ nextItemIndex, content, owner }): NftCollection => ({
    kind: "nftCollection",
    nextItemIndex,
    owner,
    content: readTokenContent(content),
  }),
});
