import type { LinkTexts } from './texts.ts';

export const GERMAN_LINKS: LinkTexts = {
  ask: 'Wählen Sie den Betrag',
  amount: (currency) => `Betrag in ${currency}`,
  between: (min, max) => `Zwischen ${min} und ${max}`,
  atLeast: (min) => `Mindestens ${min}`,
  atMost: (max) => `Höchstens ${max}`,
  about: (coins) => `etwa ${coins}`,
};
