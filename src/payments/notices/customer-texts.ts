import type { CustomerLanguage } from '../../merchants/index.ts';

/** The emails to customers in one language. Parameters are single lines of plain text. */
export interface CustomerTexts {
  readonly greeting: string;
  readonly receipt: CustomerEmailTexts;
  readonly late: CustomerEmailTexts;
  readonly confirmedLate: CustomerEmailTexts;
  readonly mixedLate: CustomerEmailTexts;
  readonly names: {
    readonly shop: string;
    readonly order: string;
    readonly price: string;
    readonly arrived: string;
    readonly payment: string;
    /** Where customers get help from the shop. */
    readonly support: string;
  };
  why(shop: string): string;
}

export interface CustomerEmailTexts {
  subject(shop: string): string;
  readonly opening: string;
  /** The action that opens the page of the payment. */
  readonly open: string;
}

/** All languages that customers can get emails in. */
export const CUSTOMER_TEXTS: { readonly [L in CustomerLanguage]: CustomerTexts } = {
  en: {
    greeting: 'Hello,',
    receipt: {
      subject: (shop) => `Receipt for your payment to ${shop}`,
      opening: 'Your payment is complete. Thank you.',
      open: 'Open the receipt',
    },
    late: {
      subject: (shop) => `Your payment to ${shop} arrived late`,
      opening:
        'Your coins arrived after the payment window closed. The shop decides whether the payment counts. You do not have to do anything; please do not pay again.',
      open: 'Open the payment',
    },
    confirmedLate: {
      subject: (shop) => `Your payment to ${shop} was confirmed late`,
      opening:
        'Your coins arrived in time, but the network confirmed them only after the payment had failed. The shop decides whether the payment counts. You do not have to do anything; please do not pay again.',
      open: 'Open the payment',
    },
    mixedLate: {
      subject: (shop) => `Your payment to ${shop} was late`,
      opening:
        'Some of your coins arrived after the payment window closed. The others arrived in time, but the network confirmed them only after the payment had failed. The shop decides whether the payment counts. You do not have to do anything; please do not pay again.',
      open: 'Open the payment',
    },
    names: {
      shop: 'Shop',
      order: 'Order',
      price: 'Price',
      arrived: 'Arrived',
      payment: 'Payment number',
      support: 'Help',
    },
    why: (shop) => `You received this email because your address was entered for this payment to ${shop}.`,
  },
  pl: {
    greeting: 'Dzień dobry,',
    receipt: {
      subject: (shop) => `Potwierdzenie płatności dla ${shop}`,
      opening: 'Płatność została zakończona. Dziękujemy.',
      open: 'Otwórz potwierdzenie',
    },
    late: {
      subject: (shop) => `Płatność dla ${shop} dotarła za późno`,
      opening:
        'Środki dotarły po upływie czasu na płatność. Sklep zdecyduje, czy uzna płatność. Nie trzeba nic robić; prosimy nie płacić ponownie.',
      open: 'Otwórz płatność',
    },
    confirmedLate: {
      subject: (shop) => `Płatność dla ${shop} została potwierdzona za późno`,
      opening:
        'Środki dotarły na czas, ale sieć potwierdziła je dopiero po zamknięciu płatności. Sklep zdecyduje, czy uzna płatność. Nie trzeba nic robić; prosimy nie płacić ponownie.',
      open: 'Otwórz płatność',
    },
    mixedLate: {
      subject: (shop) => `Płatność dla ${shop} była spóźniona`,
      opening:
        'Część środków dotarła po upływie czasu na płatność. Pozostałe dotarły na czas, ale sieć potwierdziła je dopiero po zamknięciu płatności. Sklep zdecyduje, czy uzna płatność. Nie trzeba nic robić; prosimy nie płacić ponownie.',
      open: 'Otwórz płatność',
    },
    names: {
      shop: 'Sklep',
      order: 'Zamówienie',
      price: 'Cena',
      arrived: 'Otrzymano',
      payment: 'Numer płatności',
      support: 'Pomoc',
    },
    why: (shop) => `Otrzymujesz tę wiadomość, ponieważ przy tej płatności dla ${shop} podano Twój adres.`,
  },
  de: {
    greeting: 'Guten Tag,',
    receipt: {
      subject: (shop) => `Beleg für Ihre Zahlung an ${shop}`,
      opening: 'Ihre Zahlung ist abgeschlossen. Vielen Dank.',
      open: 'Beleg öffnen',
    },
    late: {
      subject: (shop) => `Ihre Zahlung an ${shop} ist verspätet eingegangen`,
      opening:
        'Ihre Zahlung ist eingegangen, als die Zahlungsfrist schon abgelaufen war. Der Shop entscheidet, ob sie gilt. Sie müssen nichts tun; bitte zahlen Sie nicht noch einmal.',
      open: 'Zahlung öffnen',
    },
    confirmedLate: {
      subject: (shop) => `Ihre Zahlung an ${shop} wurde spät bestätigt`,
      opening:
        'Ihre Zahlung kam rechtzeitig an, wurde vom Netzwerk aber erst bestätigt, als sie schon aufgegeben war. Der Shop entscheidet, ob sie gilt. Sie müssen nichts tun; bitte zahlen Sie nicht noch einmal.',
      open: 'Zahlung öffnen',
    },
    mixedLate: {
      subject: (shop) => `Ihre Zahlung an ${shop} war verspätet`,
      opening:
        'Ein Teil Ihrer Zahlung ist eingegangen, als die Zahlungsfrist schon abgelaufen war. Der Rest kam rechtzeitig an, wurde vom Netzwerk aber erst bestätigt, als die Zahlung schon aufgegeben war. Der Shop entscheidet, ob sie gilt. Sie müssen nichts tun; bitte zahlen Sie nicht noch einmal.',
      open: 'Zahlung öffnen',
    },
    names: {
      shop: 'Shop',
      order: 'Bestellung',
      price: 'Preis',
      arrived: 'Eingegangen',
      payment: 'Zahlungsnummer',
      support: 'Hilfe',
    },
    why: (shop) => `Sie erhalten diese E-Mail, weil Ihre Adresse bei dieser Zahlung an ${shop} angegeben wurde.`,
  },
  fr: {
    greeting: 'Bonjour,',
    receipt: {
      subject: (shop) => `Reçu de votre paiement à ${shop}`,
      opening: 'Votre paiement est terminé. Merci.',
      open: 'Ouvrir le reçu',
    },
    late: {
      subject: (shop) => `Votre paiement à ${shop} est arrivé en retard`,
      opening:
        'Votre paiement est arrivé après la fin du délai. La boutique décide si elle l’accepte. Vous n’avez rien à faire ; ne payez pas une seconde fois.',
      open: 'Ouvrir le paiement',
    },
    confirmedLate: {
      subject: (shop) => `Votre paiement à ${shop} a été confirmé en retard`,
      opening:
        'Votre paiement est arrivé à temps, mais le réseau ne l’a confirmé qu’après son abandon. La boutique décide si elle l’accepte. Vous n’avez rien à faire ; ne payez pas une seconde fois.',
      open: 'Ouvrir le paiement',
    },
    mixedLate: {
      subject: (shop) => `Votre paiement à ${shop} était en retard`,
      opening:
        'Une partie de votre paiement est arrivée après la fin du délai. Le reste est arrivé à temps, mais le réseau ne l’a confirmé qu’après l’abandon du paiement. La boutique décide si elle l’accepte. Vous n’avez rien à faire ; ne payez pas une seconde fois.',
      open: 'Ouvrir le paiement',
    },
    names: {
      shop: 'Boutique',
      order: 'Commande',
      price: 'Prix',
      arrived: 'Reçu',
      payment: 'Numéro de paiement',
      support: 'Aide',
    },
    why: (shop) => `Vous recevez ce message parce que votre adresse a été indiquée pour ce paiement à ${shop}.`,
  },
  es: {
    greeting: 'Hola:',
    receipt: {
      subject: (shop) => `Recibo de su pago a ${shop}`,
      opening: 'Su pago se ha completado. Gracias.',
      open: 'Abrir el recibo',
    },
    late: {
      subject: (shop) => `Su pago a ${shop} llegó tarde`,
      opening:
        'Su pago llegó después de que terminara el plazo. La tienda decide si lo acepta. No tiene que hacer nada; no vuelva a pagar.',
      open: 'Abrir el pago',
    },
    confirmedLate: {
      subject: (shop) => `Su pago a ${shop} se confirmó tarde`,
      opening:
        'Su pago llegó a tiempo, pero la red lo confirmó cuando ya se había dado por perdido. La tienda decide si lo acepta. No tiene que hacer nada; no vuelva a pagar.',
      open: 'Abrir el pago',
    },
    mixedLate: {
      subject: (shop) => `Su pago a ${shop} se retrasó`,
      opening:
        'Una parte de su pago llegó después de que terminara el plazo. El resto llegó a tiempo, pero la red lo confirmó cuando el pago ya se había dado por perdido. La tienda decide si lo acepta. No tiene que hacer nada; no vuelva a pagar.',
      open: 'Abrir el pago',
    },
    names: {
      shop: 'Tienda',
      order: 'Pedido',
      price: 'Precio',
      arrived: 'Recibido',
      payment: 'Número de pago',
      support: 'Ayuda',
    },
    why: (shop) => `Recibe este mensaje porque se indicó su dirección para este pago a ${shop}.`,
  },
  it: {
    greeting: 'Buongiorno,',
    receipt: {
      subject: (shop) => `Ricevuta del pagamento a ${shop}`,
      opening: 'Il pagamento è completato. Grazie.',
      open: 'Apri la ricevuta',
    },
    late: {
      subject: (shop) => `Il pagamento a ${shop} è arrivato in ritardo`,
      opening:
        'Il pagamento è arrivato dopo la scadenza del tempo. Il negozio decide se accettarlo. Non deve fare nulla; non paghi di nuovo.',
      open: 'Apri il pagamento',
    },
    confirmedLate: {
      subject: (shop) => `Il pagamento a ${shop} è stato confermato in ritardo`,
      opening:
        'Il pagamento è arrivato in tempo, ma la rete lo ha confermato quando era già stato chiuso. Il negozio decide se accettarlo. Non deve fare nulla; non paghi di nuovo.',
      open: 'Apri il pagamento',
    },
    mixedLate: {
      subject: (shop) => `Il pagamento a ${shop} era in ritardo`,
      opening:
        'Una parte del pagamento è arrivata dopo la scadenza del tempo. Il resto è arrivato in tempo, ma la rete lo ha confermato quando il pagamento era già stato chiuso. Il negozio decide se accettarlo. Non deve fare nulla; non paghi di nuovo.',
      open: 'Apri il pagamento',
    },
    names: {
      shop: 'Negozio',
      order: 'Ordine',
      price: 'Prezzo',
      arrived: 'Ricevuto',
      payment: 'Numero del pagamento',
      support: 'Assistenza',
    },
    why: (shop) => `Riceve questo messaggio perché il Suo indirizzo è stato indicato per questo pagamento a ${shop}.`,
  },
  pt: {
    greeting: 'Olá,',
    receipt: {
      subject: (shop) => `Recibo do seu pagamento para ${shop}`,
      opening: 'Seu pagamento foi concluído. Obrigado.',
      open: 'Abrir o recibo',
    },
    late: {
      subject: (shop) => `Seu pagamento para ${shop} chegou com atraso`,
      opening:
        'Seu pagamento chegou depois do fim do prazo. A loja decide se o aceita. Você não precisa fazer nada; não pague de novo.',
      open: 'Abrir o pagamento',
    },
    confirmedLate: {
      subject: (shop) => `Seu pagamento para ${shop} foi confirmado com atraso`,
      opening:
        'Seu pagamento chegou a tempo, mas a rede só o confirmou depois que ele já tinha falhado. A loja decide se o aceita. Você não precisa fazer nada; não pague de novo.',
      open: 'Abrir o pagamento',
    },
    mixedLate: {
      subject: (shop) => `Seu pagamento para ${shop} atrasou`,
      opening:
        'Uma parte do seu pagamento chegou depois do fim do prazo. O resto chegou a tempo, mas a rede só o confirmou depois que o pagamento já tinha falhado. A loja decide se o aceita. Você não precisa fazer nada; não pague de novo.',
      open: 'Abrir o pagamento',
    },
    names: {
      shop: 'Loja',
      order: 'Pedido',
      price: 'Preço',
      arrived: 'Recebido',
      payment: 'Número do pagamento',
      support: 'Ajuda',
    },
    why: (shop) => `Você recebeu esta mensagem porque seu endereço foi informado para este pagamento para ${shop}.`,
  },
};
