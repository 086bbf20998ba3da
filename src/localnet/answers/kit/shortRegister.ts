import { beginCell } from "../../../cell/Builder.ts";
import type { Account } from "../../../model/Account.ts";
import { internalAddress } from "../../../model/messageAddress.ts";
import type { VmValue } from "../../../model/vm/VmValue.ts";

const int = (value: bigint): VmValue => ({ kind: "int", value });
const nil: VmValue = { kind: "null" };

/** Register c7 without configuration, as a node returns it when the whole one is not requested. */
export function shortRegister(
  genUtime: number,
  genLt: bigint,
  randomSeed: bigint,
  account: Extract<Account, { kind: "account" }>,
): VmValue {
  const { coins, extra } = account.storage.balance;
  const address = beginCell();
  internalAddress.store(address, account.address);
  const cell = address.cell();
  const slice = { cell, bitStart: 0, bitEnd: cell.bitLength, refStart: 0, refEnd: 0 };
  const others: VmValue = extra.root === undefined ? nil : { kind: "cell", cell: extra.root };
  const items: VmValue[] = [
    int(0x076ef1ean),
    int(0n),
    int(0n),
    int(BigInt(genUtime)),
    int(genLt),
    int(genLt),
    int(randomSeed),
    { kind: "tuple", items: [int(coins), others] },
    { kind: "slice", slice },
    nil,
  ];
  return { kind: "tuple", items: [{ kind: "tuple", items }] };
}
