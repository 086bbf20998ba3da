const { trust, clientPath } = await (await fetch("trust.json")).json();
const { createClient } = await import(clientPath);

const query = new URLSearchParams(location.search);
const [address, jetton] = [query.get("address"), query.get("jetton")];
const proofs = new Map();
const verify = { trust, onProof: (proof) => proofs.set(proof.operation, proof) };

const shown = {
  balance: {
    operation: "getAddressBalance",
    args: { address },
    format: (balance) => `${balance} nanocoins`,
  },
  jetton: {
    operation: "getTokenData",
    args: { address: jetton },
    format: ({ balance }) => `${balance} units`,
  },
  transaction: {
    operation: "getTransactions",
    args: { address, limit: 1 },
    format: ([{ transaction_id: id, fee }]) => `${id.hash}, fee ${fee} nanocoins`,
  },
};

/** Shows a value with what proves it, or why it is not believed. */
async function show(client, id) {
  const place = document.getElementById(id);
  const { operation, args, format } = shown[id];
  try {
    const text = format(await client[operation](args));
    const { seqno, bytes, ms, signedBy } = proofs.get(operation);
    const signers = signedBy === undefined ? "" : `, signed by ${signedBy.signatures} validators`;
    place.textContent = `${text} (block ${seqno}${signers}, ${bytes} bytes, ${Math.ceil(ms)} ms)`;
    place.className = "proved";
  } catch (error) {
    place.textContent = `${error.code}: ${error.message}`;
    place.className = "refused";
  }
}

const lie = document.getElementById("lie");

async function showAll() {
  const client = createClient(`${location.origin}${lie.checked ? "/lying" : ""}/api/v2`, { verify });
  for (const id of Object.keys(shown)) document.getElementById(id).className = "";
  await Promise.all(Object.keys(shown).map((id) => show(client, id)));
}

lie.addEventListener("change", showAll);
await showAll();
