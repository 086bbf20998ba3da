/** The addresses of streams: that of the contract, and a short one. */
export const streamBases: readonly string[] = ["/api/streaming/v2", "/streaming/v2"];
