const baseUrl = process.env.TONGATE_URL ?? "http://127.0.0.1:8081";

async function get(path, parameters) {
  const response = await fetch(`${baseUrl}/api/v3/${path}?${new URLSearchParams(parameters)}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${answer.error}`);
  return answer;
}

const [given] = process.argv.slice(2);
const { jetton_masters: masters, metadata } = await get("jetton/masters", given ? { address: given } : { limit: "1" });
const [master] = masters;
if (master === undefined) throw new Error("jetton not found");

const { name = "?", symbol = "?", extra = {} } = metadata[master.address]?.token_info?.[0] ?? {};
const decimals = Number(extra.decimals ?? 9);
const amount = (units) => {
  const digits = String(units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return part === "" ? whole : `${whole}.${part}`;
};

console.log(`${name} (${symbol}), ${decimals} decimals`);
console.log(`supply ${amount(master.total_supply)}, ${master.mintable ? "mintable" : "fixed"}`);

const { jetton_wallets: wallets, address_book: book } = await get("jetton/wallets", {
  jetton_address: master.address,
  exclude_zero_balance: "true",
  sort: "desc",
  limit: "10",
});
console.log("\nlargest holders");
for (const { owner, balance } of wallets) console.log(`  ${book[owner]?.user_friendly ?? owner}  ${amount(balance)}`);

const { jetton_transfers: transfers } = await get("jetton/transfers", {
  jetton_master: master.address,
  sort: "desc",
  limit: "10",
});
console.log("\nnewest transfers");
for (const { transaction_now: time, source, destination, amount: units } of transfers) {
  console.log(
    `  ${new Date(time * 1000).toISOString()}  ${source.slice(0, 8)}… → ${destination.slice(0, 8)}…  ${amount(units)}`,
  );
}
