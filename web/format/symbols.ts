/** Letters of other alphabets that look like a capital letter of the names below. */
const lookalikes: Readonly<Record<string, string>> = {
  A: "АΑᴀ",
  C: "СϹᴄ",
  D: "ᴅԀ",
  G: "ԌɢᏀ",
  I: "ІΙ1|ɪ",
  M: "МΜᴍ",
  N: "Νɴ",
  O: "ОΟ0Օᴏ",
  R: "ʀᏒ",
  S: "Ѕ$ѕ",
  T: "ТΤ₮ŦᴛŢ",
  U: "ՍᴜՄ",
};

const plainLetters = new Map(
  Object.entries(lookalikes).flatMap(([plain, all]) => Array.from(all, (each): [string, string] => [each, plain])),
);

/** What a reader takes a symbol for: without case, accents, spaces, invisible characters and other alphabets. */
function fold(symbol: string): string {
  const letters = Array.from(symbol.normalize("NFKD").toUpperCase(), (letter) => plainLetters.get(letter) ?? letter);
  return letters.join("").replace(/[^\p{L}\p{N}]/gu, "");
}

const coinNames = /^(?:TON(?:COIN)?S?|GRAMS?)$/;

/** Tokens of mainnet that many know, by what their symbol is taken for. */
const knownMasters: Readonly<Record<string, string>> = {
  USDT: "0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE",
  NOT: "0:2F956143C461769579BAEF2E32CC2D7BC18283F40D20BB03E432CD603AC33FFC",
};

/** Says that a token has the symbol of the coin or of a known token; anybody can choose any symbol. */
export function warnOfSymbol(symbol: string, master: string): string | undefined {
  // A dollar sign may stand for a letter, or before a symbol.
  if (coinNames.test(fold(symbol.replace(/^[^\p{L}\p{N}₮]+/u, "")))) return "not the coin";
  const taken = fold(symbol);
  const real = knownMasters[taken];
  return real === undefined || real === master ? undefined : "not the known token";
}
