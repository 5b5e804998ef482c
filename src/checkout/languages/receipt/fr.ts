import type { ReceiptTexts } from './texts.ts';

export const FRENCH_RECEIPT: ReceiptTexts = {
  heading: 'Reçu par e-mail',
  address: 'Votre adresse e-mail',
  button: 'Enregistrer',
  note: 'Le reçu est envoyé une fois le paiement terminé. La boutique voit aussi l’adresse.',
  goesTo: (address) => `Le reçu sera envoyé à ${address} une fois le paiement terminé.`,
  isTest: 'Ceci est un paiement test : aucun e-mail n’est envoyé.',
  change: 'Modifier l’adresse',
  wrong: 'Veuillez saisir une adresse e-mail comme name@example.com.',
  fact: 'Reçu envoyé à',
};
