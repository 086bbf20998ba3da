import { parseHash } from "../../../model/Hash.ts";
import { dataLayout, describedData, storedAddress } from "../../kit/dataLayout.ts";
import { group } from "../../kit/declare.ts";
import { cellRef, ref, uint64 } from "../../kit/fields.ts";

export const nftItemSimpleCode = "TJEjgoaC+m9DeXq0FzK8qJDK4Bdm4GdBACUFFuC/jUI=";

const simpleCodes = [
  parseHash(nftItemSimpleCode),
  parseHash("uk2XXStmIxwfCgzMpuj/j3ugYQxLdjlYS46YMD3DEow="),
  parseHash("AuOiNw6jayTqv/gQzYTvY9wYBEPQtRrbnTvkwOqPcxk="),
];
const editableCodes = [
  parseHash("6dRvGtTz0FhmuYAKPcIgLkcwvtHTRKVJmbXiD39SJsw="),
  parseHash("WFkTv+s4jbGZfSvvsYBvLHnxghM34bDo+xgr3sQOKMI="),
];
const item = { index: uint64, collection: storedAddress, owner: storedAddress, content: cellRef };

// index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell
export const simpleItem = dataLayout(simpleCodes, item);
// index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell editor:MsgAddress
export const editableItem = dataLayout(editableCodes, { ...item, editor: storedAddress });
// index:uint64 collection:MsgAddress
/** An item that nobody owns yet. */
export const newItem = describedData({ index: "uint64", collection: "address?" }, [...simpleCodes, ...editableCodes]);

// owner:MsgAddress next_item_index:uint64 ^[ collection_content:^Cell common_content:^Cell ] item_code:^Cell
// royalty:^Cell
export const plainCollection = dataLayout(
  [
    parseHash("ZLstRmG18twag79cu+CekqwLRgobh5pVGThvykw0i8o="),
    parseHash("jlqrF+LlA77HXC9FO52s8RqYu7LMICmUcQlSpyccd4A="),
    parseHash("C4RJfM7+KX0AvuuwilRMxu9iMOq3YmksoFP6mBE5mDY="),
  ],
  {
    owner: storedAddress,
    nextItemIndex: uint64,
    content: ref(group({ collection: { ...cellRef, abi: "content" as const }, common: cellRef })),
    itemCode: cellRef,
    royalty: cellRef,
  },
);
