/** An untrusted link to another host: only web URLs become links, and nothing is loaded automatically. */
export function Outside({ url }: { readonly url: string }) {
  const shown = url.length > 120 ? `${url.slice(0, 119)}…` : url;
  return isWeb(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      <bdi>{shown}</bdi>
    </a>
  ) : (
    <bdi>{shown}</bdi>
  );
}

function isWeb(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
