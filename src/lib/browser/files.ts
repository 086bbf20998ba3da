/*
 * In the place of `node:fs/promises`, for bundles for browsers.
 */

async function noFiles(path: string): Promise<never> {
  throw new Error(`${path} cannot be used: a page has no files; use localStorage`);
}

export const readFile = noFiles;
export const rename = noFiles;
export const writeFile = noFiles;
