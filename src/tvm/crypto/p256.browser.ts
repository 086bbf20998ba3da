import { invert, mod, numberOf, power, sumOfMultiples } from "../../lib/browser/modular.ts";
import { sha256 } from "../../lib/browser/sha256.ts";

/*
 * In the place of `p256.ts`, for browsers, which have such signatures only without a synchronous check. It has no
 * secrets, so that time may depend on values.
 */

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Jacobian coordinates: x = X/Z², y = Y/Z³; the zero point has no Z. */
interface Point {
  readonly X: bigint;
  readonly Y: bigint;
  readonly Z: bigint;
}

const zero: Point = { X: 1n, Y: 1n, Z: 0n };

function double({ X, Y, Z }: Point): Point {
  const square = mod(Y * Y, prime);
  const s = mod(4n * X * square, prime);
  const m = mod(3n * (X - Z * Z) * (X + Z * Z), prime);
  const x = mod(m * m - 2n * s, prime);
  return { X: x, Y: mod(m * (s - x) - 8n * square * square, prime), Z: mod(2n * Y * Z, prime) };
}

function add(p: Point, q: Point): Point {
  if (p.Z === 0n) return q;
  if (q.Z === 0n) return p;
  const [pz, qz] = [mod(p.Z * p.Z, prime), mod(q.Z * q.Z, prime)];
  const [pu, qu] = [mod(p.X * qz, prime), mod(q.X * pz, prime)];
  const [ps, qs] = [mod(p.Y * qz * q.Z, prime), mod(q.Y * pz * p.Z, prime)];
  if (pu === qu) return ps === qs ? double(p) : zero;
  const [h, r] = [qu - pu, qs - ps];
  const square = mod(h * h, prime);
  const [cube, v] = [mod(h * square, prime), mod(pu * square, prime)];
  const x = mod(r * r - cube - 2n * v, prime);
  return { X: x, Y: mod(r * (v - x) - ps * cube, prime), Z: mod(h * p.Z * q.Z, prime) };
}

/** The point with this x and the lowest bit of y, if there is one. */
function findPoint(x: bigint, parity: bigint): Point | undefined {
  const square = mod(x ** 3n - 3n * x + b, prime);
  const root = power(square, (prime + 1n) / 4n, prime);
  if (x >= prime || mod(root * root, prime) !== square) return undefined;
  return { X: x, Y: (root & 1n) === parity ? root : mod(-root, prime), Z: 1n };
}

const baseX = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n;

export function verifyP256(data: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const [r, s] = [numberOf(signature.subarray(0, 32)), numberOf(signature.subarray(32))];
  const isInRange = [r, s].every((each) => each > 0n && each < order);
  const form = publicKey[0];
  if (signature.length !== 64 || !isInRange || publicKey.length !== 33 || (form !== 2 && form !== 3)) return false;
  const [base, key] = [findPoint(baseX, 1n), findPoint(numberOf(publicKey.subarray(1)), BigInt(form - 2))];
  if (base === undefined || key === undefined) return false;
  const inverse = invert(s, order);
  const { X, Z } = sumOfMultiples({ zero, add, double }, [
    [base, mod(numberOf(sha256(data)) * inverse, order)],
    [key, mod(r * inverse, order)],
  ]);
  return Z !== 0n && mod(X * invert(Z * Z, prime), prime) % order === r;
}
