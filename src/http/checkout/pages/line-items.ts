import { formatCoins, parseCoins } from '../../../../machines/index.ts';
import type { CustomerView } from '../../../payments/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';

/** Items that are always shown; the others unfold. */
const SHOWN_ITEMS = 4;
/** Every currency that a price may be in has two decimal places. */
const FIAT_DECIMALS = 2;

type Item = CustomerView['items'][number];

/**
 * What is bought: the shop's items with their prices, or the title of a payment link or recurring
 * request; null when neither is known.
 */
export function lineItems({ title, items, currencyFiat }: CustomerView, locale: Locale): Html | null {
  if (items.length === 0) return title === null ? null : html`<p class="bought"><bdi>${title}</bdi></p>`;
  const listed = (some: readonly Item[]) => html`<ul>${some.map((item) => line(item, currencyFiat, locale))}</ul>`;
  // A single folded item takes no more room than the control that unfolds it.
  const shown = items.length === SHOWN_ITEMS + 1 ? items.length : SHOWN_ITEMS;
  const rest = items.slice(shown);
  const folded =
    rest.length === 0
      ? null
      : html`<details id="items"><summary id="items-summary">+ ${locale.formats.count(rest.length)}</summary>${listed(rest)}</details>`;
  return html`<div class="bought">${listed(items.slice(0, shown))}${folded}</div>`;
}

// Helpers

function line({ name, quantity, price }: Item, currencyFiat: CustomerView['currencyFiat'], { formats }: Locale): Html {
  const total = formatCoins(BigInt(quantity) * parseCoins(price, FIAT_DECIMALS, 'price'), FIAT_DECIMALS);
  return html`<li><span>${formats.count(quantity)} × <bdi>${name}</bdi></span> <span>${formats.money(total, currencyFiat)}</span></li>`;
}
