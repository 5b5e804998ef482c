import { type AddressType, CHAIN_ADDRESSING } from './address-formats.ts';
import { createDeriver, type DerivedAddress } from './keys/derive.ts';
import { type KeyWarning, parseExtendedKey, type WalletKeySpec } from './keys/extended-key.ts';

export interface PreviewRequest extends WalletKeySpec {
  /** Addresses to show, beginning with index 0: 1 to `MAX_PREVIEW_ADDRESSES`. */
  readonly count: number;
}

/** A key's first receive addresses, to compare with the wallet before using the key. */
export interface AddressPreview {
  /** The key's four-letter prefix ("zpub"). */
  readonly prefix: string;
  readonly keyId: string;
  readonly addressType: AddressType;
  readonly warnings: readonly KeyWarning[];
  readonly addresses: readonly PreviewedAddress[];
  /** If the address type is only assumed: the first address of each other type. */
  readonly alternatives: readonly (PreviewedAddress & { readonly addressType: AddressType })[];
}

export type PreviewedAddress = Pick<DerivedAddress, 'index' | 'derivationPath' | 'address'>;

export const MAX_PREVIEW_ADDRESSES = 100;

/** A key's first addresses. Throws like `parseExtendedKey`, or a `RangeError` for `count`. */
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
