/** Names of Fift's assembler for instructions that the listing of code names in another way. */
const otherNames: Readonly<Record<string, string>> = {
  SWAP: "XCHG s0 s1",
  XCHG0: "XCHG",
  DUP: "PUSH s0",
  OVER: "PUSH s1",
  DROP: "POP s0",
  NIP: "POP s1",
  PUSHCTR: "PUSH",
  POPCTR: "POP",
  PUSHROOT: "PUSH c4",
  POPROOT: "POP c4",
  "2ROT": "BLKSWAP 2 4",
  ROT2: "BLKSWAP 2 4",
  "-ROT": "ROTREV",
  SWAP2: "2SWAP",
  DROP2: "2DROP",
  DUP2: "2DUP",
  OVER2: "2OVER",
  PUSHX: "PICK",
  NULL: "PUSHNULL",
  NEWDICT: "PUSHNULL",
  DICTEMPTY: "ISNULL",
  NIL: "TUPLE 0",
  SINGLE: "TUPLE 1",
  PAIR: "TUPLE 2",
  CONS: "TUPLE 2",
  TRIPLE: "TUPLE 3",
  FIRST: "INDEX 0",
  CAR: "INDEX 0",
  SECOND: "INDEX 1",
  CDR: "INDEX 1",
  THIRD: "INDEX 2",
  UNSINGLE: "UNTUPLE 1",
  UNPAIR: "UNTUPLE 2",
  UNCONS: "UNTUPLE 2",
  UNTRIPLE: "UNTUPLE 3",
  CHKTUPLE: "UNPACKFIRST 0",
  SETFIRST: "SETINDEX 0",
  SETSECOND: "SETINDEX 1",
  SETTHIRD: "SETINDEX 2",
  FIRSTQ: "INDEXQ 0",
  SECONDQ: "INDEXQ 1",
  THIRDQ: "INDEXQ 2",
  SETFIRSTQ: "SETINDEXQ 0",
  SETSECONDQ: "SETINDEXQ 1",
  SETTHIRDQ: "SETINDEXQ 2",
  COMMA: "TPUSH",
  CADR: "INDEX2 1 0",
  CDDR: "INDEX2 1 1",
  CADDR: "INDEX3 1 1 0",
  CDDDR: "INDEX3 1 1 1",
  ZERO: "PUSHINT 0",
  FALSE: "PUSHINT 0",
  ONE: "PUSHINT 1",
  TWO: "PUSHINT 2",
  TEN: "PUSHINT 10",
  TRUE: "PUSHINT -1",
  INT: "PUSHINT",
  ADDCONST: "ADDINT",
  MULCONST: "MULINT",
  "LSHIFT#": "LSHIFT",
  "RSHIFT#": "RSHIFT",
  CHKBOOL: "FITS 1",
  CHKBIT: "UFITS 1",
  INTSORT2: "MINMAX",
  ISZERO: "EQINT 0",
  ISNEG: "LESSINT 0",
  ISNPOS: "LESSINT 1",
  ISPOS: "GTINT 0",
  ISNNEG: "GTINT -1",
  ISNZERO: "NEQINT 0",
  ENDCST: "STBREFR",
  BCONCAT: "STBR",
  BCONCATQ: "STBRQ",
  "BCHKBITS#": "BCHKBITS",
  "BCHKBITSQ#": "BCHKBITSQ",
  STZERO: "STSLICECONST",
  STONE: "STSLICECONST",
  STDICTS: "STSLICE",
  PLDREF: "PLDREFIDX 0",
  SLICE: "PUSHSLICE",
  CALLX: "EXECUTE",
  RETTRUE: "RET",
  RETFALSE: "RETALT",
  BRANCH: "RETBOOL",
  SETCONT: "SETCONTCTR",
  SETCONTMANY: "SETCONTCTRMANY",
  SETCONTMANYX: "SETCONTCTRMANYX",
  POPCTRSAVE: "POPSAVE",
  SAVE: "SAVECTR",
  SAVEALT: "SAVEALTCTR",
  SAVEBOTH: "SAVEBOTHCTR",
  COMPOS: "BOOLAND",
  COMPOSALT: "BOOLOR",
  STOPTREF: "STDICT",
  SKIPOPTREF: "SKIPDICT",
  LDOPTREF: "LDDICT",
  PLDOPTREF: "PLDDICT",
  RANDOMIZE: "ADDRAND",
  LDVARUINT16: "LDGRAMS",
  STVARUINT16: "STGRAMS",
  HASHEXT_SHA256: "HASHEXT 0",
  HASHEXT_SHA512: "HASHEXT 1",
  HASHEXT_BLAKE2B: "HASHEXT 2",
  HASHEXT_KECCAK256: "HASHEXT 3",
  HASHEXT_KECCAK512: "HASHEXT 4",
  DUMPSTK: "DEBUG 0",
  STRDUMP: "DEBUG 20",
  CALL: "CALLDICT",
  JMP: "JMPDICT",
};

/** What follows these in the code is data, which Fift writes in several ways. */
const withData = /^(?:PUSHSLICE|PUSHREF|PUSHREFSLICE|STSLICECONST|STREF2?CONST|SDBEGINSQ?|DICTPUSHCONST|DEBUGSTR)$/;

/** The one form of an instruction, whether Fift or a listing of code names it. */
export function formOf(word: string, operands: readonly string[]): string {
  const [name = "", ...fixed] = (otherNames[word] ?? word).split(" ");
  if (withData.test(name)) return name;
  const all = [...fixed, ...operands];
  if (name !== "XCHG") return [name, ...all].join(" ");
  const [low = "s0", high = low] = sortRegisters(all.length === 1 ? ["s0", ...all] : all);
  return `XCHG ${low} ${high}`;
}

function sortRegisters(registers: readonly string[]): readonly string[] {
  return registers.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

/** An instruction as a listing shows it: `XCHG s1,s2`. */
export function formOfShown(text: string): string {
  const [name = "", ...operands] = text.split(/[\s,]+/).filter((part) => part !== "");
  return formOf(name, operands);
}

const numberAlternatives: Readonly<Record<string, string>> = {
  ADDINT: "ADD",
  MULINT: "MUL",
  EQINT: "EQUAL",
  LESSINT: "LESS",
  GTINT: "GREATER",
  NEQINT: "NEQ",
};

/** What the assembler may make of a word: lists of instructions in their forms, of which one is in the code. */
export function listForms(word: string, operands: readonly string[]): readonly (readonly string[])[] {
  const [first = ""] = operands;
  const moved = movedNumber(word, first);
  if (moved !== undefined) return listForms(moved.word, [moved.number]);
  const form = formOf(word, operands);
  const [name = ""] = form.split(" ");
  const withNumber = numberAlternatives[name];
  if (withNumber !== undefined) return isByte(first) ? [[form]] : [[`PUSHINT ${first}`, withNumber]];
  switch (name) {
    case "XCHG":
      return exchangeForms(form);
    case "ROLL":
      return first === "0" ? [[]] : [[`BLKSWAP 1 ${first}`]];
    case "-ROLL":
    case "ROLLREV":
      return first === "0" ? [[]] : [[`BLKSWAP ${first} 1`]];
    case "PUSHSLICE":
      return [["PUSHSLICE"], ["PUSHREFSLICE"]];
    case "STSLICECONST":
      return [["STSLICECONST"], ["PUSHSLICE", "STSLICER"], ["PUSHREFSLICE", "STSLICER"]];
    case "SDBEGINS":
    case "SDBEGINSQ": {
      const other = name.replace("SDBEGINS", "SDBEGINSX");
      return [[name], ["PUSHSLICE", other], ["PUSHREFSLICE", other]];
    }
    case "CALLDICT":
      return [[form], [`PUSHINT ${first}`, "PUSH c3", "EXECUTE"]];
    case "JMPDICT":
      return [[form], [`PUSHINT ${first}`, "PUSH c3", "JMPX"]];
    case "PREPAREDICT":
      return [[form], [`PUSHINT ${first}`, "PUSH c3"]];
    default:
      return [[form]];
  }
}

/** Words that are others with the next number. */
function movedNumber(word: string, number: string): { readonly word: string; readonly number: string } | undefined {
  if (!/^-?\d{1,15}$/.test(number)) return undefined;
  if (word === "LEQINT") return { word: "LESSINT", number: String(Number(number) + 1) };
  if (word === "GEQINT") return { word: "GTINT", number: String(Number(number) - 1) };
  return word === "SUBCONST" || word === "SUBINT" ? { word: "ADDINT", number: String(0 - Number(number)) } : undefined;
}

/** No instruction exchanges two registers when one of them is deep: three do. */
function exchangeForms(form: string): readonly (readonly string[])[] {
  const [, low = "", high = ""] = form.split(" ");
  if (low === high) return [[]];
  if (low === "s0" || Number(high.slice(1)) < 16) return [[form]];
  const one = `XCHG s0 ${low}`;
  const other = `XCHG s0 ${high}`;
  return [
    [one, other, one],
    [other, one, other],
  ];
}

function isByte(number: string): boolean {
  return number.length <= 4 && Number(number) >= -128 && Number(number) <= 127;
}
