import type { LinkTexts } from './texts.ts';

export const FRENCH_LINKS: LinkTexts = {
  ask: 'Choisissez le montant',
  amount: (currency) => `Montant en ${currency}`,
  between: (min, max) => `Entre ${min} et ${max}`,
  atLeast: (min) => `Au moins ${min}`,
  atMost: (max) => `Au plus ${max}`,
  about: (coins) => `environ ${coins}`,
};
