/**
 * An untrusted link to another host: only web URLs become links, and nothing is loaded automatically. Its characters
 * are shown in their order, whatever direction their alphabets have.
 */
export function ExternalLink({ url }: { readonly url: string }) {
  const shown = url.length > 120 ? `${url.slice(0, 119)}…` : url;
  return isWeb(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      <bdo dir="ltr">{shown}</bdo>
    </a>
  ) : (
    <bdo dir="ltr">{shown}</bdo>
  );
}

function isWeb(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
