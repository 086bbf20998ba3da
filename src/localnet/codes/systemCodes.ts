import type { CompiledCode } from "./walletCodes.ts";

/**
 * Compiled from `config.tolk` and `elector.tolk` beside this file with `@ton/tolk-js` 1.3.0; a test compiles them
 * again.
 */
export const systemCodes = {
  config: {
    hash: "3e8c19444796ec8915792a68646a1b389ff727fd21828543116d263832fa98ee",
    boc: "te6ccgEBCAEAsQABFP8A9KQT9LzyyAsBAgEgAgMCAUgEBQIC8QYHAAzQMPiR8kAAG6CZL9qJoahjpj+n/mOjAAMMIADtIMI1xggyM75FgHTH9Mf0x8B+CO+8qPtRNDU0x/T/9FRQbryoVQVY/kQ8qL4AASkI8jMIc8LHyLPC//J7VT4DyKCEENmUCG6njID0h+AIAHUUFVDE/QVjhExAYIQUGJLIbqS8iDhAtP/WuIC0QHIzMsfy//J7VSA=",
  },
  elector: {
    hash: "e57c0f81de2d93d0f49aabdbd51bc80c078ebb167e4ca3d4308c43f1aa053c5f",
    boc: "te6ccgEBEAEAaAABFP8A9KQT9LzyyAsBAgEgAgMCAUgEBQAJpf//GEAACtAw+JHcAgEgBgcCA3qgCAkCASAMDQIBagoLAAirLDBwAAW4dwgAEbqnBUcABtUxGAAHuYdW2AIBWA4PAAewpVtgAAmz4AwcIA==",
  },
} as const satisfies Record<string, CompiledCode>;
