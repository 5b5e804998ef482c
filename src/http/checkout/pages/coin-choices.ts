import { ASSETS, type FiatCurrency } from '../../../../machines/index.ts';
import { centsText, type OfferedCoin } from '../../../links/index.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';

/** A coin to choose; the page of a period knows no more than its symbol. */
type Choice = Pick<OfferedCoin, 'symbol'> & Partial<OfferedCoin>;

/** More coins than this are folded away behind the first ones. */
const MAX_SHOWN = 8;
const FIRST_SHOWN = 6;

/**
 * The field `crypto` as radio buttons, in the order given; the only coin is chosen already.
 * `currency` is that of the fees.
 */
export function coinChoices(coins: readonly Choice[], currency: FiatCurrency | null, locale: Locale): Html {
  const { recurring, links } = locale.texts;
  const choices = coins.map((coin) => choice(coin, { currency, isOnly: coins.length === 1 }, locale));
  const first = coins.length > MAX_SHOWN ? FIRST_SHOWN : coins.length;
  const others = choices.slice(first);
  const folded = html`<details class="more"><summary>${links.more(locale.formats.count(others.length))}</summary><div class="choices">
${others}</div></details>`;
  return html`<fieldset class="choices"><legend>${recurring.pay.choose}</legend>
${choices.slice(0, first)}${others.length === 0 ? null : folded}</fieldset>`;
}

// Helpers

function choice(
  { symbol, amount = null, feeCents = null, isRecommended = false }: Choice,
  { currency, isOnly }: { readonly currency: FiatCurrency | null; readonly isOnly: boolean },
  locale: Locale,
): Html {
  const { texts, formats } = locale;
  const price = amount === null ? null : texts.links.about(formats.coinsOf(amount, symbol, 'up'));
  // What matters when sending. An amount names the coin itself.
  const { name, type } = ASSETS[symbol];
  const ofToken = type === 'token' ? texts.recurring.pay.token(symbol, 'Ethereum (ERC-20)') : null;
  const network = ofToken ?? (price === null ? symbol : null);
  const fee = feeCents === null || currency === null ? null : feeText(feeCents, currency, locale);
  const details = [network, price, fee].filter((text) => text !== null);
  return html`<label><input type="radio" name="crypto" value="${symbol}" required${isOnly ? html` checked` : null}><span><b>${name}</b>${isRecommended ? html` <small class="tag">${texts.links.recommended}</small>` : null}${details.map((text) => html` <small>${text}</small>`)}</span></label>
`;
}

function feeText(cents: bigint, currency: FiatCurrency, { texts, formats }: Locale): string {
  const { fee, lowFee } = texts.links;
  return cents === 0n ? lowFee(formats.money('0.01', currency)) : fee(formats.money(centsText(cents), currency));
}
