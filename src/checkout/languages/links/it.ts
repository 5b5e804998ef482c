import type { LinkTexts } from './texts.ts';

export const ITALIAN_LINKS: LinkTexts = {
  ask: 'Scelga l’importo',
  amount: (currency) => `Importo in ${currency}`,
  between: (min, max) => `Tra ${min} e ${max}`,
  atLeast: (min) => `Almeno ${min}`,
  atMost: (max) => `Al massimo ${max}`,
  about: (coins) => `circa ${coins}`,
};
