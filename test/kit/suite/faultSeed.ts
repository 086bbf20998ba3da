/** `TONGATE_FAULT_SEED` gives tests of faults other seeds; the names of the tests have them. */
export function faultSeed(usual: string): string {
  return process.env.TONGATE_FAULT_SEED ?? usual;
}
