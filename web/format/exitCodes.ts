/** Meanings of exit codes. Contracts choose their own codes above 31, so their interface is looked up first. */

interface Meaning {
  /** One clause that follows "because" or stands alone. */
  readonly text: string;
  /** Who defines the code. */
  readonly by: "machine" | "action" | "contract" | "language";
}

const machine: Readonly<Record<number, string>> = {
  0: "it finished normally",
  1: "it finished normally (alternative exit)",
  2: "the stack held too few values",
  3: "the stack held too many values",
  4: "a number did not fit into 257 bits, or a division by zero",
  5: "a number was out of the allowed range",
  6: "the code has an unknown instruction",
  7: "a value had another type than expected",
  8: "too much data was written into one cell",
  9: "a cell held less data than the code tried to read",
  10: "a dictionary was malformed",
  11: "the contract has no such method, or it does not know the operation",
  12: "the machine met an impossible state",
  13: "it ran out of gas",
  14: "virtualization is not allowed here",
  [-14]: "it ran out of gas",
  [-13]: "there is no code at this address",
  [-1]: "it finished normally (explicit exit)",
};

const action: Readonly<Record<number, string>> = {
  0: "all actions were carried out",
  32: "the list of actions is malformed",
  33: "there are more than 255 actions",
  34: "an action is malformed or not allowed",
  35: "the source address of a message is wrong",
  36: "the destination address of a message is wrong",
  37: "the balance is too small for what is to be sent",
  38: "the balance of an extra currency is too small",
  39: "a message does not fit into a cell",
  40: "a message cannot be paid for, or it is too large",
  41: "a library reference is empty",
  42: "a library cannot be changed so",
  43: "the library or a message exceeds the limits of size",
  50: "the account state would become too large",
};

const language: Readonly<Record<number, string>> = {
  128: "a value was null where it must not be (Tact)",
  129: "a message had a wrong prefix (Tact)",
  130: "no receiver takes this message (Tact)",
  131: "a constraint was violated (Tact)",
  132: "the sender has no access (Tact)",
  133: "the contract is stopped (Tact)",
  134: "an argument was wrong (Tact)",
  135: "the code of a contract was not found (Tact)",
  136: "an address was wrong (Tact)",
  137: "masterchain addresses are not allowed here (Tact)",
  65535: "the contract does not know this operation",
};

const wallet3 = {
  33: "the seqno in the message is not the wallet's: it was already used, or comes too early",
  34: "the wallet id in the message is not the wallet's",
  35: "the signature is wrong, or the message has expired",
  36: "the message has expired",
};

const wallet5 = {
  132: "signatures are switched off for this wallet",
  133: "the seqno in the message is not the wallet's: it was already used, or comes too early",
  134: "the wallet id in the message is not the wallet's",
  135: "the signature is wrong",
  136: "the message has expired",
  137: "a message must be sent with the flag to ignore errors",
  138: "the operation of the message is not allowed",
  139: "the extension cannot be added",
  140: "the extension cannot be removed",
  141: "the action is not supported",
  147: "the list of actions is malformed",
};

const jettonWallet = {
  45: "the jetton wallet is locked",
  47: "the jetton balance is too small",
  48: "too few coins came with the message to pay for the transfer",
  49: "the message is malformed",
  72: "the jetton contract does not know this operation",
  73: "the sender is not the owner of the jetton wallet",
  74: "the sender is not a jetton wallet of this jetton",
  705: "the sender is not the owner of the jetton wallet",
  706: "the jetton balance is too small",
  707: "the sender is neither the jetton master nor one of its wallets",
  708: "the forward payload is missing or malformed",
  709: "too few coins came with the message to pay for the transfer",
  333: "the address is in another workchain",
};

const nft = {
  401: "the sender is not the owner of the NFT",
  402: "the item index is wrong, or too few coins came with the message",
  405: "the sender is not the collection",
};

const byInterface: readonly (readonly [name: RegExp, codes: Readonly<Record<number, string>>])[] = [
  [/^wallet_v5/, wallet5],
  [/^wallet_v[1-4]/, wallet3],
  [/^jetton/, jettonWallet],
  [/^nft/, nft],
];

/** The meaning of a compute phase exit code for a contract with these interfaces. */
export function explainExit(code: number, interfaces: readonly string[] = []): Meaning | undefined {
  const common = machine[code];
  if (common !== undefined) return { text: common, by: "machine" };
  for (const [name, codes] of byInterface) {
    const text = interfaces.some((each) => name.test(each)) ? codes[code] : undefined;
    if (text !== undefined) return { text, by: "contract" };
  }
  const general = language[code];
  if (general !== undefined) return { text: general, by: "language" };
  // The machine also raises action codes when a contract sends from its compute phase.
  const late = code >= 32 && code <= 50 ? action[code] : undefined;
  return late === undefined ? undefined : { text: late, by: "action" };
}

/** The meaning of an action phase result code. */
export function explainAction(code: number): string {
  return action[code] ?? "the contract's own code";
}

/** The same with the number, as one line of text; words of the contract's own ABI come first. */
export function describeExit(code: number, interfaces: readonly string[] = [], own?: string): string {
  return `${code}: ${own ?? explainExit(code, interfaces)?.text ?? "a code that the contract defines itself"}`;
}

const skips: Readonly<Record<string, string>> = {
  no_state: "there is no code at this address yet",
  bad_state: "the code that came with the message does not belong to this address",
  no_gas: "too few coins came to buy gas",
  suspended: "the address is suspended by the network",
};

/** Why a compute phase was skipped. */
export function explainSkip(reason: string): string {
  return skips[reason] ?? reason;
}
