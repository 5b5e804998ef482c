import type { LinkInfo, LinkPrice, LinkState } from '../../../../http/console/merchant/links/schemas.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { amountText } from '../../../ui/values/amount-text.ts';

export const STATE_WORDS: Readonly<Record<LinkState, { readonly word: string; readonly tone: Tone }>> = {
  open: { word: 'Open', tone: 'good' },
  used_up: { word: 'Used up', tone: 'quiet' },
  expired: { word: 'Expired', tone: 'quiet' },
  closed: { word: 'Closed', tone: 'quiet' },
};

/** Where the service serves an image to everyone. */
export function imageUrlOf(id: string): string {
  return `/images/${id}`;
}

/** `24.99 EUR`, `from 5.00 EUR`, `5.00 to 50.00 EUR`, `any amount in EUR`. */
export function priceText(price: LinkPrice, currency: string): string {
  if (price.kind === 'fixed') return amountText(price.amount, currency);
  const { min, max } = price;
  if (min === null && max === null) return `any amount in ${currency}`;
  if (max === null) return `from ${amountText(min ?? '', currency)}`;
  if (min === null) return `up to ${amountText(max, currency)}`;
  return `${amountText(min, currency).replace(/\s\S+$/, '')} to ${amountText(max, currency)}`;
}

/** `3 of 10`, `3` without a limit, `1 of 1`. */
export function usesText({ uses, maxUses }: Pick<LinkInfo, 'uses' | 'maxUses'>): string {
  const done = uses.toLocaleString('en');
  return maxUses === null ? done : `${done} of ${maxUses.toLocaleString('en')}`;
}
