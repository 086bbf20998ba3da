/** Props of every page: the variable parts of its path, and the query. */
export interface PageProps {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
}
