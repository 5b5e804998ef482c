import type { RecurringTexts } from './en.ts';

export const POLISH_RECURRING: RecurringTexts = {
  banner: { strong: 'Test', rest: 'bez prawdziwych pieniędzy' },
  back: 'Wstecz',
  nextHeading: 'Co będzie dalej',
  labels: {
    description: 'Za co',
    often: 'Jak często',
    amount: 'Kwota',
    start: 'Początek',
    next: 'Następna prośba',
    count: 'Liczba płatności',
    period: 'Płatność',
    due: 'Termin',
    wasDue: 'Termin minął',
  },
  often: { weekly: 'co tydzień', monthly: 'co miesiąc', quarterly: 'co trzy miesiące', yearly: 'co rok' },
  startsAtOnce: 'Od razu po Twojej zgodzie',
  untilEnded: 'Dopóki Ty lub sklep tego nie zakończy',
  confirm: {
    ask: (often) => ({
      heading: 'Czy zgadzasz się na te prośby?',
      sentences: [`Ten sklep chce prosić Cię o płatność ${often}. Bez Twojej zgody nic się nie stanie.`],
    }),
    firstAtOnce: 'Pierwszą prośbę dostaniesz e-mailem, gdy tylko się zgodzisz, a kolejne zawsze w terminie płatności.',
    firstOnItsDay: 'Prośbę dostaniesz e-mailem zawsze w terminie płatności.',
    after: [
      'Z Twojego portfela nigdy nic nie zostanie pobrane: każdej płatności dokonujesz samodzielnie.',
      'Link w każdym e-mailu kończy prośby, kiedy tylko zechcesz.',
    ],
    button: 'Zgadzam się na te prośby',
    otherwise: 'To dla Ciebie niespodzianka? Nie rób nic: bez Twojej zgody nikt nie poprosi o płatność.',
  },
  stop: {
    ask: {
      heading: 'Zakończyć te prośby?',
      sentences: ['Możesz je zakończyć w każdej chwili, bez podania powodu.'],
    },
    decline: {
      heading: 'Zakończyć te prośby?',
      sentences: ['Nie ma na nie Twojej zgody. Zakończ je, a nie dostaniesz więcej e-maili w tej sprawie.'],
    },
    meaningHeading: 'Co to oznacza',
    meaning: [
      'Nie będzie już próśb o płatność ani przypomnień.',
      'Wysłana już płatność nadal się liczy.',
      'To kończy prośby, ale nie Twoją umowę ze sklepem. Powiadom o tym także sklep.',
    ],
    button: 'Zakończ te prośby',
  },
  pay: {
    due: (amount) => ({
      heading: `Do zapłaty: ${amount}`,
      sentences: ['Środki wysyłasz samodzielnie: z Twojego portfela nic nie zostanie pobrane.'],
    }),
    late: (amount) => ({
      heading: `Do zapłaty: ${amount}`,
      sentences: ['Termin tej płatności minął, ale nadal możesz jej dokonać.'],
    }),
    open: (amount) => ({
      heading: `Do zapłaty: ${amount}`,
      sentences: ['Ta płatność jest już otwarta, a jej cena w kryptowalucie jest przez pewien czas stała.'],
    }),
    inProgress: {
      heading: 'Twoja płatność jest w drodze',
      sentences: ['Środki na tę płatność są już widoczne. Sprawdź ją, zanim wyślesz coś jeszcze.'],
    },
    paid: {
      heading: 'Zapłacono. Dziękujemy',
      sentences: ['Ta płatność jest zakończona; nic więcej nie trzeba robić.'],
    },
    nothingToPay: 'Nie ma tu już nic do zapłaty. Wysłana już płatność nadal się liczy.',
    choose: 'Którą kryptowalutą chcesz zapłacić?',
    fixed: 'Kwota w kryptowalucie zostanie obliczona w następnym kroku.',
    goToPay: 'Przejdź do płatności',
    now: 'Zapłać teraz',
    payWith: (coin) => `Zapłać: ${coin}`,
    continuePayment: 'Dokończ płatność',
    another: 'Zapłać inną kryptowalutą',
    viewPayment: 'Zobacz płatność',
    receipt: 'Zobacz potwierdzenie',
    token: (crypto, network) => `${crypto} w sieci ${network}`,
  },
  statuses: {
    active: { heading: 'Potwierdzono', sentences: ['Zgoda została udzielona.'] },
    paused: {
      heading: 'Wstrzymane przez sklep',
      sentences: ['Zgoda została udzielona. Nowych nie będzie, dopóki sklep ich nie wznowi.'],
    },
    cancelled: { heading: 'Sklep zakończył te prośby', sentences: ['Nie będzie już próśb o płatność.'] },
    stopped_by_customer: {
      heading: 'Te prośby są zakończone',
      sentences: [
        'Nie będzie już próśb o płatność. Wysłana już płatność nadal się liczy.',
        'Zmieniasz zdanie? Poproś sklep o nową prośbę.',
      ],
    },
    bounced: {
      heading: 'Te prośby dobiegły końca',
      sentences: [
        'E-maile do Ciebie nie dochodziły, więc nie będzie już próśb o płatność.',
        'Mają być kontynuowane? Podaj sklepowi działający adres.',
      ],
    },
    expired_unconfirmed: {
      heading: 'Czas na zgodę minął',
      sentences: [
        'Nikt nie poprosi Cię o płatność. Mimo to chcesz je otrzymywać? Poproś sklep, żeby wysłał nową prośbę.',
      ],
    },
  },
  finished: {
    heading: 'To już wszystkie prośby',
    sentences: ['Prośba o ostatnią płatność została już wysłana. Więcej ich nie będzie.'],
  },
  following: {
    none: 'Ostatnia prośba została już wysłana e-mailem.',
    first: (day) => `Pierwsza prośba przyjdzie e-mailem: ${day}.`,
    next: (day) => `Następna prośba przyjdzie e-mailem: ${day}.`,
    firstIsDue: 'Nadszedł termin pierwszej płatności. Link wysłaliśmy Ci e-mailem.',
    isDue: 'Nadszedł termin płatności. Link wysłaliśmy Ci e-mailem.',
  },
  problems: {
    noSuchLink: {
      heading: 'Nie ma takiego linku',
      sentences: [
        'Sprawdź, czy adres jest pełny: niektóre programy pocztowe łamią długie adresy. Możesz też otworzyć link z e-maila ponownie albo zapytać sklep.',
      ],
    },
    unavailable: {
      heading: 'Chwilowo niedostępne',
      sentences: ['Teraz nie jest to możliwe i nic się nie zmieniło. Spróbuj ponownie za chwilę.'],
    },
    triesAgain: 'Ta strona sama spróbuje ponownie.',
    broken: {
      heading: 'Coś poszło nie tak',
      sentences: ['To nasz błąd, nie Twój. Spróbuj ponownie za chwilę.'],
    },
    notNow: {
      heading: 'To już niemożliwe',
      sentences: ['W międzyczasie coś się zmieniło. Wróć i zobacz, jak jest teraz.'],
    },
    chooseCoin: {
      heading: 'Wybierz inną kryptowalutę',
      sentences: ['Tej płatności nie można dokonać tą kryptowalutą. Wróć i wybierz jedną z podanych.'],
    },
    shopCannot: {
      heading: 'Ten sklep nie może teraz przyjmować płatności',
      sentences: [
        'Nie udało się otworzyć płatności. Skontaktuj się ze sklepem albo wróć później: link pozostaje ważny.',
      ],
    },
    notUnderstood: {
      heading: 'To niemożliwe',
      sentences: ['Nie udało się zrozumieć żądania. Otwórz ponownie link z e-maila.'],
    },
  },
};
