import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { type EntityContext, entity, type Layout } from "../../kit/entity.ts";
import { notThis } from "../../kit/stack.ts";
import { cellValue, intValue } from "../../kit/stackValues.ts";
import { readTokenContent, type TokenContent } from "../../kit/tokenContent.ts";
import { getNftAddressByIndex, getNftContent, getNftData } from "./interfaces.ts";
import { editableItem, simpleItem } from "./storage.ts";

/** An item, confirmed by its collection if it has one. */
export interface NftItem {
  readonly kind: "nftItem";
  readonly isInit: boolean;
  readonly index: bigint;
  readonly collection: Address | undefined;
  readonly owner: Address | undefined;
  /** As composed by its collection; for a domain with the attribute `domain`. */
  readonly content: TokenContent;
}

/** The answer of an item. */
export interface ItemData {
  readonly isInit: boolean;
  readonly index: bigint;
  readonly collection: Address | undefined;
  readonly owner: Address | undefined;
  readonly content: Cell;
}

// One that nobody owns yet ends after the collection, and is read by its code.
const simple: Layout<ItemData> = {
  codes: simpleItem.codes,
  read: (data) => ({ isInit: true, ...simpleItem.load(data) }),
};

const editable: Layout<ItemData> = {
  codes: editableItem.codes,
  read: (data) => {
    const { editor: _, ...item } = editableItem.load(data);
    return { isInit: true, ...item };
  },
};

/** The content of an item together with its collection; an item that its collection does not confirm is refused. */
export async function confirmContent({ index, collection, content }: ItemData, asking: EntityContext): Promise<Cell> {
  return collection === undefined ? content : askCollection(collection, { index, content }, asking);
}

/** The content of an item of this collection, which must confirm the item by its index. */
async function askCollection(
  collection: Address,
  { index, content }: { readonly index: bigint; readonly content: Cell },
  asking: EntityContext,
): Promise<Cell> {
  const at = intValue(index);
  const [item, whole] = await Promise.all([
    asking.other(collection, getNftAddressByIndex.name, [at], getNftAddressByIndex.result),
    asking.other(collection, getNftContent.name, [at, cellValue(content)], getNftContent.result),
  ]);
  if (item !== asking.account.address) throw notThis(`${collection} has another item ${index}`);
  return whole;
}

export const nftItem = entity({
  methods: ["get_nft_data"],
  run: (asking): Promise<ItemData> => asking.own(getNftData.name, getNftData.result),
  layouts: [simple, editable],
  confirm: async (data, asking): Promise<NftItem> => {
    const { isInit, index, collection, owner } = data;
    const content = readTokenContent(await confirmContent(data, asking));
    return { kind: "nftItem", isInit, index, collection, owner, content };
  },
});
