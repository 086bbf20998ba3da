import { type Case, gives, refuses } from "./Case.ts";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const bounceable = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const nonBounceable = "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI";
const testBounceable = "kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH";
const testNonBounceable = "0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC";
const slashed = "EQDb3s/yaWarEEy1FWv17VI7wuDsrvsYBDAne8HVAniN8fW/";
const hash = "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3";

const badAddresses: readonly Case[] = [
  refuses("no address", {}, 422, "failed to parse address"),
  refuses("an empty address", { address: "" }, 422, "failed to parse address"),
  ...["not_an_address", "0:12", hash, `+0:${hash}`, `00:${hash}`, `-0:${hash}`, `-2147483648:${hash}`, `${bounceable}A`]
    .concat(` ${bounceable}`, bounceable.replace("2N", "2M"), "2147483648:".concat(hash))
    .map((address) => refuses(`the address ${address}`, { address }, 422, "failed to parse address")),
];

function detected(givenType: string, testOnly: boolean) {
  const [plus, minus] = testOnly ? [testBounceable, testNonBounceable] : [bounceable, nonBounceable];
  const variant = (text: string) => ({ "@type": "ext.utils.detectedAddressVariant", b64: text, b64url: text });
  return {
    "@type": "ext.utils.detectedAddress",
    raw_form: raw,
    bounceable: variant(plus),
    non_bounceable: variant(minus),
    given_type: givenType,
    test_only: testOnly,
  };
}

const detectedHash = {
  "@type": "ext.utils.detectedHash",
  b64: "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=",
  b64url: "CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM",
  hex: hash,
};

const unpacked = raw.toUpperCase();

/** Cases of requests that need no lite server. */
export const utilsCases = {
  detectAddress: [
    gives("a raw address", { address: raw }, detected("raw_form", false)),
    gives("a raw address in upper case", { address: unpacked }, detected("raw_form", false)),
    gives("a bounceable address", { address: bounceable }, detected("friendly_bounceable", false)),
    gives("a non-bounceable address", { address: nonBounceable }, detected("friendly_non_bounceable", false)),
    gives("a bounceable test address", { address: testBounceable }, detected("friendly_bounceable", true)),
    gives("a non-bounceable test address", { address: testNonBounceable }, detected("friendly_non_bounceable", true)),
    ...badAddresses,
  ],
  detectHash: [
    gives("hex", { hash }, detectedHash),
    gives("hex in upper case", { hash: hash.toUpperCase() }, detectedHash),
    gives("base64", { hash: detectedHash.b64 }, detectedHash),
    gives("base64url", { hash: detectedHash.b64url }, detectedHash),
    gives("base64url with padding", { hash: `${detectedHash.b64url}=` }, detectedHash),
    refuses("nothing", {}, 422, "empty hash"),
    refuses("an empty hash", { hash: "" }, 422, "empty hash"),
    refuses(
      "base64 without padding",
      { hash: detectedHash.b64.slice(0, 43) },
      422,
      `invalid hash: '${detectedHash.b64.slice(0, 43)}'`,
    ),
    refuses("words", { hash: "not a hash" }, 422, "invalid hash: 'not a hash'"),
    refuses("a digit too few", { hash: hash.slice(1) }, 422, `invalid hash: '${hash.slice(1)}'`),
  ],
  packAddress: [
    gives("a raw address", { address: raw }, bounceable),
    gives("a flagged address, whose flags stay", { address: testNonBounceable }, testNonBounceable),
    gives("the other alphabet", { address: slashed }, slashed.replaceAll("/", "_")),
    gives("mixed alphabets", { address: slashed.replace("/", "_") }, slashed.replaceAll("/", "_")),
    gives("a workchain with no such form", { address: `128:${hash}` }, ""),
    ...badAddresses,
  ],
  unpackAddress: [
    gives("a raw address", { address: raw }, unpacked),
    ...[bounceable, nonBounceable, testBounceable, testNonBounceable].map((address) =>
      gives(address, { address }, unpacked),
    ),
    gives("a workchain of many digits", { address: `-214748364:${hash}` }, `-214748364:${hash.toUpperCase()}`),
    ...badAddresses,
  ],
  healthcheck: [gives("nothing", {}, "OK")],
} satisfies Readonly<Record<string, readonly Case[]>>;
