import { fromHex } from "../../lib/bytes.ts";

/** The stored form of a wallet, which saves deriving it: its words, and the seed of its key. */
export interface WalletSecret {
  readonly words: readonly string[];
  readonly secret: Uint8Array;
}

/** The seed of networks that nobody gave another one. */
export const usualSeed = "tongate";

/*
 * What `deriveKeys` finds for the wallets of the usual seed. Deriving takes three seconds of CPU, more than all else
 * that a first start does; a test derives them again.
 */
const lines: readonly (readonly [secret: string, words: string])[] = [
  [
    "8a5b2d998abf4813cfcefd08b483cc72f0341a96f4ad5058781966a67eec795e",
    "choose spare gaze near ball visit island visual side glory fluid brain mouse peasant polar save report soul exhibit army venture fat utility goat",
  ],
  [
    "0d5c633a239c499e4d51a43fa367ef7ce38cc1fa6c807ef08ba989eaec2bcb5f",
    "speak rose connect also devote dune brand deny goat typical cable cost unlock supply develop tobacco increase mango cake cousin coffee uniform bean banner",
  ],
  [
    "308c317c3cf1b0ff509d111538991d7ad0cb6d5c361d8bbdbce03dbdd5048fd1",
    "bottom balance real arrest brain song song icon onion bless render weapon nation library any upgrade capable board aware crew nominee frame absurd humble",
  ],
  [
    "ec989faa26d43596cc457abcaa40bdd33575ddb042af041449b71dafacfbaea4",
    "cat antique series teach cloud kit all front sudden exist merry blush cheap wrap regular decade want aisle already pluck car fruit cry sing",
  ],
  [
    "797807e4d308b815c074fb7ede31d94eead0d1cc00e6332aa4a5f8b351b1582d",
    "taste wasp pyramid collect grant multiply innocent put away fancy consider hybrid kingdom spike mandate ranch harbor eternal useful tomorrow tissue owner avocado smooth",
  ],
  [
    "f3d414cab16b96db4e6dfd6aa579bc4fed76b628057562900abf16594ff37fb7",
    "giggle bicycle refuse pistol window kiss steak fine shed sponsor guitar turtle just height rapid mom explain kiwi prosper task roof pumpkin one increase",
  ],
  [
    "52a2787d5d09a22cffac99e14b4a31bd20c9d67370e384f739560ef9efbfb03e",
    "lemon gauge dish already present ball tobacco repair van tilt essay rotate decrease inner fish green remove junior gun owner hill idle shallow will",
  ],
  [
    "152e9e46e0e3c4d30bec960e750823099d63630bd57b028f7f4b510ba9a453dd",
    "spoon case supply supreme lemon print moment swallow ivory riot buyer camp tool this use quote shock ostrich elegant permit garbage van example people",
  ],
  [
    "fea17d591d36c1bee5c6f07f7ff00af635a2ff1024eaefdf393cdc877c556ede",
    "gloom sunny anxiety expose electric globe east page material army adult quit health survey waste purchase novel illegal warfare funny isolate virtual vocal clock",
  ],
  [
    "9504b8e531959c79f93648b7af5fd6791be5d8f4f80298cc0b405b6c113483b9",
    "enroll faint correct purity estate rough tell lawn meat tissue filter talent witness delay beyond twice squeeze lend foil refuse fence water sleep name",
  ],
];

/** The wallets of a seed where they are known; none for any other seed. */
export function findUsualWallets(seed: string): readonly WalletSecret[] {
  if (seed !== usualSeed) return [];
  return lines.map(([secret, words]) => ({ words: words.split(" "), secret: fromHex(secret) }));
}
