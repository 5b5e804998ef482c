/** Texts around the email address that a customer gives for the receipt. */
export const ENGLISH_RECEIPT = {
  /** Heading of the field and of its page. */
  heading: 'Receipt by email',
  /** Label of the field on its own page. */
  address: 'Your email address',
  button: 'Save',
  note: 'The receipt is sent once the payment is complete. The shop sees the address too.',
  /** With the shortened address. */
  goesTo: (address: string) => `The receipt goes to ${address} once the payment is complete.`,
  isTest: 'This is a test payment: no email is sent.',
  change: 'Change the address',
  /** The input is not an email address. */
  wrong: 'Please enter an email address like name@example.com.',
  /** On the receipt, before the shortened address. */
  label: 'Receipt to',
};

type ReceiptTexts = typeof ENGLISH_RECEIPT;

export const GERMAN_RECEIPT: ReceiptTexts = {
  heading: 'Beleg per E-Mail',
  address: 'Ihre E-Mail-Adresse',
  button: 'Speichern',
  note: 'Der Beleg wird gesendet, sobald die Zahlung abgeschlossen ist. Auch der Shop sieht die Adresse.',
  goesTo: (address) => `Der Beleg geht an ${address}, sobald die Zahlung abgeschlossen ist.`,
  isTest: 'Dies ist eine Testzahlung: Es wird keine E-Mail gesendet.',
  change: 'Adresse ändern',
  wrong: 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  label: 'Beleg an',
};

export const SPANISH_RECEIPT: ReceiptTexts = {
  heading: 'Recibo por correo electrónico',
  address: 'Su correo electrónico',
  button: 'Guardar',
  note: 'El recibo se envía cuando se completa el pago. La tienda también ve la dirección.',
  goesTo: (address) => `El recibo se enviará a ${address} cuando se complete el pago.`,
  isTest: 'Este es un pago de prueba: no se envía ningún correo.',
  change: 'Cambiar la dirección',
  wrong: 'Introduzca una dirección de correo como name@example.com.',
  label: 'Recibo para',
};

export const FRENCH_RECEIPT: ReceiptTexts = {
  heading: 'Reçu par e-mail',
  address: 'Votre adresse e-mail',
  button: 'Enregistrer',
  note: 'Le reçu est envoyé une fois le paiement terminé. La boutique voit aussi l’adresse.',
  goesTo: (address) => `Le reçu sera envoyé à ${address} une fois le paiement terminé.`,
  isTest: 'Ceci est un paiement test : aucun e-mail n’est envoyé.',
  change: 'Modifier l’adresse',
  wrong: 'Veuillez saisir une adresse e-mail comme name@example.com.',
  label: 'Reçu envoyé à',
};

export const ITALIAN_RECEIPT: ReceiptTexts = {
  heading: 'Ricevuta via e-mail',
  address: 'Il Suo indirizzo e-mail',
  button: 'Salva',
  note: 'La ricevuta viene inviata quando il pagamento è completato. Anche il negozio vede l’indirizzo.',
  goesTo: (address) => `La ricevuta sarà inviata a ${address} quando il pagamento sarà completato.`,
  isTest: 'Questo è un pagamento di prova: non viene inviata alcuna e-mail.',
  change: 'Cambia l’indirizzo',
  wrong: 'Inserisca un indirizzo e-mail come name@example.com.',
  label: 'Ricevuta a',
};

export const POLISH_RECEIPT: ReceiptTexts = {
  heading: 'Potwierdzenie e-mailem',
  address: 'Twój adres e-mail',
  button: 'Zapisz',
  note: 'Potwierdzenie zostanie wysłane po zakończeniu płatności. Sklep również zobaczy adres.',
  goesTo: (address) => `Po zakończeniu płatności wyślemy potwierdzenie na adres ${address}.`,
  isTest: 'To jest płatność testowa: żaden e-mail nie zostanie wysłany.',
  change: 'Zmień adres',
  wrong: 'Podaj adres e-mail, na przykład name@example.com.',
  label: 'Potwierdzenie na adres',
};

export const PORTUGUESE_RECEIPT: ReceiptTexts = {
  heading: 'Recibo por e-mail',
  address: 'Seu endereço de e-mail',
  button: 'Salvar',
  note: 'O recibo é enviado quando o pagamento for concluído. A loja também vê o endereço.',
  goesTo: (address) => `O recibo será enviado para ${address} quando o pagamento for concluído.`,
  isTest: 'Este é um pagamento de teste: nenhum e-mail é enviado.',
  change: 'Alterar o endereço',
  wrong: 'Digite um endereço de e-mail como name@example.com.',
  label: 'Recibo para',
};
