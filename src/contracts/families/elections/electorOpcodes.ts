/** Opcodes of messages to and from the elector. */
export const electorOpcodes = {
  newStake: 0x4e73744b,
  stakeAccepted: 0xf374484c,
  stakeRejected: 0xee6f454c,
  recoverStake: 0x47657424,
  stakeRecovered: 0xf96f7324,
  recoverFailed: 0xfffffffe,
  newComplaint: 0x52674370,
  complaintVote: 0x56744370,
};
