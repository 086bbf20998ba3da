import {
  configOf,
  type LinkEnd,
  makeForwardLink,
  makeLinksProof,
  type PartialBlockProof,
  readLinkEnd,
} from "../../../kit/lite/forwardLink.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { signedBytes } from "../../../src/lite/queries/signatures.ts";
import { masterchainGroup } from "../../../src/lite/queries/validators.ts";
import { Block } from "../../../src/model/block/Block.ts";
import type { BlockInfo } from "../../../src/model/block/BlockInfo.ts";
import type { ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { setConfigParam } from "../model/codecs/configParams.ts";
import { fixtureBlocks } from "../model/fixtureChain.ts";
import { makeValidatorSet, type TestSigner } from "./signers.ts";

/** The validators in a key block; the first `main` of them sign masterchain blocks. */
export interface TestGroup {
  readonly signers: readonly TestSigner[];
  readonly main: number;
}

/** Key blocks with one group each, all but the first signed by the previous group with ordinary signatures. */
export function makeOrdinaryProof(groups: readonly TestGroup[]): PartialBlockProof {
  const model = findKeyBlock();
  const steps: ReturnType<typeof makeForwardLink>[] = [];
  let before: LinkEnd | undefined;
  for (const [i, { signers, main }] of groups.entries()) {
    const set = makeValidatorSet(signers, main);
    const [seqno, catchainSeqno] = [100 * (i + 1), 10 + i];
    const prevKeyBlockSeqno = before?.id.seqno ?? 0;
    const numbers = { seqno, prevKeyBlockSeqno, genCatchainSeqno: catchainSeqno };
    if (before === undefined) {
      before = remake(model, set, numbers);
      continue;
    }
    const { hashShort } = masterchainGroup(configOf(before), catchainSeqno);
    const end = remake(model, set, { ...numbers, genValidatorListHashShort: hashShort });
    const none = { kind: "ordinary" as const, validatorSetHash: hashShort | 0, catchainSeqno, signatures: [] };
    const message = signedBytes(end.id, none);
    const signatures = mainOf(groups[i - 1]).map(({ nodeIdShort, sign }) => ({
      nodeIdShort,
      signature: sign(message),
    }));
    steps.push(makeForwardLink(before, end, { ...none, signatures }));
    before = end;
  }
  return makeLinksProof(steps);
}

function mainOf(group: TestGroup | undefined): readonly TestSigner[] {
  return group?.signers.slice(0, group.main) ?? [];
}

function findKeyBlock(): Cell {
  const cell = fixtureBlocks("traffic").find((root) => loadCell(Block, root).info.load().keyBlock);
  if (cell === undefined) throw new Error("no key block among the fixtures");
  return cell;
}

/** A recorded key block with other validators and other header fields. */
function remake(model: Cell, set: ValidatorSet, numbers: Partial<BlockInfo>): LinkEnd {
  const block = loadCell(Block, model);
  const extra = block.extra.load();
  const custom = extra.custom?.load();
  if (custom?.config === undefined) throw new Error("a key block without configuration");
  const config = setConfigParam(custom.config, 34, set);
  const root = storeCell(Block, {
    ...block,
    info: block.info.with({ ...block.info.load(), ...numbers }),
    extra: block.extra.with({ ...extra, custom: extra.custom?.with({ ...custom, config }) }),
  });
  return readLinkEnd(writeBoc(root));
}
