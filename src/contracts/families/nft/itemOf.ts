import { beginCell } from "../../../cell/Builder.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { deployedAddress, type KnownAnswer, storeAddress } from "../../kit/knownAnswer.ts";
import { cell, notThis, single, stack, stackInt } from "../../kit/stack.ts";
import { addressValue, cellValue } from "../../kit/stackValues.ts";
import { plainCollection } from "./storage.ts";

const { codes } = plainCollection;

function readCollection(data: Slice): { readonly common: Cell; readonly itemCode: Cell } {
  const { content, itemCode } = plainCollection.load(data);
  data.end();
  return { common: content.common, itemCode };
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
