import { datesIn } from './dates.ts';
import type { EmailTexts } from './en.ts';

export const GERMAN: EmailTexts = {
  language: { code: 'de', greet: () => 'Guten Tag,' },
  every: { weekly: 'jede Woche', monthly: 'jeden Monat', quarterly: 'alle drei Monate', yearly: 'jedes Jahr' },
  ...datesIn(
    'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    (day, month, year) => `${day}. ${month} ${year}`,
  ),
  testSubject: (subject) => `[Test] ${subject}`,
  testNotice: 'Dies ist ein Test. Bitte senden Sie keine echten Coins.',
  names: {
    merchant: 'Von',
    description: 'Wofür',
    reference: 'Referenz',
    amount: 'Betrag',
    interval: 'Wie oft',
    firstRequest: 'Erste Zahlungsaufforderung',
    count: 'Anzahl',
    due: 'Fällig am',
    period: 'Zahlung',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Bitte bestätigen: ${amount} ${every} an ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} möchte Sie ${every} um ${amount} bitten. Ohne Ihre Zustimmung geschieht nichts.`,
    fromConfirmation: 'sobald Sie zustimmen',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `keine feste Anzahl: bis Sie oder ${merchant} sie beenden`
        : `${maxPeriods === 1 ? '1 Zahlungsaufforderung' : `höchstens ${maxPeriods} Zahlungsaufforderungen`}, danach endet es von selbst`,
    nothingMovesByItself:
      'Es wird nichts abgebucht. Jedes Mal erhalten Sie eine E-Mail mit einem Link und bezahlen selbst, mit Ihrer eigenen Wallet. Niemand kann etwas von ihr abbuchen. Sie können das jederzeit beenden.',
    confirm: 'Ansehen und zustimmen',
    silenceIsNo: (expires) =>
      `Sie können bis ${expires} zustimmen. Wenn Sie das nicht möchten, tun Sie einfach nichts: Dann gilt es als abgelehnt und endet von selbst.`,
    why: ({ merchant }) => `Sie erhalten diese E-Mail, weil ${merchant} uns Ihre Adresse gegeben hat.`,
    decline: 'Jetzt ablehnen und keine E-Mails mehr dazu erhalten',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Zahlungsaufforderung: ${amount} an ${merchant}, fällig am ${due}`;
      return `${reminder === 'last' ? 'Letzte Erinnerung' : 'Erinnerung'}: ${amount} an ${merchant}, fällig am ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `Ihre Zahlung von ${amount} an ${merchant}, der Sie zugestimmt haben (${every}), ist fällig.`;
      return reminder === 'last'
        ? `Dies ist die letzte Erinnerung: Ihre Zahlung von ${amount} an ${merchant}, fällig am ${due}, ist noch nicht vollständig.`
        : `Dies ist eine Erinnerung: Ihre Zahlung von ${amount} an ${merchant}, fällig am ${due}, ist noch nicht vollständig.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} von ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'Der Preis in Coins wird festgelegt, wenn Sie die Zahlung öffnen, und gilt für kurze Zeit. Öffnen Sie sie also erst, wenn Sie bezahlen möchten; läuft die Zeit vorher ab, öffnen Sie sie noch einmal. Es wird nichts abgebucht.',
    alreadyPaid:
      'Wenn Sie gerade bezahlt haben, müssen Sie nichts mehr tun: Das Netzwerk bestätigt die Zahlung vielleicht noch.',
    pay: ({ amount }) => `${amount} bezahlen`,
    why: ({ merchant, every }) =>
      `Sie erhalten diese E-Mail, weil Sie Zahlungsaufforderungen von ${merchant} zugestimmt haben (${every}).`,
    stop: 'Diese Zahlungsaufforderungen beenden',
  },
};
