/** The newest actions of an account, with names for addresses. */
export async function loadHistory(baseUrl, address, limit = 20) {
  const query = new URLSearchParams({ account: address, limit: String(limit), sort: "desc", include_accounts: "true" });
  const response = await fetch(`${baseUrl}/api/v3/actions?${query}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** One table row of HTML for each action. */
export function renderHistory({ actions, address_book: book }, address) {
  const name = (account) => {
    if (account === undefined || account === null) return "nobody";
    const { domain, user_friendly: friendly } = book[account] ?? {};
    return domain ?? (friendly === undefined ? account : `${friendly.slice(0, 6)}…${friendly.slice(-4)}`);
  };
  const rows = actions.map((action) => {
    const time = new Date(action.end_utime * 1000).toISOString().slice(0, 16).replace("T", " ");
    const mark = action.success ? "" : " <em>failed</em>";
    return `<tr><td>${time}</td><td>${escapeHtml(describe(action, name))}${mark}</td></tr>`;
  });
  return `<h1>${escapeHtml(name(Object.keys(book).find((each) => sameAccount(book, each, address)) ?? address))}</h1>
<table>${rows.join("\n")}</table>`;
}

/** An action in words; unlisted kinds by their type. */
function describe({ type, details }, name) {
  switch (type) {
    case "ton_transfer":
      return `${name(details.source)} sent ${formatCoins(details.value)} TON to ${name(details.destination)}${
        details.comment ? `: ${details.comment}` : ""
      }`;
    case "jetton_transfer":
      return `${name(details.sender)} sent ${details.amount} units of jetton ${name(details.asset)} to ${name(details.receiver)}`;
    case "nft_transfer":
      return `${name(details.old_owner)} gave NFT ${name(details.nft_item)} to ${name(details.new_owner)}`;
    case "contract_deploy":
      return `${name(details.destination)} was deployed`;
    default:
      return type.replaceAll("_", " ");
  }
}

function sameAccount(book, raw, address) {
  return raw.toUpperCase() === address.toUpperCase() || book[raw]?.user_friendly === address;
}

function formatCoins(nanocoins) {
  const digits = String(nanocoins).padStart(10, "0");
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, "");
}

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
