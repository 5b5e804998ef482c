import type { LinkTexts } from './texts.ts';

export const SPANISH_LINKS: LinkTexts = {
  ask: 'Elija el importe',
  amount: (currency) => `Importe en ${currency}`,
  between: (min, max) => `Entre ${min} y ${max}`,
  atLeast: (min) => `Como mínimo ${min}`,
  atMost: (max) => `Como máximo ${max}`,
  about: (coins) => `unos ${coins}`,
};
