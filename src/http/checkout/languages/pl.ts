import type { Texts } from './en.ts';
import { POLISH_LINKS } from './link-texts.ts';
import { POLISH_RECEIPT } from './receipt-texts.ts';
import { POLISH_RECURRING } from './recurring/pl.ts';
import { POLISH_REJECTED_LINK } from './rejected-link-texts.ts';

export const POLISH: Texts = {
  language: 'Język',
  banner: { strong: 'Płatność testowa', rest: 'bez prawdziwych pieniędzy' },
  connectionLost: 'Utracono połączenie. Trwa ponowna próba…',
  otherCoin: 'Wybierz inną kryptowalutę',
  backToShop: 'Powrót do sklepu',
  newQuote: 'Pobierz nową cenę',
  print: 'Drukuj potwierdzenie',
  support: 'Masz pytania? Skontaktuj się ze sklepem:',
  contact: {
    heading: 'Kontakt ze sklepem',
    unknown: 'Danych kontaktowych szukaj na stronie sklepu albo w jego e-mailach.',
    quote: 'Pisząc do sklepu, podaj ten numer płatności.',
    refund: (coin, network) =>
      `Jeśli chcesz zwrotu, podaj też adres własnego portfela dla ${coin} w sieci ${network}. Zwrotu dokonuje sklep; nic nie wraca automatycznie.`,
  },
  copy: {
    button: 'Kopiuj',
    done: 'Skopiowano',
    amount: 'Kopiuj kwotę',
    address: 'Kopiuj adres',
    transactionId: 'Kopiuj identyfikator transakcji',
    paymentNumber: 'Kopiuj numer płatności',
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
    replaced: 'Wcześniejsza transakcja została zastąpiona inną i już się nie liczy.',
    gone: (amount) =>
      `Płatność na kwotę ${amount} było widać w sieci, ale już jej tam nie ma. Sprawdź portfel, zanim zapłacisz ponownie.`,
    waiting: (price, coin) => ({
      heading: `Do zapłaty: ${price}`,
      sentences: [
        `Wyślij dokładnie podaną niżej kwotę w ${coin}: zeskanuj kod aplikacją portfela albo skopiuj do niej kwotę i adres.`,
      ],
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
        'Czas na zapłatę minął. Po raz ostatni sprawdzamy, czy płatność dotarła.',
        'Jeśli płatność została wysłana na czas, zostanie zaliczona. Nie wysyłaj teraz nic więcej.',
      ],
    },
    seen: (paid) => ({
      heading: 'Płatność jest w drodze',
      sentences: [
        `${paid} widać w sieci, która teraz je potwierdza. Możesz opuścić tę stronę: sklep zostanie powiadomiony automatycznie.`,
      ],
    }),
    blind: 'W tej chwili nie widzimy najnowszych potwierdzeń. Nic nie przepada; ta strona sama to nadrobi.',
    completed: {
      heading: 'Zapłacono',
      confirmed: (paid) => `Potwierdzono ${paid}. Dziękujemy.`,
      acceptedByShop: 'Sklep przyjął tę płatność.',
      tooMuch: (excess) => `Dotarło o ${excess} za dużo. Skontaktuj się ze sklepem, aby odzyskać nadpłatę.`,
      tooMuchSettled: (excess) => `Dotarło o ${excess} za dużo. Sklep oznaczył to jako załatwione.`,
    },
    lostHeading: { all: 'Tej płatności nie ma już w sieci', part: 'Części tej płatności nie ma już w sieci' },
    lost: 'Sklep nie ma tych środków. Sprawdź w swoim portfelu, czy wróciły, i skontaktuj się ze sklepem.',
    lostSettled: 'Sklep już to wyjaśnił.',
    lostUnpaid:
      'Jeśli Twój portfel pokazuje płatność jako anulowaną lub zastąpioną, skontaktuj się ze sklepem, zanim zapłacisz ponownie.',
    mayReturn: {
      lost: 'Jeśli środki dotrą ponownie, ta strona to pokaże.',
      lostUnpaid:
        'Środki było widać w sieci, ale teraz ich nie widać. Mogą wrócić; ta strona aktualizuje się automatycznie.',
      failedGone: 'Jeśli środki mimo wszystko dotrą, zostaną znalezione, a sklep powiadomiony.',
    },
    expired: {
      heading: 'Ta płatność wygasła',
      sentences: [
        'Nie wysyłaj teraz nic: cena nie jest już aktualna.',
        'Środki są już wysłane? Płatność zostanie znaleziona, a sklep powiadomiony.',
      ],
      paid: ['Nie wysyłaj nic więcej.', 'Zapytaj sklep, co stanie się z tym, co dotarło.'],
      paidDismissed: [
        'Sklep nie przyjął spóźnionej płatności. Nie wysyłaj nic więcej.',
        'Zapytaj sklep, co stanie się z tym, co dotarło.',
      ],
      paidSettled: ['Nie wysyłaj nic więcej.', 'Sklep oznaczył to, co dotarło, jako załatwione.'],
    },
    late: (paid) => ({
      heading: 'Płatność dotarła za późno',
      sentences: [
        `${paid} dotarło po upływie czasu na płatność. Sklep już o tym wie i zdecyduje, czy przyjmie płatność, czy zwróci środki.`,
        'Nie wysyłaj nic więcej.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'Płatność została potwierdzona za późno',
      sentences: [
        `${paid} dotarło na czas, ale sieć potwierdziła te środki dopiero po tym, jak płatność się nie powiodła. Sklep już o tym wie i zdecyduje, czy przyjmie płatność, czy zwróci środki.`,
        'Nie wysyłaj nic więcej.',
      ],
    }),
    mixedLate: (paid) => ({
      heading: 'Płatność była spóźniona',
      sentences: [
        `Część z ${paid} dotarła po upływie czasu na płatność. Reszta dotarła na czas, ale sieć potwierdziła ją dopiero po tym, jak płatność się nie powiodła. Sklep już o tym wie i zdecyduje, czy przyjmie płatność, czy zwróci środki.`,
        'Nie wysyłaj nic więcej.',
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
        'Sieć nie potwierdziła płatności na czas. Skontaktuj się ze sklepem, zanim zapłacisz ponownie.',
        'Jeśli mimo wszystko zostanie potwierdzona, sklep zostanie powiadomiony.',
      ],
    },
    failedGone: {
      heading: 'Ta płatność się nie powiodła',
      sentences: ['Środków z tej płatności nie ma już w sieci. Skontaktuj się ze sklepem, zanim zapłacisz ponownie.'],
    },
    failedLater: {
      heading: 'Ta płatność się nie powiodła',
      sentences: [
        'Środków wysłanych na czas nie ma już w sieci. Skontaktuj się ze sklepem, zanim zapłacisz ponownie.',
        'Środki, które dotarły później, nie liczą się jako zapłata.',
      ],
    },
    failedRejected: {
      heading: 'Ta płatność się nie powiodła',
      sentences: ['Sklep odrzucił tę płatność. Skontaktuj się ze sklepem, zanim zapłacisz ponownie.'],
    },
  },
  countOf: (count, total) => `${count} z ${total}`,
  confirmations: { one: 'potwierdzenia', few: 'potwierdzeń', many: 'potwierdzeń', other: 'potwierdzenia' },
  labels: {
    heading: 'Szczegóły',
    order: 'Zamówienie',
    price: 'Cena',
    amountDue: 'Kwota do zapłaty',
    rate: 'Stały kurs',
    paidSoFar: 'Zapłacono dotąd',
    paid: 'Zapłacono',
    received: 'Otrzymano',
    receivedUnconfirmed: 'Otrzymano, niepotwierdzone',
    stillDue: 'Pozostało',
    paidTooMuch: 'Nadpłata',
    network: 'Sieć',
    confirmations: 'Potwierdzenia',
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
    gone: 'nie ma jej już w sieci',
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
      sentences: ['Sprawdź, czy link jest kompletny, albo otwórz płatność ponownie w sklepie.'],
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
      sentences: ['Obecny stan płatności na to nie pozwala. Wróć i zobacz, jak jest teraz.'],
    },
    notUnderstood: {
      heading: 'To niemożliwe',
      sentences: ['Nie udało się odczytać przesłanych danych. Wróć i spróbuj ponownie.'],
    },
    backToPayment: 'Powrót do płatności',
  },
  payProblems: {
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
      sentences: ['Z Twojego łącza internetowego przyszło przed chwilą zbyt wiele żądań. Poczekaj chwilę.'],
    },
    tooManyOpen: {
      heading: 'Ten sklep ma zbyt wiele otwartych płatności',
      sentences: [
        'Nic nie zapłacono. Zbyt wiele płatności dla tego sklepu czeka na zapłatę. Spróbuj ponownie później, gdy część z nich zostanie zapłacona lub wygaśnie.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Z Twojego łącza internetowego otwarto zbyt wiele płatności',
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
      sentences: ['Link, który tu prowadzi, jest nieprawidłowy. Nic nie zostało zapłacone. Wróć i powiadom sklep.'],
    },
    triesAgain: 'Ta strona sama spróbuje ponownie.',
    goToOpenPayment: 'Przejdź do otwartej płatności',
    forShop: { heading: 'Dla sklepu', code: 'Kod błędu', request: 'Żądanie' },
  },
  recurring: POLISH_RECURRING,
  links: POLISH_LINKS,
  rejectedLink: POLISH_REJECTED_LINK,
  receipt: POLISH_RECEIPT,
};
