/** The limits of one run: number of transactions and depth, as in the contract. */
export const emulationLimits = { maxTransactions: 256, maxDepth: 32 } as const;

export const maxMessages = 4;
/** The limits of the machine's log for one trace. */
export const maxLogBytes = 1 << 20;
/** The bags of all messages of one answer together, each as often as it is shown: more fit in no answer. */
export const maxBagBytes = 48 << 20;
export const maxOverrides = 64;
