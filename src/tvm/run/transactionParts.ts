/** Makes the instructions of transactions known. Only clients begin without them: see `transactionParts.client.ts`. */
export function addTransactionParts(): void {}
