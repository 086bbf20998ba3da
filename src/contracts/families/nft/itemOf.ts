import { beginCell } from "../../../cell/Builder.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { parseHash } from "../../../model/Hash.ts";
import { deployedAddress, type KnownAnswer, storeAddress } from "../../kit/knownAnswer.ts";
import { cell, loadStandardAddress, notThis, single, stack, stackInt } from "../../kit/stack.ts";
import { addressValue, cellValue } from "../../kit/stackValues.ts";

const codes = [
  parseHash("ZLstRmG18twag79cu+CekqwLRgobh5pVGThvykw0i8o="),
  parseHash("jlqrF+LlA77HXC9FO52s8RqYu7LMICmUcQlSpyccd4A="),
  parseHash("C4RJfM7+KX0AvuuwilRMxu9iMOq3YmksoFP6mBE5mDY="),
];

// owner:MsgAddress next_item_index:uint64 ^[ collection_content:^Cell common_content:^Cell ] item_code:^Cell royalty:^Cell
function readCollection(data: Slice): { readonly common: Cell; readonly itemCode: Cell } {
  loadStandardAddress(data);
  const contents = sliceOf(data.skip(64).loadRef());
  const itemCode = data.loadRef();
  data.skipRefs(1).end();
  return { common: contents.skipRefs(1).loadRef(), itemCode };
}

const byIndex = single(stackInt);

/** Items begin as index:uint64 collection:MsgAddress. */
export const itemAddress: KnownAnswer = {
  method: "get_nft_address_by_index",
  codes,
  answer: (data, vmValues, account) => {
    const index = byIndex.read(vmValues);
    if (index < 0n || index >= 1n << 64n) throw notThis(`an index of ${index}`);
    const { itemCode } = readCollection(data);
    const item = storeAddress(beginCell().storeBigUint(index, 64), account.address);
    return [addressValue(deployedAddress(itemCode, item.cell()))];
  },
};

const byContent = stack({ index: stackInt, individual: cell });

/** The address prefix that all items share, followed by the individual part. */
export const itemContent: KnownAnswer = {
  method: "get_nft_content",
  codes,
  answer: (data, vmValues) => {
    const { individual } = byContent.read(vmValues);
    const content = beginCell()
      .storeUint(1, 8)
      .storeSlice(sliceOf(readCollection(data).common))
      .storeRef(individual);
    return [cellValue(content.cell())];
  },
};
