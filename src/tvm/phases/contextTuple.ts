import { beginCell } from "../../cell/Builder.ts";
import type { Money } from "../../model/Money.ts";
import { cellSlice } from "../machine/CellSlice.ts";
import { fromBig } from "../machine/integers.ts";
import type { StackValue, Tuple } from "../machine/StackValue.ts";

const magic = 0x076ef1ea;
const noAddress = cellSlice(beginCell().storeUint(0, 2).cell());
const partsSince = [0, 4, 6, 11];
/** What INMSGPARAMS gives where there is no message. */
export const noMessage: Tuple = [0, 0, noAddress, 0, 0, 0, 0, 0, null, null];

/**
 * SmartContractInfo in c7, which grew from version to version: from the time to the configuration at first, then from
 * the code to the previous blocks (4), unpacked configuration, due payment and precompiled gas (6), and the message
 * (11).
 */
export function contextTuple(version: number, ...parts: readonly (readonly StackValue[])[]): Tuple {
  const info: StackValue[] = [magic, 0, 0];
  for (let i = 0; i < parts.length && version >= (partsSince[i] ?? 0); i++) info.push(...(parts[i] ?? []));
  return [info];
}

export function moneyTuple({ coins, extra }: Money): Tuple {
  return [fromBig(coins), extra ?? null];
}
