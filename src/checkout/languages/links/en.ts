import type { LinkTexts } from './texts.ts';

export const ENGLISH_LINKS: LinkTexts = {
  ask: 'Choose the amount',
  amount: (currency) => `Amount in ${currency}`,
  between: (min, max) => `Between ${min} and ${max}`,
  atLeast: (min) => `At least ${min}`,
  atMost: (max) => `At most ${max}`,
  about: (coins) => `about ${coins}`,
};
