import type { RecurringTexts } from './en.ts';

export const GERMAN_RECURRING: RecurringTexts = {
  banner: { strong: 'Test', rest: 'kein echtes Geld' },
  back: 'Zurück',
  nextHeading: 'Wie es weitergeht',
  labels: {
    description: 'Wofür',
    often: 'Wie oft',
    amount: 'Betrag',
    start: 'Beginn',
    next: 'Nächste Zahlungsaufforderung',
    count: 'Anzahl der Zahlungen',
    period: 'Zahlung',
    due: 'Fällig am',
    wasDue: 'War fällig am',
  },
  often: { weekly: 'jede Woche', monthly: 'jeden Monat', quarterly: 'alle drei Monate', yearly: 'jedes Jahr' },
  startsAtOnce: 'Sobald Sie zustimmen',
  untilEnded: 'Bis Sie oder der Shop sie beenden',
  confirm: {
    ask: (often) => ({
      heading: 'Stimmen Sie diesen Zahlungsaufforderungen zu?',
      sentences: [`Dieser Shop möchte Sie ${often} um eine Zahlung bitten. Ohne Ihre Zustimmung geschieht nichts.`],
    }),
    firstAtOnce:
      'Die erste Zahlungsaufforderung kommt per E-Mail, sobald Sie zustimmen, und jede weitere, wenn eine Zahlung fällig ist.',
    firstOnItsDay: 'Sie erhalten eine Zahlungsaufforderung per E-Mail, wenn eine Zahlung fällig ist.',
    after: [
      'Von Ihrer Wallet wird nie etwas abgebucht: Sie führen jede Zahlung selbst aus.',
      'Ein Link in jeder E-Mail beendet die Zahlungsaufforderungen, wann immer Sie wollen.',
    ],
    button: 'Diesen Zahlungsaufforderungen zustimmen',
    otherwise:
      'Sie haben das nicht erwartet? Dann tun Sie nichts: Ohne Ihre Zustimmung wird keine Zahlung angefordert.',
  },
  stop: {
    ask: {
      heading: 'Diese Zahlungsaufforderungen beenden?',
      sentences: ['Sie können sie jederzeit beenden, ohne einen Grund zu nennen.'],
    },
    decline: {
      heading: 'Diese Zahlungsaufforderungen beenden?',
      sentences: ['Sie haben ihnen nicht zugestimmt. Beenden Sie sie, und Sie erhalten dazu keine E\u2011Mails mehr.'],
    },
    meaningHeading: 'Was das bedeutet',
    meaning: [
      'Es wird nichts mehr angefordert und an nichts mehr erinnert.',
      'Eine Zahlung, die Sie schon gesendet haben, zählt trotzdem.',
      'Damit enden die Zahlungsaufforderungen, nicht aber, was Sie mit dem Shop vereinbart haben. Bitte sagen Sie auch dem Shop Bescheid.',
    ],
    button: 'Diese Zahlungsaufforderungen beenden',
  },
  pay: {
    due: (amount) => ({
      heading: `${amount} bezahlen`,
      sentences: ['Sie senden die Coins selbst: Von Ihrer Wallet wird nichts abgebucht.'],
    }),
    late: (amount) => ({
      heading: `${amount} bezahlen`,
      sentences: ['Diese Zahlung ist überfällig, aber Sie können sie noch nachholen.'],
    }),
    open: (amount) => ({
      heading: `${amount} bezahlen`,
      sentences: ['Sie haben diese Zahlung schon geöffnet, und ihr Preis in Coins steht für eine Weile fest.'],
    }),
    inProgress: {
      heading: 'Ihre Zahlung ist unterwegs',
      sentences: ['Für diese Zahlung wurden schon Coins gesehen. Bitte sehen Sie nach, bevor Sie noch etwas senden.'],
    },
    paid: {
      heading: 'Bezahlt. Vielen Dank',
      sentences: ['Diese Zahlung ist abgeschlossen; es ist nichts mehr zu tun.'],
    },
    nothingToPay: 'Hier ist nichts mehr zu bezahlen. Eine Zahlung, die Sie schon gesendet haben, zählt trotzdem.',
    choose: 'Mit welchem Coin möchten Sie bezahlen?',
    fixed: 'Der Betrag in Coins wird im nächsten Schritt berechnet.',
    goToPay: 'Weiter zur Zahlung',
    now: 'Jetzt bezahlen',
    payWith: (coin) => `Mit ${coin} bezahlen`,
    continuePayment: 'Mit der Zahlung fortfahren',
    another: 'Mit einem anderen Coin bezahlen',
    viewPayment: 'Zahlung ansehen',
    receipt: 'Beleg ansehen',
    token: (crypto, network) => `${crypto} auf ${network}`,
  },
  statuses: {
    active: { heading: 'Bestätigt', sentences: ['Sie haben diesen Zahlungsaufforderungen zugestimmt.'] },
    paused: {
      heading: 'Vom Shop unterbrochen',
      sentences: [
        'Sie haben diesen Zahlungsaufforderungen zugestimmt. Neues wird erst angefordert, wenn der Shop sie fortsetzt.',
      ],
    },
    cancelled: {
      heading: 'Der Shop hat diese Zahlungsaufforderungen beendet',
      sentences: ['Es wird nichts mehr angefordert.'],
    },
    stopped_by_customer: {
      heading: 'Diese Zahlungsaufforderungen sind beendet',
      sentences: [
        'Es wird nichts mehr angefordert. Eine Zahlung, die Sie schon gesendet haben, zählt trotzdem.',
        'Sie haben es sich anders überlegt? Bitten Sie den Shop um eine neue Zahlungsaufforderung.',
      ],
    },
    bounced: {
      heading: 'Diese Zahlungsaufforderungen sind zu Ende',
      sentences: [
        'E\u2011Mails konnten Ihnen nicht zugestellt werden, deshalb wird nichts mehr angefordert.',
        'Soll es weitergehen? Bitte nennen Sie dem Shop eine Adresse, die funktioniert.',
      ],
    },
    expired_unconfirmed: {
      heading: 'Die Zeit zum Zustimmen ist vorbei',
      sentences: [
        'Es wird nichts angefordert. Möchten Sie diese Zahlungsaufforderungen doch? Bitten Sie den Shop, eine neue zu senden.',
      ],
    },
  },
  finished: {
    heading: 'Diese Zahlungsaufforderungen sind vollständig',
    sentences: ['Die letzte Zahlung wurde angefordert. Mehr kommt nicht.'],
  },
  following: {
    none: 'Die letzte Zahlungsaufforderung wurde Ihnen per E-Mail gesendet.',
    first: (day) => `Die erste Zahlungsaufforderung kommt am ${day} per E-Mail.`,
    next: (day) => `Die nächste Zahlungsaufforderung kommt am ${day} per E-Mail.`,
    firstIsDue: 'Ihre erste Zahlung ist jetzt fällig. Den Link haben wir Ihnen per E-Mail gesendet.',
    isDue: 'Eine Zahlung ist jetzt fällig. Den Link haben wir Ihnen per E-Mail gesendet.',
  },
  problems: {
    noSuchLink: {
      heading: 'Diesen Link gibt es nicht',
      sentences: [
        'Bitte prüfen Sie, ob die Adresse vollständig ist: Manche E-Mail-Programme brechen lange Adressen um. Sonst öffnen Sie den Link aus der E-Mail noch einmal oder fragen Sie den Shop.',
      ],
    },
    unavailable: {
      heading: 'Vorübergehend nicht verfügbar',
      sentences: [
        'Das ist im Moment nicht möglich, und nichts wurde geändert. Bitte versuchen Sie es gleich noch einmal.',
      ],
    },
    triesAgain: 'Diese Seite versucht es von selbst noch einmal.',
    broken: {
      heading: 'Etwas ist schiefgegangen',
      sentences: ['Das ist unser Fehler, nicht Ihrer. Bitte versuchen Sie es gleich noch einmal.'],
    },
    notNow: {
      heading: 'Das ist nicht mehr möglich',
      sentences: ['Inzwischen hat sich etwas geändert. Bitte gehen Sie zurück und sehen Sie, wie es steht.'],
    },
    chooseCoin: {
      heading: 'Bitte wählen Sie einen anderen Coin',
      sentences: [
        'Diese Zahlung ist damit nicht möglich. Bitte gehen Sie zurück und wählen Sie einen der angebotenen.',
      ],
    },
    shopCannot: {
      heading: 'Dieser Shop kann im Moment keine Zahlungen annehmen',
      sentences: [
        'Es konnte keine Zahlung geöffnet werden. Bitte wenden Sie sich an den Shop, oder kommen Sie später wieder: Der Link bleibt gültig.',
      ],
    },
    notUnderstood: {
      heading: 'Das ist nicht möglich',
      sentences: ['Die Anfrage war nicht zu verstehen. Bitte öffnen Sie den Link aus der E-Mail noch einmal.'],
    },
  },
};
