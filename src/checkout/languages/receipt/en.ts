import type { ReceiptTexts } from './texts.ts';

export const ENGLISH_RECEIPT: ReceiptTexts = {
  heading: 'Receipt by e-mail',
  address: 'Your e-mail address',
  button: 'Save',
  note: 'The receipt is sent once the payment is complete. The shop sees the address too.',
  goesTo: (address) => `The receipt goes to ${address} once the payment is complete.`,
  isTest: 'This is a test payment: no e-mail is sent.',
  change: 'Change the address',
  wrong: 'Please enter an e-mail address like name@example.com.',
  fact: 'Receipt to',
};
