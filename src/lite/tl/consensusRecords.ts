// The records of the newer consensus that signatures cover, in the order of the scheme.
import { blockIdExt } from "./liteRecords.ts";
import { record, union } from "./record.ts";
import { bytes, int, int256 } from "./types.ts";

export const dataToSign = record("consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign", {
  sessionId: int256,
  data: bytes,
});

export const candidateId = record("consensus.candidateId slot:int hash:int256 = consensus.CandidateId", {
  slot: int,
  hash: int256,
});

/** A candidate's id in its boxed form. */
export const boxedCandidateId = union("consensus.CandidateId", { id: candidateId });

export const candidateParent = record(
  "consensus.candidateParent id:consensus.CandidateId = consensus.CandidateParent",
  {
    id: boxedCandidateId,
  },
);

export const candidateWithoutParents = record("consensus.candidateWithoutParents = consensus.CandidateParent", {});

export const parent = union("consensus.CandidateParent", {
  candidate: candidateParent,
  none: candidateWithoutParents,
});

export const candidateHashDataOrdinary = record(
  "consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData",
  { block: blockIdExt, collatedFileHash: int256, parent },
);

export const candidateHashDataEmpty = record(
  "consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData",
  { block: blockIdExt, parent: candidateId },
);

/** The data that a candidate's hash covers. */
export const candidateHashData = union("consensus.CandidateHashData", {
  ordinary: candidateHashDataOrdinary,
  empty: candidateHashDataEmpty,
});

export const finalizeVote = record(
  "consensus.simplex.finalizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote",
  { id: boxedCandidateId },
);
