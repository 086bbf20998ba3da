import { emptyCell } from "../cell/Builder.ts";
import type { Cell } from "../cell/Cell.ts";
import { type Codec, cell, storeCell, struct, uint, uint8, union, type ValueOf } from "../cell/codec.ts";
import { sliceOf } from "../cell/Slice.ts";
import { CurrencyCollection } from "./Currency.ts";
import { hash } from "./Hash.ts";

// libref_hash$0 lib_hash:bits256 = LibRef;
// libref_ref$1 library:^Cell = LibRef;
export const LibRef = union({ hash: ["$0", { hash }], ref: ["$1", { library: cell }] });

// action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
// action_set_code#ad4de08e new_code:^Cell = OutAction;
// action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction;
// action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction;
/** The message stays a cell: it is validated when the action runs, not before. */
export const OutAction = union({
  sendMessage: ["#0ec3c86d", { mode: uint8, message: cell }],
  setCode: ["#ad4de08e", { code: cell }],
  reserve: ["#36e6b809", { mode: uint8, currency: CurrencyCollection }],
  changeLibrary: ["#26fa1dd4", { mode: uint(7), library: LibRef }],
});
export type OutAction = ValueOf<typeof OutAction>;

// out_list_node$_ prev:^Cell action:OutAction = OutListNode;
export const OutListNode = struct({ previous: cell, action: OutAction });

// out_list_empty$_ = OutList 0;
// out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
/** Actions in the order in which the contract requested them; the cells have the last one first. */
export const OutList: Codec<readonly OutAction[]> = {
  load: (slice) => {
    const actions: OutAction[] = [];
    for (let at = slice; !at.isEmpty; ) {
      const { previous, action } = OutListNode.load(at);
      if (at !== slice) at.end();
      actions.push(action);
      at = sliceOf(previous);
    }
    return actions.reverse();
  },
  store: (builder, actions) => {
    let previous: Cell = emptyCell;
    for (const [i, action] of actions.entries()) {
      if (i === actions.length - 1) OutListNode.store(builder, { previous, action });
      else previous = storeCell(OutListNode, { previous, action });
    }
  },
};
