/** The file of each declared name. */
export function filesByName<File extends string>(
  files: Readonly<Record<File, Readonly<Record<string, { readonly name: string }>>>>,
): Readonly<Record<string, File | undefined>> {
  const names = Object.keys(files) as File[];
  return Object.fromEntries(names.flatMap((file) => Object.values(files[file]).map(({ name }) => [name, file])));
}
