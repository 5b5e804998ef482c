import type { Texts } from './en.ts';
import { ITALIAN_LINKS } from './link-texts.ts';
import { ITALIAN_RECEIPT } from './receipt-texts.ts';
import { ITALIAN_RECURRING } from './recurring/it.ts';
import { ITALIAN_REJECTED_LINK } from './rejected-link-texts.ts';

export const ITALIAN: Texts = {
  language: 'Lingua',
  banner: { strong: 'Pagamento di prova', rest: 'niente denaro reale' },
  connectionLost: 'Connessione interrotta. Nuovo tentativo in corso…',
  otherCoin: 'Scegli un’altra moneta',
  backToShop: 'Torna al negozio',
  newQuote: 'Ottieni un nuovo prezzo',
  print: 'Stampa la ricevuta',
  support: 'Domande? Contatti il negozio:',
  contact: {
    heading: 'Contattare il negozio',
    unknown: 'Cerchi i recapiti sul sito del negozio o nelle sue e-mail.',
    quote: 'Quando scrive al negozio, indichi questo numero di pagamento.',
    refund: (coin, network) =>
      `Per un rimborso, aggiunga un indirizzo del Suo portafoglio per ${coin} su ${network}. Il rimborso lo fa il negozio; nulla viene restituito automaticamente.`,
  },
  copy: {
    button: 'Copia',
    done: 'Copiato',
    amount: 'Copia l’importo',
    address: 'Copia l’indirizzo',
    transactionId: 'Copia l’identificativo della transazione',
    paymentNumber: 'Copia il numero di pagamento',
  },
  timer: { left: 'Tempo rimasto', warning: 'Restano meno di cinque minuti per pagare' },
  pay: {
    amount: 'Importo',
    stillToPay: 'Ancora da pagare',
    address: 'Indirizzo',
    code: 'Codice QR',
    fullCode: 'Indirizzo e importo',
    addressCode: 'Solo l’indirizzo',
    fullCodeLabel: (amount) => `Codice QR con l’indirizzo e l’importo di ${amount}`,
    addressCodeLabel: (address) => `Codice QR con l’indirizzo ${address}`,
    amountNotInCode: (amount) => `L’importo non è in questo codice: inserisca Lei ${amount}.`,
    openWallet: 'Apri il portafoglio',
    exchangeFee: (amount) =>
      `Invia da un exchange? La sua commissione si aggiunge: qui devono arrivare esattamente ${amount}.`,
  },
  network: {
    only: (coin, network) => `Solo ${coin} su ${network}.`,
    lost: 'Ciò che viene inviato su un’altra rete va perso.',
    kinds: { mainnet: null, testnet: 'rete di prova', regtest: 'rete di prova privata' },
  },
  screens: {
    arrived: ({ paid, due }) => `Sono arrivati ${paid} su ${due}.`,
    replaced: 'Una transazione precedente è stata sostituita da un’altra e non conta più.',
    gone: (amount) =>
      `Un pagamento di ${amount} era stato visto, ma non è più sulla rete. Controlli il Suo portafoglio prima di pagare di nuovo.`,
    waiting: (price, coin) => ({
      heading: `Pagare ${price}`,
      sentences: [
        `Invii esattamente l’importo in ${coin} indicato sotto: inquadri il codice con l’app del Suo portafoglio, oppure vi copi importo e indirizzo.`,
      ],
    }),
    partial: {
      heading: (missing) => `Mancano ancora ${missing}`,
      sendRest: (missing) => `Invii esattamente altri ${missing} allo stesso indirizzo.`,
    },
    checking: {
      heading: 'Controllo della rete',
      cannotSee: (chain) => `Al momento non vediamo i nuovi pagamenti sulla rete ${chain}.`,
      youCanStillPay:
        'Può ancora pagare: ciò che invia in tempo sarà trovato e conterà. Non paghi due volte; questa pagina si aggiorna da sola.',
      windowIsOver: [
        'Il tempo per pagare è finito. Controlliamo un’ultima volta se il Suo pagamento è arrivato.',
        'Se ha pagato in tempo, il Suo pagamento conta. Ora non invii nulla.',
      ],
    },
    seen: (paid) => ({
      heading: 'Il pagamento è in arrivo',
      sentences: [
        `${paid} sono stati visti e la rete li sta confermando. Può lasciare questa pagina: il negozio viene avvisato automaticamente.`,
      ],
    }),
    blind: 'Al momento non vediamo le ultime conferme. Nulla va perso; questa pagina si aggiornerà da sola.',
    completed: {
      heading: 'Pagato',
      confirmed: (paid) => `${paid} confermati. Grazie.`,
      acceptedByShop: 'Il negozio ha accettato questo pagamento.',
      tooMuch: (excess) => `Sono arrivati ${excess} in più del dovuto. Contatti il negozio per riaverli.`,
      tooMuchSettled: (excess) =>
        `Sono arrivati ${excess} in più del dovuto. Il negozio ha segnato la questione come risolta.`,
    },
    lostHeading: {
      all: 'Questo pagamento non è più sulla rete',
      part: 'Una parte di questo pagamento non è più sulla rete',
    },
    lost: 'Il negozio non ha queste monete. Guardi nel Suo portafoglio se sono tornate, e contatti il negozio.',
    lostSettled: 'Il negozio ha già risolto la questione.',
    lostUnpaid:
      'Se il Suo portafoglio mostra il pagamento come cancellato o sostituito, contatti il negozio prima di pagare di nuovo.',
    mayReturn: {
      lost: 'Se le monete arrivano di nuovo, questa pagina lo mostrerà.',
      lostUnpaid:
        'Le monete erano state viste, ma non sono più visibili sulla rete. Possono tornare; questa pagina si aggiorna automaticamente.',
      failedGone: 'Se le monete arrivassero comunque, saranno trovate e il negozio sarà avvisato.',
    },
    expired: {
      heading: 'Questo pagamento è scaduto',
      sentences: [
        'Ora non invii nulla: il prezzo non è più valido.',
        'Ha già inviato? Il Suo pagamento sarà trovato e il negozio sarà avvisato.',
      ],
      paid: ['Non invii altro.', 'Chieda al negozio che cosa succede con ciò che è arrivato.'],
      paidDismissed: [
        'Il negozio non ha accettato il pagamento in ritardo. Non invii altro.',
        'Chieda al negozio che cosa succede con ciò che è arrivato.',
      ],
      paidSettled: ['Non invii altro.', 'Il negozio ha segnato ciò che è arrivato come risolto.'],
    },
    late: (paid) => ({
      heading: 'Il Suo pagamento è arrivato in ritardo',
      sentences: [
        `${paid} sono arrivati dopo la fine del tempo per pagare. Il negozio è stato avvisato e decide se accettare il pagamento o rimborsarlo.`,
        'Non invii altro.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'Il Suo pagamento è stato confermato in ritardo',
      sentences: [
        `${paid} sono arrivati in tempo, ma la rete li ha confermati quando il pagamento era già considerato non riuscito. Il negozio è stato avvisato e decide se accettare il pagamento o rimborsarlo.`,
        'Non invii altro.',
      ],
    }),
    mixedLate: (paid) => ({
      heading: 'Il Suo pagamento era in ritardo',
      sentences: [
        `Una parte di ${paid} è arrivata dopo la fine del tempo per pagare. Il resto è arrivato in tempo, ma la rete lo ha confermato quando il pagamento era già considerato non riuscito. Il negozio è stato avvisato e decide se accettare il pagamento o rimborsarlo.`,
        'Non invii altro.',
      ],
    }),
    reviewing: {
      heading: 'Il negozio sta controllando questo pagamento',
      sentences: [
        'All’indirizzo di pagamento c’è stato un movimento che non corrisponde a un pagamento noto. Il negozio è stato invitato a verificarlo.',
        'Nel frattempo il tempo è fermo. Non invii altro.',
      ],
    },
    failed: {
      heading: 'Questo pagamento non è riuscito',
      sentences: [
        'La rete non ha confermato il pagamento in tempo. Contatti il negozio prima di pagare di nuovo.',
        'Se sarà comunque confermato, il negozio sarà avvisato.',
      ],
    },
    failedGone: {
      heading: 'Questo pagamento non è riuscito',
      sentences: [
        'Le monete di questo pagamento non sono più sulla rete. Contatti il negozio prima di pagare di nuovo.',
      ],
    },
    failedLater: {
      heading: 'Questo pagamento non è riuscito',
      sentences: [
        'Le monete inviate in tempo non sono più sulla rete. Contatti il negozio prima di pagare di nuovo.',
        'Le monete arrivate dopo non valgono come pagamento.',
      ],
    },
    failedRejected: {
      heading: 'Questo pagamento non è riuscito',
      sentences: ['Il negozio ha rifiutato questo pagamento. Contatti il negozio prima di pagare di nuovo.'],
    },
  },
  countOf: (count, total) => `${count} di ${total}`,
  confirmations: { one: 'conferma', many: 'conferme', other: 'conferme' },
  labels: {
    heading: 'Dettagli',
    order: 'Ordine',
    price: 'Prezzo',
    amountDue: 'Importo dovuto',
    rate: 'Cambio bloccato',
    paidSoFar: 'Pagato finora',
    paid: 'Pagato',
    received: 'Ricevuto',
    receivedUnconfirmed: 'Ricevuto, non confermato',
    stillDue: 'Ancora dovuto',
    paidTooMuch: 'Pagato in più',
    network: 'Rete',
    confirmations: 'Conferme',
    created: 'Creato',
    payUntil: 'Da pagare entro',
    wasOpenUntil: 'Aperto fino al',
    completed: 'Completato',
    paymentNumber: 'Numero di pagamento',
  },
  paymentsHeading: 'Pagamenti',
  explorer: (name) => `Vedi su ${name}`,
  statuses: {
    detected: 'visto, non ancora confermato',
    confirming: 'in corso di conferma',
    confirmed: 'confermato',
    replaced: 'sostituito, non conta',
    gone: 'non più presente nella rete',
  },
  simulate: {
    heading: 'Simula',
    note: 'Solo i pagamenti di prova hanno questi pulsanti.',
    actions: {
      pay: 'Paga il dovuto',
      pay_partial: 'Paga una parte',
      overpay: 'Paga troppo',
      confirm: 'Conferma',
      double_spend: 'Spendi due volte',
      reorg: 'Riorganizza la catena',
      advance_clock: 'Fai scadere il tempo',
      pay_late: 'Paga in ritardo',
      drop_balance: 'Riduci il saldo',
    },
  },
  problems: {
    notFound: {
      heading: 'Questo pagamento non esiste',
      sentences: ['Controlli che il link sia completo, o apra di nuovo il pagamento dal negozio.'],
    },
    unavailable: {
      heading: 'Momentaneamente non disponibile',
      sentences: [
        'Al momento questa pagina non può essere mostrata. I pagamenti non ne risentono. Riprovi tra un momento.',
      ],
    },
    broken: {
      heading: 'Qualcosa è andato storto',
      sentences: ['È colpa nostra, non Sua, e i pagamenti non ne risentono. Riprovi tra un momento.'],
    },
    notNow: {
      heading: 'Non è possibile',
      sentences: ['Lo stato attuale del pagamento non lo consente. Torni indietro per vedere la situazione.'],
    },
    notUnderstood: {
      heading: 'Non è possibile',
      sentences: ['Non è stato possibile leggere ciò che è stato inviato. Torni indietro e riprovi.'],
    },
    backToPayment: 'Torna al pagamento',
  },
  payProblems: {
    amount: {
      heading: 'Questo importo non può essere pagato',
      sentences: ['Non ha pagato nulla. Torni indietro e scelga un altro importo.'],
    },
    coin: {
      heading: 'Qui non si può pagare con questa moneta',
      sentences: ['Non ha pagato nulla. Torni indietro e scelga un’altra moneta.'],
    },
    paymentOpen: {
      heading: 'Ha un altro pagamento aperto',
      sentences: ['Prima lo concluda, oppure torni quando il suo tempo sarà finito.'],
    },
    tooMany: {
      heading: 'Troppe richieste',
      sentences: ['Dalla Sua connessione a internet sono arrivate troppe richieste. Attenda un momento.'],
    },
    tooManyOpen: {
      heading: 'Questo negozio ha troppi pagamenti aperti',
      sentences: [
        'Non ha pagato nulla. Troppi pagamenti a questo negozio attendono di essere pagati. Riprovi più tardi, quando alcuni saranno pagati o scaduti.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Dalla Sua connessione a internet sono aperti troppi pagamenti',
      sentences: [
        'Non ha pagato nulla. Concluda un pagamento aperto, o torni quando alcuni saranno scaduti. Se condivide la connessione con altri, ne provi un’altra, come i dati mobili.',
      ],
    },
    unavailable: {
      heading: 'Momentaneamente non disponibile',
      sentences: ['Al momento la pagina di pagamento non può essere aperta. Non ha pagato nulla.'],
    },
    shopCannot: {
      heading: 'Al momento questo negozio non può accettare pagamenti',
      sentences: [
        'Non ha pagato nulla, e qui non c’è nulla da pagare.',
        'Contatti il negozio, o scelga un altro modo di pagare.',
      ],
    },
    wrongAddress: {
      heading: 'Questa pagina di pagamento non può essere aperta',
      sentences: [
        'Il link che ha portato qui non è corretto. Non ha pagato nulla. Torni indietro e avvisi il negozio.',
      ],
    },
    triesAgain: 'Questa pagina riprova da sola.',
    goToOpenPayment: 'Vai al pagamento aperto',
    forShop: { heading: 'Per il negozio', code: 'Codice di errore', request: 'Richiesta' },
  },
  recurring: ITALIAN_RECURRING,
  links: ITALIAN_LINKS,
  rejectedLink: ITALIAN_REJECTED_LINK,
  receipt: ITALIAN_RECEIPT,
};
