/** Node's function, for bundles for browsers: after what waits already. */
export function setImmediate(work: () => void): void {
  setTimeout(work, 0);
}
