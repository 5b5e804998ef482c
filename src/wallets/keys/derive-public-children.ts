import { createHmac } from 'node:crypto';
import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';

/** A child public key of an extended public key. */
export interface PublicChild {
  readonly index: number;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
}

/**
 * Child public keys by BIP32's CKDpub for consecutive non-hardened indices: K_i = point(I_L) +
 * K_par. Same result as deriving each separately, but the parent point is decoded once and all
 * results share one field inversion, which is most of the cost. Nothing here is secret, so the
 * faster non-constant-time multiplication is safe. Indices without a valid child (I_L ≥ n, or the
 * sum is the point at infinity) are omitted.
 */
export function derivePublicChildren(
  parent: { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array },
  firstIndex: number,
  count: number,
): PublicChild[] {
  const { Point } = secp256k1;
  const parentPoint = Point.fromBytes(parent.publicKey);
  const indices: number[] = [];
  const points: InstanceType<typeof Point>[] = [];
  for (let index = firstIndex; index < firstIndex + count; index += 1) {
    const factor = leftHalf(parent, index);
    if (factor >= Point.Fn.ORDER) continue;
    const point = Point.BASE.multiplyUnsafe(factor).add(parentPoint);
    if (point.is0()) continue;
    indices.push(index);
    points.push(point);
  }
  return normalizeZ(Point, points).map((point, index) => ({
    index: indices[index] ?? -1,
    publicKey: point.toBytes(true),
  }));
}

/**
 * Makes derivations of this thread a third cheaper (117 instead of 174 µs of processor time each),
 * for 0.1 s and 2 MB once: with more multiples of the curve's generator calculated in advance, a
 * multiplication needs fewer additions.
 */
export function prepareDerivations(): void {
  secp256k1.Point.BASE.precompute(WINDOW_BITS, false);
}

/** More bits no longer gain: 8 bits take 135 µs for each address, 10 and 11 both 117. */
const WINDOW_BITS = 10;

// Helpers

/** I_L of HMAC-SHA512(chain code, serP(K_par) || ser32(i)), as an integer. */
function leftHalf({ publicKey, chainCode }: { publicKey: Uint8Array; chainCode: Uint8Array }, index: number): bigint {
  const suffix = Buffer.alloc(4);
  suffix.writeUInt32BE(index);
  const digest = createHmac('sha512', chainCode).update(publicKey).update(suffix).digest();
  return BigInt(`0x${digest.subarray(0, 32).toString('hex')}`);
}
