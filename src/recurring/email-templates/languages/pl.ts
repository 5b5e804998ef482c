import { datesIn } from './dates.ts';
import type { EmailTexts } from './en.ts';

export const POLISH: EmailTexts = {
  language: { code: 'pl', greet: () => 'Dzień dobry,' },
  every: { weekly: 'co tydzień', monthly: 'co miesiąc', quarterly: 'co trzy miesiące', yearly: 'co rok' },
  ...datesIn(
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
    (day, month, year) => `${day} ${month} ${year}`,
  ),
  testSubject: (subject) => `[Test] ${subject}`,
  testNotice: 'To jest test. Prosimy nie wysyłać prawdziwych monet.',
  names: {
    merchant: 'Od',
    description: 'Za co',
    reference: 'Numer referencyjny',
    amount: 'Kwota',
    interval: 'Jak często',
    firstRequest: 'Pierwsza prośba',
    count: 'Liczba',
    due: 'Termin',
    period: 'Płatność',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Prosimy o potwierdzenie: ${amount} ${every} dla ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} chce prosić Państwa o ${amount} ${every}. Bez Państwa zgody nic się nie stanie.`,
    fromConfirmation: 'zaraz po potwierdzeniu',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `bez ustalonej liczby: do zakończenia przez Państwa lub ${merchant}`
        : `${maxPeriods === 1 ? '1 prośba' : `najwyżej ${maxPeriods}`}, potem kończy się automatycznie`,
    nothingMovesByItself:
      'Nic nie jest pobierane automatycznie. Za każdym razem otrzymają Państwo e-mail z linkiem i zapłacą sami, z własnego portfela. Nikt nie może z niego niczego pobrać. Można to zakończyć w każdej chwili.',
    confirm: 'Zobacz i potwierdź',
    silenceIsNo: (expires) =>
      `Można potwierdzić do ${expires}. Jeśli nie chcą Państwo tego, prosimy nic nie robić: to oznacza odmowę i wszystko zakończy się automatycznie.`,
    why: ({ merchant }) => `Otrzymują Państwo tę wiadomość, ponieważ ${merchant} podał nam Państwa adres.`,
    decline: 'Odmów teraz i nie otrzymuj więcej wiadomości w tej sprawie',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Prośba o płatność: ${amount} dla ${merchant}, termin ${due}`;
      return `${reminder === 'last' ? 'Ostatnie przypomnienie' : 'Przypomnienie'}: ${amount} dla ${merchant}, termin ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `Nadszedł termin płatności ${amount} dla ${merchant}, na którą wyrazili Państwo zgodę (${every}).`;
      return reminder === 'last'
        ? `To jest ostatnie przypomnienie: płatność ${amount} dla ${merchant} z terminem ${due} nie jest jeszcze kompletna.`
        : `To jest przypomnienie: płatność ${amount} dla ${merchant} z terminem ${due} nie jest jeszcze kompletna.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} z ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'Cena w kryptowalucie jest ustalana w chwili otwarcia płatności i obowiązuje przez krótki czas. Prosimy otworzyć ją wtedy, gdy są Państwo gotowi zapłacić; jeśli czas upłynie wcześniej, prosimy otworzyć ją ponownie. Nic nie jest pobierane automatycznie.',
    alreadyPaid:
      'Jeśli właśnie Państwo zapłacili, nie trzeba robić nic więcej: sieć może jeszcze potwierdzać płatność.',
    pay: ({ amount }) => `Zapłać ${amount}`,
    why: ({ merchant, every }) =>
      `Otrzymują Państwo tę wiadomość, ponieważ zgodzili się Państwo na prośby o płatność od ${merchant} (${every}).`,
    stop: 'Zakończ te prośby',
  },
};
