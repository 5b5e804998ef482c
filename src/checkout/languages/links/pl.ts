import type { LinkTexts } from './texts.ts';

export const POLISH_LINKS: LinkTexts = {
  ask: 'Wybierz kwotę',
  amount: (currency) => `Kwota w ${currency}`,
  between: (min, max) => `Od ${min} do ${max}`,
  atLeast: (min) => `Co najmniej ${min}`,
  atMost: (max) => `Najwyżej ${max}`,
  about: (coins) => `około ${coins}`,
};
