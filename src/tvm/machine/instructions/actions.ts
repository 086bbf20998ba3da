import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode } from "../instruction.ts";
import { bitSize, fitsUnsigned } from "../integers.ts";
import { appendInteger } from "../slices.ts";
import type { Vm } from "../Vm.ts";

// out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
export function addAction(vm: Vm, tag: number, fill: (builder: CellBuilder) => CellBuilder): void {
  vm.c5 = vm.createCell(fill(emptyBuilder().withRef(vm.c5).withUint(tag, 32)));
}

export const sendTag = 0x0ec3c86d;

// action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction;
function reserve(vm: Vm, hasExtra: boolean): void {
  const { stack } = vm;
  const mode = stack.popSmall(vm.version >= 4 ? 31 : 15);
  const extra = hasExtra ? stack.popMaybeCell() : undefined;
  const amount = stack.popFinite();
  if (amount < 0) fail(Exception.rangeCheck);
  const length = ((bitSize(amount, false) ?? 0) + 7) >>> 3;
  if (length > 15) fail(Exception.cellOverflow);
  addAction(vm, 0x36e6b809, (builder) => {
    const coins = appendInteger(builder.withUint(mode, 8).withUint(length, 4), amount, length * 8);
    return extra === undefined ? coins.withSame(0, 1) : coins.withSame(1, 1).withRef(extra);
  });
}

/** Modes 0, 1 and 2, which may be marked with 16. */
function popLibraryMode({ stack, version }: Vm): number {
  if (version < 4) return stack.popSmall(2);
  const mode = stack.popSmall(31);
  if ((mode & ~16) > 2) fail(Exception.rangeCheck);
  return mode;
}

export const actionInstructions: readonly Instruction[] = [
  // action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
  opcode("FB00", "SENDRAWMSG", 2, (vm) => {
    const mode = vm.stack.popSmall(255);
    const message = vm.stack.popCell();
    addAction(vm, sendTag, (builder) => builder.withUint(mode, 8).withRef(message));
  }),
  opcode("FB02", "RAWRESERVE", 2, (vm) => reserve(vm, false)),
  opcode("FB03", "RAWRESERVEX", 3, (vm) => reserve(vm, true)),
  // action_set_code#ad4de08e new_code:^Cell = OutAction;
  opcode("FB04", "SETCODE", 1, (vm) => {
    const code = vm.stack.popCell();
    addAction(vm, 0xad4de08e, (builder) => builder.withRef(code));
  }),
  // action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction;
  // libref_hash$0 lib_hash:bits256 = LibRef; libref_ref$1 library:^Cell = LibRef;
  opcode("FB06", "SETLIBCODE", 2, (vm) => {
    const mode = popLibraryMode(vm);
    const code = vm.stack.popCell();
    addAction(vm, 0x26fa1dd4, (builder) => builder.withUint(mode * 2 + 1, 8).withRef(code));
  }),
  opcode("FB07", "CHANGELIB", 2, (vm) => {
    const mode = popLibraryMode(vm);
    const hash = vm.stack.popFinite();
    if (!fitsUnsigned(hash, 256)) fail(Exception.rangeCheck);
    addAction(vm, 0x26fa1dd4, (builder) => appendInteger(builder.withUint(mode * 2, 8), hash, 256));
  }),
];
