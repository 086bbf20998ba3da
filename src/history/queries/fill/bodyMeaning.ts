import { readRoot } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import type { AbiLibrary } from "../../../contracts/AbiLibrary.ts";
import type { AbiCodec } from "../../../contracts/abi/AbiCodec.ts";
import type { MessageList } from "../../../contracts/abi/AbiInSteps.ts";
import { AbiBudget } from "../../../contracts/abi/AbiRun.ts";
import { findDecodedBody, findOpcodeName } from "../../../contracts/decode.ts";
import { interfacesOf } from "../../../contracts/interfaces.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { JsonObject } from "../../../lib/json.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { FullMessage, FullTransaction } from "./FullTransaction.ts";

/** What a body means: known names and fields. */
export interface BodyMeaning {
  readonly opcodeName: string | undefined;
  readonly decoded: JsonObject | undefined;
}

/** What is known of a body. */
export function readMeaning(body: Cell, opcode: number | undefined): BodyMeaning {
  return {
    opcodeName: opcode === undefined ? undefined : findOpcodeName(opcode),
    decoded: findDecodedBody(body),
  };
}

/**
 * Adds what ABIs of one's own say of bodies that have no known form: the ABI of the account for what it received and
 * sent. Bodies beyond the limits stay as they are.
 */
export function* describeByAbis(
  transactions: readonly FullTransaction[],
  library: AbiLibrary | undefined,
): Steps<readonly FullTransaction[]> {
  if (library === undefined || library.isBare) return transactions;
  const bodies = new BodyReader(library);
  const described: FullTransaction[] = [];
  for (const each of transactions) {
    const codecs = bodies.codecsOf(each);
    if (codecs.length === 0) {
      described.push(each);
      continue;
    }
    const { inMessage, outMessages } = each;
    const received = inMessage && (yield* bodies.describe(inMessage, codecs, ["receives"]));
    const sent: FullMessage[] = [];
    for (const message of outMessages) sent.push(yield* bodies.describe(message, codecs, ["sends", "emits"]));
    described.push({ ...each, inMessage: received, outMessages: sent });
  }
  return described;
}

/**
 * The same of messages apart from transactions: by the ABI of the receiver, then by that of the sender, with the codes
 * that the accounts have now.
 */
export function* describeMessages(
  messages: readonly FullMessage[],
  library: AbiLibrary,
  codes: ReadonlyMap<Address, Hash>,
): Steps<readonly FullMessage[]> {
  const bodies = new BodyReader(library);
  const described: FullMessage[] = [];
  for (const message of messages) {
    const { source, destination } = message.row;
    const received = yield* bodies.describe(message, bodies.codecsAt(destination, codes), ["receives"]);
    described.push(
      received === message
        ? yield* bodies.describe(message, bodies.codecsAt(source, codes), ["sends", "emits"])
        : received,
    );
  }
  return described;
}

/** Reads the bodies of one answer. */
class BodyReader {
  readonly #library: AbiLibrary;
  readonly #budget = new AbiBudget();
  readonly #known = new Map<string, readonly AbiCodec[]>();
  #isUsedUp = false;

  constructor(library: AbiLibrary) {
    this.#library = library;
  }

  codecsOf({ row: { account: address }, stateBefore, stateAfter }: FullTransaction): readonly AbiCodec[] {
    return this.#codecsOf(address, stateBefore?.codeHash ?? stateAfter?.codeHash);
  }

  codecsAt(address: Address | undefined, codes: ReadonlyMap<Address, Hash>): readonly AbiCodec[] {
    return address === undefined ? [] : this.#codecsOf(address, codes.get(address));
  }

  #codecsOf(address: Address, codeHash: Hash | undefined): readonly AbiCodec[] {
    const key = `${address} ${codeHash}`;
    const interfaces = interfacesOf({ codeHash, methods: undefined });
    const codecs = this.#known.get(key) ?? this.#library.findOwn({ address, codeHash, interfaces });
    this.#known.set(key, codecs);
    return codecs;
  }

  *describe(message: FullMessage, codecs: readonly AbiCodec[], lists: readonly MessageList[]): Steps<FullMessage> {
    const { body, opcodeName } = message;
    if (codecs.length === 0 || body === undefined || body.decoded !== undefined || this.#isUsedUp) return message;
    const cell = readRoot(body.boc);
    for (const codec of codecs) {
      const found = yield* this.#find(codec, cell, lists);
      if (found === undefined) continue;
      const { name, fields } = found;
      return { ...message, opcodeName: opcodeName ?? name, body: { ...body, decoded: { "@type": name, ...fields } } };
    }
    return message;
  }

  *#find(codec: AbiCodec, cell: Cell, lists: readonly MessageList[]) {
    try {
      return yield* codec.inSteps(this.#budget).findBody(cell, lists);
    } catch (error) {
      if (!isCoded(error, "abi/too-large")) throw error;
      this.#isUsedUp = true;
      return undefined;
    }
  }
}
