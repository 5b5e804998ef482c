import { POLISH_LINKS } from './link-texts.ts';
import { POLISH_RECEIPT } from './receipt-texts.ts';
import { POLISH_RECURRING } from './recurring/pl.ts';
import type { Texts } from './texts.ts';

export const POLISH: Texts = {
  language: 'Język',
  banner: { strong: 'Płatność testowa', rest: 'bez prawdziwych pieniędzy' },
  connectionLost: 'Utracono połączenie. Trwa ponowna próba…',
  otherCoin: 'Wybierz inną kryptowalutę',
  backToShop: 'Powrót do sklepu',
  newQuote: 'Pobierz nową cenę',
  print: 'Drukuj potwierdzenie',
  support: 'Masz pytania? Skontaktuj się ze sklepem:',
  copy: {
    button: 'Kopiuj',
    done: 'Skopiowano',
    amount: 'Kopiuj kwotę',
    address: 'Kopiuj adres',
    transactionId: 'Kopiuj identyfikator transakcji',
  },
  timer: { left: 'Pozostały czas', warning: 'Na zapłatę zostało mniej niż pięć minut' },
  pay: {
    amount: 'Kwota',
    stillToPay: 'Pozostało do zapłaty',
    address: 'Adres',
    code: 'Kod QR',
    fullCode: 'Adres i kwota',
    addressCode: 'Tylko adres',
    fullCodeLabel: (amount) => `Kod QR z adresem i kwotą ${amount}`,
    addressCodeLabel: (address) => `Kod QR z adresem ${address}`,
    amountNotInCode: (amount) => `Ten kod nie zawiera kwoty: wpisz ${amount} samodzielnie.`,
    openWallet: 'Otwórz portfel',
    exchangeFee: (amount) =>
      `Wysyłasz z giełdy? Jej opłata jest doliczana osobno: tutaj musi dotrzeć dokładnie ${amount}.`,
  },
  network: {
    only: (coin, network) => `Tylko ${coin} w sieci ${network}.`,
    lost: 'Środki wysłane w innej sieci przepadną.',
    kinds: { mainnet: null, testnet: 'sieć testowa', regtest: 'prywatna sieć testowa' },
  },
  screens: {
    arrived: ({ paid, due }) => `Dotarło ${paid} z ${due}.`,
    contactShop: 'Skontaktuj się ze sklepem.',
    replaced: 'Wcześniejsza transakcja została zastąpiona inną i już się nie liczy.',
    waiting: (price, coin) => ({
      heading: `Do zapłaty: ${price}`,
      sentences: [`Wyślij dokładnie podaną niżej kwotę w ${coin}: zeskanuj kod portfelem albo skopiuj kwotę i adres.`],
    }),
    partial: {
      heading: (missing) => `Brakuje jeszcze ${missing}`,
      sendRest: (missing) => `Wyślij dokładnie ${missing} na ten sam adres.`,
    },
    checking: {
      heading: 'Sprawdzamy sieć',
      cannotSee: (chain) => `W tej chwili nie widzimy nowych płatności w sieci ${chain}.`,
      youCanStillPay:
        'Nadal możesz zapłacić: wszystko, co wyślesz na czas, zostanie znalezione i zaliczone. Nie płać dwa razy; ta strona odświeży się sama.',
      windowIsOver: [
        'Czas na tę płatność minął, a sieć jest przeszukiwana po raz ostatni.',
        'Jeśli płatność została wysłana na czas, zostanie zaliczona. Nie wysyłaj teraz nic więcej.',
      ],
    },
    seen: (paid) => ({
      heading: 'Płatność jest w drodze',
      sentences: [
        `${paid} widać w sieci, która teraz je potwierdza. Możesz opuścić tę stronę: sklep zostanie powiadomiony automatycznie.`,
      ],
    }),
    blind: 'W tej chwili nie widzimy najnowszych bloków. Nic nie przepada; ta strona sama to nadrobi.',
    completed: {
      heading: 'Zapłacono',
      confirmed: (paid) => `Potwierdzono ${paid}. Dziękujemy.`,
      acceptedByShop: 'Sklep przyjął tę płatność.',
      tooMuch: (excess) => `Dotarło o ${excess} za dużo. Skontaktuj się ze sklepem.`,
    },
    lost: {
      heading: 'Brakuje środków z tej płatności',
      sentences: ['Nie ma ich już w sieci. Skontaktuj się ze sklepem.', 'Jeśli wrócą, ta strona to pokaże.'],
    },
    lostSettled: {
      heading: 'Brakuje środków z tej płatności',
      sentences: ['Nie ma ich już w sieci. Sklep już to wyjaśnił.', 'Jeśli wrócą, ta strona to pokaże.'],
    },
    expired: {
      heading: 'Ta płatność wygasła',
      sentences: [
        'Nie wysyłaj teraz nic: cena nie jest już aktualna.',
        'Środki są już wysłane? Płatność zostanie znaleziona, a sklep powiadomiony.',
      ],
    },
    late: (paid) => ({
      heading: 'Płatność dotarła za późno',
      sentences: [
        `${paid} dotarło po upływie czasu. Nic nie przepadło: sklep już o tym wie i zdecyduje, co dalej.`,
        'Nie wysyłaj nic więcej. Masz pytania? Skontaktuj się ze sklepem i podaj mu numer płatności widoczny poniżej.',
      ],
    }),
    reviewing: {
      heading: 'Sklep sprawdza tę płatność',
      sentences: [
        'Na adresie płatności nastąpił ruch, który nie pasuje do żadnej znanej płatności. Poprosiliśmy sklep, żeby się temu przyjrzał.',
        'Czas jest na razie wstrzymany. Nie wysyłaj nic więcej.',
      ],
    },
    failed: {
      heading: 'Ta płatność się nie powiodła',
      sentences: [
        'Sieć nie potwierdziła płatności albo sklep ją odrzucił. Skontaktuj się ze sklepem, zanim zapłacisz ponownie.',
        'Jeśli środki mimo wszystko dotrą, zostaną znalezione, a sklep powiadomiony.',
      ],
    },
  },
  countOf: (count, total) => `${count} z ${total}`,
  confirmations: { one: 'potwierdzenia', few: 'potwierdzeń', many: 'potwierdzeń', other: 'potwierdzenia' },
  facts: {
    heading: 'Szczegóły',
    order: 'Zamówienie',
    price: 'Cena',
    amountDue: 'Kwota do zapłaty',
    rate: 'Stały kurs',
    paidSoFar: 'Zapłacono dotąd',
    paid: 'Zapłacono',
    stillDue: 'Pozostało',
    paidTooMuch: 'Nadpłata',
    network: 'Sieć',
    confirmations: 'Potwierdzenia',
    confirmationsComplete: (count) => `${count}, komplet`,
    created: 'Utworzono',
    payUntil: 'Zapłać do',
    wasOpenUntil: 'Otwarta do',
    completed: 'Zakończono',
    paymentNumber: 'Numer płatności',
  },
  paymentsHeading: 'Płatności',
  explorer: (name) => `Zobacz w ${name}`,
  statuses: {
    detected: 'widoczna, jeszcze niepotwierdzona',
    confirming: 'w trakcie potwierdzania',
    confirmed: 'potwierdzona',
    replaced: 'zastąpiona, nie liczy się',
  },
  simulate: {
    heading: 'Symulacja',
    note: 'Te przyciski mają tylko płatności testowe.',
    actions: {
      pay: 'Zapłać całość',
      pay_partial: 'Zapłać część',
      overpay: 'Zapłać za dużo',
      confirm: 'Potwierdź',
      double_spend: 'Wydaj podwójnie',
      reorg: 'Przebuduj łańcuch',
      advance_clock: 'Przeczekaj czas',
      pay_late: 'Zapłać za późno',
      drop_balance: 'Zmniejsz saldo',
    },
  },
  problems: {
    notFound: {
      heading: 'Nie ma takiej płatności',
      sentences: ['Sprawdź adres strony albo otwórz płatność ponownie w sklepie.'],
    },
    unavailable: {
      heading: 'Chwilowo niedostępne',
      sentences: ['Tej strony nie można teraz wyświetlić. Nie ma to wpływu na płatności. Spróbuj ponownie za chwilę.'],
    },
    broken: {
      heading: 'Coś poszło nie tak',
      sentences: ['To nasz błąd, nie Twój, i nie ma on wpływu na płatności. Spróbuj ponownie za chwilę.'],
    },
    notNow: {
      heading: 'To niemożliwe',
      sentences: ['Ten przycisk nie pasuje do obecnego stanu płatności.'],
    },
    notUnderstood: { heading: 'To niemożliwe', sentences: ['Nie udało się zrozumieć żądania.'] },
    backToPayment: 'Powrót do płatności',
  },
  payProblems: {
    linkPaid: {
      heading: 'Już zapłacono',
      sentences: [
        'Ten link do płatności jest już opłacony albo jego płatność czeka na potwierdzenie. Nie płać ponownie.',
      ],
    },
    linkExpired: {
      heading: 'Ten link do płatności nie jest już aktywny',
      sentences: ['Nic nie zostało zapłacone. Poproś sklep o nowy link.'],
    },
    amount: {
      heading: 'Tej kwoty nie można zapłacić',
      sentences: ['Nic nie zostało zapłacone. Wróć i wybierz inną kwotę.'],
    },
    coin: {
      heading: 'Tą walutą nie można tu zapłacić',
      sentences: ['Nic nie zostało zapłacone. Wróć i wybierz inną walutę.'],
    },
    paymentOpen: {
      heading: 'Masz już inną otwartą płatność',
      sentences: ['Najpierw ją dokończ albo wróć, gdy jej czas minie.'],
    },
    tooMany: {
      heading: 'Zbyt wiele żądań',
      sentences: ['Z Twojego adresu sieciowego przyszło przed chwilą zbyt wiele żądań. Poczekaj chwilę.'],
    },
    tooManyOpen: {
      heading: 'Ten sklep ma zbyt wiele otwartych płatności',
      sentences: [
        'Nic nie zapłacono. Zbyt wiele otwartych tu płatności czeka na zapłatę; miejsce zwolni się, gdy część z nich zostanie zapłacona lub wygaśnie.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Z Twojej sieci otwarto zbyt wiele płatności',
      sentences: [
        'Nic nie zapłacono. Dokończ otwartą płatność albo wróć, gdy część z nich wygaśnie. Jeśli dzielisz łącze z innymi, spróbuj innego, na przykład danych komórkowych.',
      ],
    },
    unavailable: {
      heading: 'Chwilowo niedostępne',
      sentences: ['Nie można teraz otworzyć strony płatności. Nic nie zostało zapłacone.'],
    },
    shopCannot: {
      heading: 'Ten sklep nie może teraz przyjmować płatności',
      sentences: [
        'Nic nie zostało zapłacone i nie ma tu nic do zapłaty.',
        'Skontaktuj się ze sklepem albo wybierz inny sposób płatności.',
      ],
    },
    wrongAddress: {
      heading: 'Nie można otworzyć tej strony płatności',
      sentences: ['Adres, który tu prowadzi, jest nieprawidłowy. Nic nie zostało zapłacone. Wróć i powiadom sklep.'],
    },
    triesAgain: 'Ta strona sama spróbuje ponownie.',
    goToOpenPayment: 'Przejdź do otwartej płatności',
    forShop: { heading: 'Dla sklepu', code: 'Kod błędu', request: 'Żądanie' },
  },
  recurring: POLISH_RECURRING,
  links: POLISH_LINKS,
  receipt: POLISH_RECEIPT,
};
