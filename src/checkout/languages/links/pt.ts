import type { LinkTexts } from './texts.ts';

export const PORTUGUESE_LINKS: LinkTexts = {
  ask: 'Escolha o valor',
  amount: (currency) => `Valor em ${currency}`,
  between: (min, max) => `Entre ${min} e ${max}`,
  atLeast: (min) => `No mínimo ${min}`,
  atMost: (max) => `No máximo ${max}`,
  about: (coins) => `cerca de ${coins}`,
};
