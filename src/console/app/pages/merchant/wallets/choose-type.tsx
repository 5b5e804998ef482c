import type { AddressType, WalletPreview } from '../../../../contract/wallets.ts';
import { ADDRESS_TYPE_WORDS } from './words.ts';

interface ChooseTypeProps {
  /** As it was before anything was chosen, with all there is to choose from. */
  readonly first: WalletPreview;
  readonly chosen: AddressType | undefined;
  choose(type: AddressType): void;
}

/** Many keys do not say what addresses their wallet has. The wallet does: by its first one. */
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
