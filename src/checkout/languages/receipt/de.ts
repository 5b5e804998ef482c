import type { ReceiptTexts } from './texts.ts';

export const GERMAN_RECEIPT: ReceiptTexts = {
  heading: 'Beleg per E-Mail',
  address: 'Ihre E-Mail-Adresse',
  button: 'Speichern',
  note: 'Der Beleg wird gesendet, sobald die Zahlung abgeschlossen ist. Auch der Shop sieht die Adresse.',
  goesTo: (address) => `Der Beleg geht an ${address}, sobald die Zahlung abgeschlossen ist.`,
  isTest: 'Dies ist eine Testzahlung: Es wird keine E-Mail gesendet.',
  change: 'Adresse ändern',
  wrong: 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  fact: 'Beleg an',
};
