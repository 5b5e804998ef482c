/** Why a payment link opens no payment, and what its visitor can do. */
export const ENGLISH_REJECTED_LINK = {
  /** It was for one payment. */
  paid: {
    heading: 'Already paid',
    sentences: [
      'This payment link has been paid, and nothing more is due.',
      'If you still want to pay, ask the shop for a new link.',
    ],
  },
  /** It was for several payments. */
  usedUp: {
    heading: 'This payment link is used up',
    sentences: [
      'It was for a limited number of payments, and all of them have been made.',
      'If you want to pay, ask the shop for a new link.',
    ],
  },
  /** A payment that would use it up is being confirmed. */
  beingPaid: {
    heading: 'This payment link is being paid',
    sentences: [
      'A payment has been sent and is being confirmed by the network. Please do not pay a second time.',
      'Was it not you? Come back in half an hour: if that payment fails, you can pay here.',
    ],
  },
  expired: {
    heading: 'This payment link has expired',
    sentences: ['The time to pay with it is over. Please ask the shop for a new link.'],
  },
  closed: {
    heading: 'The shop has closed this payment link',
    sentences: ['It can no longer be paid. Please ask the shop for a new link.'],
  },
  /** About payments of an expired or closed link. */
  unaffected: 'A payment that you have already opened or sent is not affected.',
};

type RejectedLinkTexts = typeof ENGLISH_REJECTED_LINK;

export const GERMAN_REJECTED_LINK: RejectedLinkTexts = {
  paid: {
    heading: 'Bereits bezahlt',
    sentences: [
      'Dieser Zahlungslink ist bezahlt, und es ist nichts mehr fällig.',
      'Wenn Sie trotzdem bezahlen möchten, bitten Sie den Shop um einen neuen Link.',
    ],
  },
  usedUp: {
    heading: 'Dieser Zahlungslink ist aufgebraucht',
    sentences: [
      'Er galt für eine begrenzte Anzahl von Zahlungen, und alle sind erfolgt.',
      'Wenn Sie bezahlen möchten, bitten Sie den Shop um einen neuen Link.',
    ],
  },
  beingPaid: {
    heading: 'Dieser Zahlungslink wird gerade bezahlt',
    sentences: [
      'Eine Zahlung wurde gesendet und wird vom Netzwerk bestätigt. Bitte zahlen Sie nicht ein zweites Mal.',
      'Waren Sie es nicht? Kommen Sie in einer halben Stunde wieder: Schlägt jene Zahlung fehl, können Sie hier bezahlen.',
    ],
  },
  expired: {
    heading: 'Dieser Zahlungslink ist abgelaufen',
    sentences: ['Die Zeit, ihn zu bezahlen, ist vorbei. Bitte fragen Sie den Shop nach einem neuen Link.'],
  },
  closed: {
    heading: 'Der Shop hat diesen Zahlungslink geschlossen',
    sentences: ['Er kann nicht mehr bezahlt werden. Bitte fragen Sie den Shop nach einem neuen Link.'],
  },
  unaffected: 'Eine Zahlung, die Sie schon geöffnet oder gesendet haben, ist davon nicht betroffen.',
};

export const SPANISH_REJECTED_LINK: RejectedLinkTexts = {
  paid: {
    heading: 'Ya está pagado',
    sentences: [
      'Este enlace de pago ya se ha pagado, y no hay nada más pendiente.',
      'Si aun así quiere pagar, pida a la tienda un enlace nuevo.',
    ],
  },
  usedUp: {
    heading: 'Este enlace de pago está agotado',
    sentences: [
      'Admitía un número limitado de pagos, y ya se han hecho todos.',
      'Si quiere pagar, pida a la tienda un enlace nuevo.',
    ],
  },
  beingPaid: {
    heading: 'Este enlace de pago se está pagando',
    sentences: [
      'Se ha enviado un pago y la red lo está confirmando. No pague por segunda vez.',
      '¿No ha sido usted? Vuelva dentro de media hora: si ese pago falla, podrá pagar aquí.',
    ],
  },
  expired: {
    heading: 'Este enlace de pago ha caducado',
    sentences: ['El plazo para pagarlo ha terminado. Pida a la tienda un enlace nuevo.'],
  },
  closed: {
    heading: 'La tienda ha cerrado este enlace de pago',
    sentences: ['Ya no se puede pagar. Pida a la tienda un enlace nuevo.'],
  },
  unaffected: 'Un pago que ya haya abierto o enviado no se ve afectado.',
};

export const FRENCH_REJECTED_LINK: RejectedLinkTexts = {
  paid: {
    heading: 'Déjà payé',
    sentences: [
      'Ce lien de paiement a été payé, et plus rien n’est dû.',
      'Si vous voulez tout de même payer, demandez un nouveau lien à la boutique.',
    ],
  },
  usedUp: {
    heading: 'Ce lien de paiement est épuisé',
    sentences: [
      'Il était prévu pour un nombre limité de paiements, et tous ont été faits.',
      'Si vous voulez payer, demandez un nouveau lien à la boutique.',
    ],
  },
  beingPaid: {
    heading: 'Ce lien de paiement est en train d’être payé',
    sentences: [
      'Un paiement a été envoyé, et le réseau est en train de le confirmer. Veuillez ne pas payer une seconde fois.',
      'Ce n’était pas vous\u00a0? Revenez dans une demi-heure\u00a0: si ce paiement échoue, vous pourrez payer ici.',
    ],
  },
  expired: {
    heading: 'Ce lien de paiement a expiré',
    sentences: ['Le délai pour le payer est écoulé. Demandez un nouveau lien à la boutique.'],
  },
  closed: {
    heading: 'La boutique a fermé ce lien de paiement',
    sentences: ['Il ne peut plus être payé. Demandez un nouveau lien à la boutique.'],
  },
  unaffected: 'Un paiement que vous avez déjà ouvert ou envoyé n’est pas concerné.',
};

export const ITALIAN_REJECTED_LINK: RejectedLinkTexts = {
  paid: {
    heading: 'Già pagato',
    sentences: [
      'Questo link di pagamento è stato pagato, e non è dovuto altro.',
      'Se vuole comunque pagare, chieda al negozio un nuovo link.',
    ],
  },
  usedUp: {
    heading: 'Questo link di pagamento è esaurito',
    sentences: [
      'Era per un numero limitato di pagamenti, e sono stati fatti tutti.',
      'Se vuole pagare, chieda al negozio un nuovo link.',
    ],
  },
  beingPaid: {
    heading: 'Questo link è in corso di pagamento',
    sentences: [
      'È stato inviato un pagamento, e la rete lo sta confermando. Non paghi una seconda volta.',
      'Non è stato Lei? Torni tra mezz’ora: se quel pagamento non riesce, potrà pagare qui.',
    ],
  },
  expired: {
    heading: 'Questo link di pagamento è scaduto',
    sentences: ['Il tempo per pagarlo è finito. Chieda al negozio un nuovo link.'],
  },
  closed: {
    heading: 'Il negozio ha chiuso questo link di pagamento',
    sentences: ['Non può più essere pagato. Chieda al negozio un nuovo link.'],
  },
  unaffected: 'Un pagamento che ha già aperto o inviato non ne risente.',
};

export const POLISH_REJECTED_LINK: RejectedLinkTexts = {
  paid: {
    heading: 'Już zapłacono',
    sentences: [
      'Ten link do płatności został już opłacony i nic więcej nie trzeba płacić.',
      'Jeśli mimo to chcesz zapłacić, poproś sklep o nowy link.',
    ],
  },
  usedUp: {
    heading: 'Ten link do płatności został wykorzystany',
    sentences: [
      'Był przeznaczony na ograniczoną liczbę płatności i wszystkie zostały już wykonane.',
      'Jeśli chcesz zapłacić, poproś sklep o nowy link.',
    ],
  },
  beingPaid: {
    heading: 'Ten link jest właśnie opłacany',
    sentences: [
      'Płatność została wysłana i sieć ją teraz potwierdza. Nie płać po raz drugi.',
      'To nie Ty? Wróć za pół godziny: jeśli tamta płatność się nie powiedzie, możesz zapłacić tutaj.',
    ],
  },
  expired: {
    heading: 'Ten link do płatności wygasł',
    sentences: ['Czas na zapłatę minął. Poproś sklep o nowy link.'],
  },
  closed: {
    heading: 'Sklep zamknął ten link do płatności',
    sentences: ['Nie można już nim zapłacić. Poproś sklep o nowy link.'],
  },
  unaffected: 'Nie dotyczy to płatności już otwartej lub wysłanej.',
};

export const PORTUGUESE_REJECTED_LINK: RejectedLinkTexts = {
  paid: {
    heading: 'Já está pago',
    sentences: [
      'Este link de pagamento já foi pago, e nada mais é devido.',
      'Se ainda assim quiser pagar, peça à loja um novo link.',
    ],
  },
  usedUp: {
    heading: 'Este link de pagamento está esgotado',
    sentences: [
      'Ele aceitava um número limitado de pagamentos, e todos já foram feitos.',
      'Se quiser pagar, peça à loja um novo link.',
    ],
  },
  beingPaid: {
    heading: 'Este link está sendo pago',
    sentences: [
      'Um pagamento foi enviado e está sendo confirmado pela rede. Não pague uma segunda vez.',
      'Não foi você? Volte em meia hora: se aquele pagamento falhar, você poderá pagar aqui.',
    ],
  },
  expired: {
    heading: 'Este link de pagamento expirou',
    sentences: ['O prazo para pagá-lo acabou. Peça à loja um novo link.'],
  },
  closed: {
    heading: 'A loja encerrou este link de pagamento',
    sentences: ['Ele não pode mais ser pago. Peça à loja um novo link.'],
  },
  unaffected: 'Um pagamento que você já abriu ou enviou não é afetado.',
};
