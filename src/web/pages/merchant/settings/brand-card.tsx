import type { SettingsInfo } from '../../../../http/console/merchant/settings/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { ImageField } from '../../../ui/forms/image-field.tsx';
import { imageUrlOf } from '../links/link-labels.ts';
import { type FieldTexts, isColour } from './draft.ts';

type BrandField = 'logo' | 'colour' | 'support' | 'recommended';

interface BrandCardProps {
  readonly coins: SettingsInfo['coins'];
  readonly values: Readonly<Pick<FieldTexts, BrandField>>;
  errorOf(field: BrandField): string | null;
  set<Field extends BrandField>(field: Field, value: FieldTexts[Field]): void;
}

/** What customers see of the merchant, besides its name. */
export function BrandCard({ coins, values, errorOf, set }: BrandCardProps) {
  const { logo, colour, support, recommended } = values;
  return (
    <Card title="What customers see">
      <div className="form">
        <p className="field-hint">
          Shown next to your name on payment pages, payment links and receipts. Changes apply to all of them, including
          open payments.
        </p>
        <ImageField
          label="Logo"
          hint="PNG, JPEG or WebP, at most 256 KB. Shown 40 pixels high on white."
          error={errorOf('logo')}
          image={logo === '' || logo.startsWith('data:') ? logo : imageUrlOf(logo)}
          change={(image) => set('logo', image)}
        />
        <div className="colour-field">
          <TextField
            label="Colour"
            placeholder="#0b6e4f"
            autoComplete="off"
            spellCheck={false}
            value={colour}
            error={errorOf('colour')}
            hint="For the main button and, where legible, links. Button text is black or white, whichever is more legible. Leave empty for the default colour."
            onChange={(event) => set('colour', event.target.value)}
          />
          <input
            className="colour-pick"
            type="color"
            aria-label="Pick the colour"
            value={isColour(colour) ? colour.trim().toLowerCase() : DEFAULT_COLOUR}
            onChange={(event) => set('colour', event.target.value)}
          />
        </div>
        <TextField
          label="Support contact"
          placeholder="help@shop.example"
          autoComplete="off"
          value={support}
          error={errorOf('support')}
          hint="An email address or an https:// URL. Customers see it under each payment and on the receipt. Without one, customers with a late, failed or overpaid payment cannot reach you from its page."
          onChange={(event) => set('support', event.target.value)}
        />
        <SelectField
          label="Recommended coin"
          hint="Shown first to customers who choose a coin."
          value={recommended}
          error={errorOf('recommended')}
          onChange={({ target }) => set('recommended', target.value as FieldTexts['recommended'])}
        >
          <option value="">none</option>
          {coins.map(({ symbol, name }) => (
            <option key={symbol} value={symbol}>
              {name} ({symbol})
            </option>
          ))}
        </SelectField>
      </div>
    </Card>
  );
}

// Helpers

/** The button of a merchant that has set none. */
const DEFAULT_COLOUR = '#0b6e4f';
