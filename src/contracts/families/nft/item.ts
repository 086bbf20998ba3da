import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import { type EntityContext, entity, type Layout } from "../../kit/entity.ts";
import {
  addressOrNone,
  cell,
  flag,
  loadStandardAddress,
  notThis,
  single,
  stack,
  stackAddress,
  stackInt,
} from "../../kit/stack.ts";
import { cellValue, intValue } from "../../kit/stackValues.ts";
import { readTokenContent, type TokenContent } from "../../kit/tokenContent.ts";
import { nftItemSimple } from "./interfaces.ts";

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

const itemData = stack({
  isInit: flag,
  index: stackInt,
  collection: addressOrNone,
  owner: addressOrNone,
  content: cell,
});

// index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell; one that nobody owns yet ends after the collection
const simple: Layout<ItemData> = {
  codes: [
    ...nftItemSimple.codes,
    parseHash("uk2XXStmIxwfCgzMpuj/j3ugYQxLdjlYS46YMD3DEow="),
    parseHash("AuOiNw6jayTqv/gQzYTvY9wYBEPQtRrbnTvkwOqPcxk="),
  ],
  read: (data) => ({
    isInit: true,
    index: data.loadBigUint(64),
    collection: loadStandardAddress(data),
    owner: loadStandardAddress(data),
    content: data.loadRef(),
  }),
};

// index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell editor:MsgAddress
const editable: Layout<ItemData> = {
  codes: [
    parseHash("6dRvGtTz0FhmuYAKPcIgLkcwvtHTRKVJmbXiD39SJsw="),
    parseHash("WFkTv+s4jbGZfSvvsYBvLHnxghM34bDo+xgr3sQOKMI="),
  ],
  read: (data, account) => {
    const itemData = simple.read(data, account);
    loadStandardAddress(data);
    return itemData;
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
    asking.other(collection, "get_nft_address_by_index", [at], single(stackAddress)),
    asking.other(collection, "get_nft_content", [at, cellValue(content)], single(cell)),
  ]);
  if (item !== asking.account.address) throw notThis(`${collection} has another item ${index}`);
  return whole;
}

export const nftItem = entity({
  methods: ["get_nft_data"],
  run: (asking): Promise<ItemData> => asking.own("get_nft_data", itemData),
  layouts: [simple, editable],
  confirm: async (data, asking): Promise<NftItem> => {
    const { isInit, index, collection, owner } = data;
    const content = readTokenContent(await confirmContent(data, asking));
    return { kind: "nftItem", isInit, index, collection, owner, content };
  },
});
