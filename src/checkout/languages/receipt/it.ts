import type { ReceiptTexts } from './texts.ts';

export const ITALIAN_RECEIPT: ReceiptTexts = {
  heading: 'Ricevuta via e-mail',
  address: 'Il Suo indirizzo e-mail',
  button: 'Salva',
  note: 'La ricevuta viene inviata quando il pagamento è completato. Anche il negozio vede l’indirizzo.',
  goesTo: (address) => `La ricevuta sarà inviata a ${address} quando il pagamento sarà completato.`,
  isTest: 'Questo è un pagamento di prova: non viene inviata alcuna e-mail.',
  change: 'Cambia l’indirizzo',
  wrong: 'Inserisca un indirizzo e-mail come name@example.com.',
  fact: 'Ricevuta a',
};
