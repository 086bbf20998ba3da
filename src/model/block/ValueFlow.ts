import { ref, struct, union, type ValueOf } from "../../cell/codec.ts";
import { CurrencyCollection } from "../Currency.ts";

// ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection imported:CurrencyCollection
//    exported:CurrencyCollection ]
const passed = struct({
  fromPrevBlock: CurrencyCollection,
  toNextBlock: CurrencyCollection,
  imported: CurrencyCollection,
  exported: CurrencyCollection,
});

// ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection created:CurrencyCollection minted:CurrencyCollection
// ]
const made = struct({
  feesImported: CurrencyCollection,
  recovered: CurrencyCollection,
  created: CurrencyCollection,
  minted: CurrencyCollection,
});

// value_flow#b8e48dfb ^[ … ] fees_collected:CurrencyCollection ^[ … ] = ValueFlow;
// value_flow_v2#3ebf98b7 ^[ … ] fees_collected:CurrencyCollection burned:CurrencyCollection ^[ … ] = ValueFlow;
export const ValueFlow = union({
  v1: ["#b8e48dfb", { passed: ref(passed), feesCollected: CurrencyCollection, made: ref(made) }],
  v2: [
    "#3ebf98b7",
    { passed: ref(passed), feesCollected: CurrencyCollection, burned: CurrencyCollection, made: ref(made) },
  ],
});
export type ValueFlow = ValueOf<typeof ValueFlow>;
