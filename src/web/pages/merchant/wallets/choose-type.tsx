import type { AddressType, WalletPreview } from '../../../../http/console/merchant/wallets/schemas.ts';
import { ADDRESS_TYPE_WORDS } from './labels.ts';

interface ChooseTypeProps {
  /** The preview before any choice, with all alternatives. */
  readonly first: WalletPreview;
  readonly chosen: AddressType | undefined;
  choose(type: AddressType): void;
}

/**
 * Many keys do not contain the address type. The user finds it by the first address of their
 * wallet.
 */
export function ChooseType({ first, chosen, choose }: ChooseTypeProps) {
  if (first.alternatives.length === 0) return null;
  const types = [{ addressType: first.addressType, address: first.addresses[0]?.address ?? '' }, ...first.alternatives];
  return (
    <fieldset className="choices">
      <legend className="field-label">Which of these is the first receiving address your wallet shows?</legend>
      {types.map(({ addressType, address }) => (
        <label key={addressType} className="choice">
          <input
            type="radio"
            name="address-type"
            checked={addressType === chosen}
            onChange={() => choose(addressType)}
          />
          <span>
            <strong>{ADDRESS_TYPE_WORDS[addressType]}</strong>
            <code className="choice-about wrap">{address}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
