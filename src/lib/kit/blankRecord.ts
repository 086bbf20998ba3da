/**
 * An object with these properties, all null, to be copied with a spread and filled. An object that gets a dozen
 * computed names one by one becomes a dictionary, which takes three times as long to fill (4.8 µs instead of 1.6 µs for
 * 45 names) and more memory; a copy does not, whose class is known.
 */
export function blankRecord(names: readonly string[]): Readonly<Record<string, unknown>> {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(",")}}`);
}
