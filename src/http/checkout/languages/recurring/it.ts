import type { RecurringTexts } from './en.ts';

export const ITALIAN_RECURRING: RecurringTexts = {
  banner: { strong: 'Prova', rest: 'non si chiede denaro reale' },
  back: 'Indietro',
  nextHeading: 'Che cosa succede dopo',
  labels: {
    description: 'Causale',
    often: 'Frequenza',
    amount: 'Importo',
    start: 'Inizio',
    next: 'Prossima richiesta',
    count: 'Numero di pagamenti',
    period: 'Pagamento',
    due: 'Scadenza',
    wasDue: 'Era in scadenza',
  },
  often: { weekly: 'ogni settimana', monthly: 'ogni mese', quarterly: 'ogni tre mesi', yearly: 'ogni anno' },
  startsAtOnce: 'Non appena accetta',
  untilEnded: 'Finché Lei o il negozio non vi mette fine',
  confirm: {
    ask: (often) => ({
      heading: 'Accetta queste richieste?',
      sentences: [`Questo negozio vorrebbe chiederLe un pagamento ${often}. Senza il Suo consenso non succede nulla.`],
    }),
    firstAtOnce: 'Riceverà la prima richiesta per e-mail non appena accetta, e un’altra a ogni scadenza di pagamento.',
    firstOnItsDay: 'Riceverà una richiesta per e-mail a ogni scadenza di pagamento.',
    after: [
      'Dal Suo portafoglio non viene mai prelevato nulla: ogni pagamento lo fa Lei.',
      'Un link in ogni e-mail mette fine alle richieste, quando vuole.',
    ],
    button: 'Accetta queste richieste',
    otherwise: 'Non se lo aspettava? Allora non faccia nulla: senza il Suo consenso non si chiede alcun pagamento.',
  },
  stop: {
    ask: {
      heading: 'Fermare queste richieste?',
      sentences: ['Può mettervi fine in qualsiasi momento, senza darne il motivo.'],
    },
    decline: {
      heading: 'Fermare queste richieste?',
      sentences: ['Non le ha accettate. Le fermi, e non riceverà altre e-mail a riguardo.'],
    },
    meaningHeading: 'Che cosa significa fermarle',
    meaning: [
      'Non viene più chiesto nulla, e non arrivano promemoria.',
      'Un pagamento che ha già inviato conta comunque.',
      'Questo mette fine alle richieste, non a ciò che può aver concordato con il negozio. Avvisi anche il negozio.',
    ],
    button: 'Ferma queste richieste',
  },
  pay: {
    due: (amount) => ({
      heading: `Pagare ${amount}`,
      sentences: ['Le monete le invia Lei: dal Suo portafoglio non viene prelevato nulla.'],
    }),
    late: (amount) => ({
      heading: `Pagare ${amount}`,
      sentences: ['Questo pagamento è in ritardo, ma può ancora farlo.'],
    }),
    open: (amount) => ({
      heading: `Pagare ${amount}`,
      sentences: ['Ha già aperto questo pagamento, e il suo prezzo in monete resta fissato per un po’ di tempo.'],
    }),
    inProgress: {
      heading: 'Il Suo pagamento è in arrivo',
      sentences: ['Sono già state viste monete per questo pagamento. Lo controlli prima di inviare altro.'],
    },
    paid: { heading: 'Pagato. Grazie', sentences: ['Questo pagamento è completo; non c’è altro da fare.'] },
    nothingToPay: 'Qui non c’è più nulla da pagare. Un pagamento che ha già inviato conta comunque.',
    choose: 'Con quale moneta vuole pagare?',
    fixed: 'L’importo in monete viene calcolato nel passo successivo.',
    goToPay: 'Continua al pagamento',
    now: 'Paga ora',
    payWith: (coin) => `Paga con ${coin}`,
    continuePayment: 'Continua il pagamento',
    another: 'Paga con un’altra moneta',
    viewPayment: 'Vedi il pagamento',
    receipt: 'Vedi la ricevuta',
    token: (crypto, network) => `${crypto} su ${network}`,
  },
  statuses: {
    active: { heading: 'Confermato', sentences: ['Ha accettato queste richieste.'] },
    paused: {
      heading: 'In pausa da parte del negozio',
      sentences: ['Ha accettato queste richieste. Non viene chiesto nulla di nuovo finché il negozio non le riprende.'],
    },
    cancelled: { heading: 'Il negozio ha messo fine a queste richieste', sentences: ['Non viene più chiesto nulla.'] },
    stopped_by_customer: {
      heading: 'Queste richieste sono ferme',
      sentences: [
        'Non viene più chiesto nulla. Un pagamento che ha già inviato conta comunque.',
        'Ha cambiato idea? Chieda al negozio una nuova richiesta.',
      ],
    },
    bounced: {
      heading: 'Queste richieste sono finite',
      sentences: [
        'Non è stato possibile consegnarLe le e-mail, perciò non viene più chiesto nulla.',
        'Vuole che continuino? Dia al negozio un indirizzo che funzioni.',
      ],
    },
    expired_unconfirmed: {
      heading: 'Il tempo per accettare è finito',
      sentences: ['Non verrà chiesto nulla. Vuole comunque queste richieste? Chieda al negozio di inviarne una nuova.'],
    },
  },
  finished: {
    heading: 'Queste richieste sono complete',
    sentences: ['L’ultimo pagamento è stato chiesto. Non ne arriveranno altri.'],
  },
  following: {
    none: 'L’ultima richiesta Le è stata inviata per e-mail.',
    first: (day) => `La prima richiesta arriva per e-mail in questa data: ${day}.`,
    next: (day) => `La prossima richiesta arriva per e-mail in questa data: ${day}.`,
    firstIsDue: 'Il Suo primo pagamento è dovuto ora. Le abbiamo inviato il link per e-mail.',
    isDue: 'Un pagamento è dovuto ora. Le abbiamo inviato il link per e-mail.',
  },
  problems: {
    noSuchLink: {
      heading: 'Questo link non esiste',
      sentences: [
        'Controlli che l’indirizzo sia completo: alcuni programmi di posta spezzano quelli lunghi. Altrimenti apra di nuovo il link dall’e-mail, o chieda al negozio.',
      ],
    },
    unavailable: {
      heading: 'Momentaneamente non disponibile',
      sentences: ['Al momento non è possibile, e non è stato cambiato nulla. Riprovi tra poco.'],
    },
    triesAgain: 'Questa pagina riprova da sola.',
    broken: {
      heading: 'Qualcosa è andato storto',
      sentences: ['È colpa nostra, non Sua. Riprovi tra un momento.'],
    },
    notNow: {
      heading: 'Non è più possibile',
      sentences: ['Nel frattempo qualcosa è cambiato. Torni indietro per vedere la situazione.'],
    },
    chooseCoin: {
      heading: 'Scelga un’altra moneta',
      sentences: [
        'Questo pagamento non può essere fatto con questa moneta. Torni indietro e ne scelga una tra quelle offerte.',
      ],
    },
    shopCannot: {
      heading: 'Al momento questo negozio non può accettare pagamenti',
      sentences: [
        'Non è stato possibile aprire alcun pagamento. Contatti il negozio, o torni più tardi: il link resta valido.',
      ],
    },
    notUnderstood: {
      heading: 'Non è possibile',
      sentences: ['La richiesta non è stata capita. Apra di nuovo il link dall’e-mail.'],
    },
  },
};
