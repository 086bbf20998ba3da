/* In the place of `need.ts`, for clients: they have one server, so that nothing has to be known to choose one. */

export const noNeed = {};

export const needsNothing = () => noNeed;

export const needsSending = needsNothing;
export const needsNewest = needsNothing;
export const needsBlock = needsNothing;
export const needsState = needsNothing;
export const needsHistory = needsNothing;
export const needsLookup = needsNothing;
export const needsProvenLookup = needsNothing;
export const needsProofChain = needsNothing;
