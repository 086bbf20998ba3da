import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { fromHex } from "../../src/lib/bytes.ts";

/** A loop over some instructions, with the target rate of one core. */
export interface Program {
  readonly name: string;
  readonly code: Cell;
  readonly data: Cell;
  /** Millions of instructions per second. */
  readonly wanted: number;
}

/** DROP, the setup code, 20,000 PUSHINT, and the body repeated as often. */
function loop(first: string, body: string): Cell {
  const length = (body.length / 2) | 0x90;
  return beginCell()
    .storeBytes(fromHex(`30${first}814e20${length.toString(16)}${body}e4`))
    .cell();
}

const program = (name: string, wanted: number, first: string, body: string): Program => ({
  ...{ name, wanted, data: emptyCell },
  code: loop(first, body),
});

export const programs: readonly Program[] = [
  // 0, then INC INC DEC DUP ADD 0 MULINT …
  program("small integers", 20, "70", "a4a4a5a420a0a700a4a5a4a5a4"),
  // 2^200, then INC and DEC, four times
  program("integers of 200 bits", 5, "83c7", "a4a5a4a5a4a5a4a5"),
  // NEWC 7 SWAP 8 STU ENDC CTOS 8 LDU 2DROP
  program("cells", 3, "", "c87701cb07c9d0d3075b"),
  // NEWC ENDC HASHCU DROP
  program("hashes", 2, "", "c8c9f90030"),
];
