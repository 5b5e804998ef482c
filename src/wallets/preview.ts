import { createDeriver, type DerivedAddress } from './derive.ts';
import { type KeyWarning, parseExtendedKey, type WalletKeySpec } from './extended-key.ts';
import { type AddressType, CHAIN_ADDRESSING } from './networks.ts';

export interface PreviewRequest extends WalletKeySpec {
  /** Addresses to show, beginning with index 0: 1 to `MAX_PREVIEW_ADDRESSES`. */
  readonly count: number;
}

/** What a key would receive to, to be compared with the wallet before it is used. */
export interface AddressPreview {
  /** The four letters of the key's form ("zpub"). */
  readonly prefix: string;
  readonly keyId: string;
  readonly addressType: AddressType;
  readonly warnings: readonly KeyWarning[];
  readonly addresses: readonly PreviewedAddress[];
  /** When the type is only assumed: the first address of each other type, one of which may be the wallet's. */
  readonly alternatives: readonly (PreviewedAddress & { readonly addressType: AddressType })[];
}

export type PreviewedAddress = Pick<DerivedAddress, 'index' | 'derivationPath' | 'address'>;

export const MAX_PREVIEW_ADDRESSES = 100;

/** The first receive addresses of a key. Throws as `parseExtendedKey` does, and a `RangeError` for a count out of range. */
export function previewAddresses({ count, ...spec }: PreviewRequest): AddressPreview {
  if (!Number.isInteger(count) || count < 1 || count > MAX_PREVIEW_ADDRESSES) {
    throw new RangeError(`the number of addresses must be 1 to ${MAX_PREVIEW_ADDRESSES}`);
  }
  const parsed = parseExtendedKey(spec);
  const { prefix, keyId, addressType, warnings } = parsed;
  const isAssumed = warnings.some(({ code }) => code === 'ADDRESS_TYPE_ASSUMED');
  const others = CHAIN_ADDRESSING[spec.chain].addressTypes.filter((type) => type !== addressType);
  return {
    prefix,
    keyId,
    addressType,
    warnings,
    addresses: createDeriver(parsed).addressesFrom(0, count).map(shown),
    alternatives: (isAssumed ? others : []).map((type) => ({
      addressType: type,
      ...shown(createDeriver({ ...parsed, addressType: type }).addressAt(0)),
    })),
  };
}

// Helpers

function shown({ index, derivationPath, address }: DerivedAddress): PreviewedAddress {
  return { index, derivationPath, address };
}
