/* In place of `onHistory.ts` for clients, which have no index: the build leaves out what the endpoints run on it. */

export function onHistory() {
  return noIndex;
}

export function pageOf(): never {
  return noIndex();
}

function noIndex(): never {
  throw new Error("a client has no index");
}
