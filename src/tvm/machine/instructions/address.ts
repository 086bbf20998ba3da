import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import { CellSlice, cellSlice } from "../CellSlice.ts";
import { type AddressParts, before, parseStdAddress, splitAddress } from "../data/addresses.ts";
import { Exception, fail } from "../exceptions.ts";
import { hexDigits, type Instruction, opcode } from "../instruction.ts";
import type { StackValue } from "../StackValue.ts";
import { appendSlice, canTake, sliceUint, smallUint } from "../slices.ts";
import type { Vm } from "../Vm.ts";

type Parse = (slice: CellSlice, version: number) => AddressParts | undefined;

function loadAddress(vm: Vm, slice: CellSlice, parse: Parse, quiet: boolean): void {
  const parsed = parse(slice, vm.version);
  if (parsed === undefined && !quiet) fail(Exception.cellUnderflow);
  if (parsed === undefined) vm.stack.push(slice);
  else vm.stack.pushAll([before(slice, parsed.rest), parsed.rest]);
  if (quiet) vm.stack.pushBool(parsed !== undefined);
}

/** No address is null. */
function loadOptional(vm: Vm, quiet: boolean): void {
  const slice = vm.stack.popSlice();
  if (slice.bits < 2 && !quiet) fail(Exception.cellUnderflow);
  if (slice.bits < 2 || smallUint(slice, 2) !== 0) return void loadAddress(vm, slice, parseStdAddress, quiet);
  vm.stack.pushAll([null, slice.without(2, 0)]);
  if (quiet) vm.stack.push(-1);
}

function wholeAddress(slice: CellSlice, version: number): AddressParts["parts"] | undefined {
  const parsed = splitAddress(slice, version);
  return parsed !== undefined && parsed.rest.bits === 0 && parsed.rest.refs === 0 ? parsed.parts : undefined;
}

/** Pushes what was read, and in the quiet form whether anything was. */
function pushParsed({ stack }: Vm, values: readonly StackValue[] | undefined, quiet: boolean): void {
  if (values === undefined && !quiet) fail(Exception.cellUnderflow);
  if (values !== undefined) stack.pushAll(values);
  if (quiet) stack.pushBool(values !== undefined);
}

/** Workchain and address, with the first bits of the address replaced by the anycast prefix. */
function rewrite(vm: Vm, isVariable: boolean): readonly StackValue[] | undefined {
  const parts = wholeAddress(vm.stack.popSlice(), vm.version);
  const [kind, prefix, workchain, address] = parts ?? [];
  if ((kind !== 2 && kind !== 3) || !(address instanceof CellSlice)) return undefined;
  if (!isVariable && address.bits !== 256) return undefined;
  const rewritten = prefix instanceof CellSlice ? replacePrefix(vm, address, prefix, isVariable) : address;
  if (rewritten === undefined) return undefined;
  return [workchain as StackValue, isVariable ? rewritten : sliceUint(rewritten, 256)];
}

function replacePrefix(vm: Vm, address: CellSlice, prefix: CellSlice, isCharged: boolean): CellSlice | undefined {
  if (prefix.bits > address.bits) return undefined;
  if (prefix.bits === address.bits) return prefix;
  const builder = appendSlice(appendSlice(emptyBuilder(), prefix), address.without(prefix.bits, 0));
  return isCharged ? vm.loadCell(vm.createCell(builder)) : cellSlice(builder.cell());
}

function isStdAddress(slice: CellSlice, version: number): boolean {
  const rest = parseStdAddress(slice, version)?.rest;
  return rest !== undefined && rest.bits === 0 && rest.refs === 0;
}

/** What cannot be stored stays on the stack in the quiet form. */
function storeFailed({ stack }: Vm, value: StackValue, builder: CellBuilder, quiet: boolean, code: number): void {
  if (!quiet) fail(code);
  stack.pushAll([value, builder, -1]);
}

function storeStd(vm: Vm, slice: CellSlice, builder: CellBuilder, quiet: boolean): void {
  if (!canTake(builder, slice.bits, slice.refs) || !isStdAddress(slice, vm.version))
    return void storeFailed(vm, slice, builder, quiet, Exception.cellOverflow);
  vm.stack.push(appendSlice(builder, slice));
  if (quiet) vm.stack.push(0);
}

/**
 * Null is stored as no address. Anything else than a slice stays on the stack in the quiet form: before version 14 the
 * reference puts a broken value there instead and stops when it is used, which nobody can rely on.
 */
function storeOptional(vm: Vm, quiet: boolean): void {
  const { stack } = vm;
  const builder = stack.popBuilder();
  const value = stack.pop();
  if (value instanceof CellSlice) return void storeStd(vm, value, builder, quiet);
  if (value !== null) return void storeFailed(vm, value, builder, quiet, Exception.typeCheck);
  if (builder.freeBits < 2) return void storeFailed(vm, value, builder, quiet, Exception.cellOverflow);
  stack.push(builder.withSame(0, 2));
  if (quiet) stack.push(0);
}

/** Each instruction has a quiet form right behind it. */
function both(code: number, name: string, details: object, run: (vm: Vm, quiet: boolean) => void): Instruction[] {
  return [
    opcode(hexDigits(code), name, details, (vm) => run(vm, false)),
    opcode(hexDigits(code + 1), `${name}Q`, details, (vm) => run(vm, true)),
  ];
}

export const addressInstructions: readonly Instruction[] = [
  ...both(0xfa40, "LDMSGADDR", {}, (vm, quiet) => loadAddress(vm, vm.stack.popSlice(), splitAddress, quiet)),
  ...both(0xfa44, "REWRITESTDADDR", {}, (vm, quiet) => pushParsed(vm, rewrite(vm, false), quiet)),
  ...both(0xfa48, "LDSTDADDR", { since: 12 }, (vm, quiet) =>
    loadAddress(vm, vm.stack.popSlice(), parseStdAddress, quiet),
  ),
  ...both(0xfa52, "STSTDADDR", { need: 2, since: 12 }, (vm, quiet) => {
    const builder = vm.stack.popBuilder();
    storeStd(vm, vm.stack.popSlice(), builder, quiet);
  }),
];

/** Parts of addresses, and addresses that may be missing. */
export const addressPartInstructions: readonly Instruction[] = [
  ...both(0xfa42, "PARSEMSGADDR", {}, (vm, quiet) => {
    const parts = wholeAddress(vm.stack.popSlice(), vm.version);
    pushParsed(vm, parts === undefined ? undefined : [parts], quiet);
  }),
  ...both(0xfa46, "REWRITEVARADDR", {}, (vm, quiet) => pushParsed(vm, rewrite(vm, true), quiet)),
  ...both(0xfa50, "LDOPTSTDADDR", { since: 12 }, loadOptional),
  ...both(0xfa54, "STOPTSTDADDR", { need: 2, since: 12 }, storeOptional),
];
