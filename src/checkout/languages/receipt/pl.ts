import type { ReceiptTexts } from './texts.ts';

export const POLISH_RECEIPT: ReceiptTexts = {
  heading: 'Potwierdzenie e-mailem',
  address: 'Twój adres e-mail',
  button: 'Zapisz',
  note: 'Potwierdzenie zostanie wysłane po zakończeniu płatności. Sklep również zobaczy adres.',
  goesTo: (address) => `Po zakończeniu płatności wyślemy potwierdzenie na adres ${address}.`,
  isTest: 'To jest płatność testowa: żaden e-mail nie zostanie wysłany.',
  change: 'Zmień adres',
  wrong: 'Podaj adres e-mail, na przykład name@example.com.',
  fact: 'Potwierdzenie na adres',
};
