import { blockIdToTl } from "../../lite/queries/ids.ts";
import { getMasterchainInfo, getMasterchainInfoExt, getTime, getVersion } from "../../lite/tl/liteQueries.ts";
import { hashToBytes } from "../../model/Hash.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { openMasterState } from "./kit/masterState.ts";

// The protocol version and its capabilities: block proofs by hash, `getValidatorStats`, `…Ext` and the rest.
const version = 0x101;
const capabilities = 15n;

function unixTime({ clock }: AnswerContext): number {
  return Math.floor(clock.now() / 1000);
}

/** The newest masterchain block, its state and the chain's beginning. */
function describeHead({ ledger }: AnswerContext) {
  const last = ledger.headId;
  const { rootHash, fileHash, workchain } = ledger.zero.id;
  return {
    last: blockIdToTl(last),
    stateRootHash: hashToBytes(ledger.state(last).hash()),
    init: { workchain, rootHash: hashToBytes(rootHash), fileHash: hashToBytes(fileHash) },
  };
}

export const timeAnswers: readonly QueryHandler[] = [
  queryHandler(getTime, (context) => ({ now: unixTime(context) })),
  queryHandler(getVersion, (context) => ({ mode: 0, version, capabilities, now: unixTime(context) })),
  queryHandler(getMasterchainInfo, describeHead),
  queryHandler(getMasterchainInfoExt, (context, { mode }) => {
    const { ledger } = context;
    const lastUtime = ledger.head?.info.genUtime ?? openMasterState(ledger.zero.root).genUtime;
    return {
      mode: mode & 0x7fffffff,
      version,
      capabilities,
      lastUtime,
      now: unixTime(context),
      ...describeHead(context),
    };
  }),
];
