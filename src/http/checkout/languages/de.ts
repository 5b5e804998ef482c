import type { Texts } from './en.ts';
import { GERMAN_LINKS } from './link-texts.ts';
import { GERMAN_RECEIPT } from './receipt-texts.ts';
import { GERMAN_RECURRING } from './recurring/de.ts';
import { GERMAN_REJECTED_LINK } from './rejected-link-texts.ts';

export const GERMAN: Texts = {
  language: 'Sprache',
  banner: { strong: 'Testzahlung', rest: 'kein echtes Geld' },
  connectionLost: 'Die Verbindung ist unterbrochen. Neuer Versuch läuft…',
  otherCoin: 'Anderen Coin wählen',
  backToShop: 'Zurück zum Shop',
  newQuote: 'Neuen Preis abrufen',
  print: 'Beleg drucken',
  support: 'Fragen? So erreichen Sie den Shop:',
  contact: {
    heading: 'Shop kontaktieren',
    unknown: 'Suchen Sie die Kontaktdaten auf der Website des Shops oder in seinen E\u2011Mails.',
    quote: 'Nennen Sie diese Zahlungsnummer, wenn Sie dem Shop schreiben.',
    refund: (coin, network) =>
      `Für eine Rückzahlung nennen Sie auch eine Adresse Ihrer eigenen Wallet für ${coin} auf ${network}. Der Shop zahlt selbst zurück; automatisch wird nichts zurückgesendet.`,
  },
  copy: {
    button: 'Kopieren',
    done: 'Kopiert',
    amount: 'Betrag kopieren',
    address: 'Adresse kopieren',
    transactionId: 'Transaktions-ID kopieren',
    paymentNumber: 'Zahlungsnummer kopieren',
  },
  timer: { left: 'Verbleibende Zeit', warning: 'Weniger als fünf Minuten zum Bezahlen' },
  pay: {
    amount: 'Betrag',
    stillToPay: 'Noch zu zahlen',
    address: 'Adresse',
    code: 'QR-Code',
    fullCode: 'Adresse und Betrag',
    addressCode: 'Nur Adresse',
    fullCodeLabel: (amount) => `QR-Code mit der Adresse und dem Betrag von ${amount}`,
    addressCodeLabel: (address) => `QR-Code mit der Adresse ${address}`,
    amountNotInCode: (amount) => `Der Betrag steht nicht in diesem Code: Geben Sie ${amount} selbst ein.`,
    openWallet: 'Wallet öffnen',
    exchangeFee: (amount) =>
      `Sie senden von einer Börse? Deren Gebühr kommt hinzu: Hier müssen genau ${amount} ankommen.`,
  },
  network: {
    only: (coin, network) => `Nur ${coin} auf ${network}.`,
    lost: 'In einem anderen Netzwerk gesendete Coins sind verloren.',
    kinds: { mainnet: null, testnet: 'Testnetzwerk', regtest: 'privates Testnetzwerk' },
  },
  screens: {
    arrived: ({ paid, due }) => `${paid} von ${due} sind angekommen.`,
    replaced: 'Eine frühere Transaktion wurde durch eine andere ersetzt und zählt nicht mehr.',
    gone: (amount) =>
      `Eine Zahlung von ${amount} wurde gesehen, ist aber nicht mehr im Netzwerk. Prüfen Sie Ihre Wallet, bevor Sie erneut zahlen.`,
    waiting: (price, coin) => ({
      heading: `${price} bezahlen`,
      sentences: [
        `Senden Sie genau den unten genannten Betrag in ${coin}: Scannen Sie den Code mit Ihrer Wallet-App, oder kopieren Sie Betrag und Adresse dort hinein.`,
      ],
    }),
    partial: {
      heading: (missing) => `Es fehlen noch ${missing}`,
      sendRest: (missing) => `Bitte senden Sie genau ${missing} an dieselbe Adresse nach.`,
    },
    checking: {
      heading: 'Netzwerk wird geprüft',
      cannotSee: (chain) => `Neue Zahlungen im ${chain}-Netzwerk sind für uns im Moment nicht sichtbar.`,
      youCanStillPay:
        'Sie können weiterhin bezahlen: Was Sie rechtzeitig senden, wird gefunden und zählt. Bitte zahlen Sie nicht doppelt; diese Seite aktualisiert sich von selbst.',
      windowIsOver: [
        'Die Zeit zum Bezahlen ist abgelaufen. Wir prüfen ein letztes Mal, ob Ihre Zahlung angekommen ist.',
        'Wenn Sie rechtzeitig bezahlt haben, zählt Ihre Zahlung. Bitte senden Sie jetzt nichts mehr.',
      ],
    },
    seen: (paid) => ({
      heading: 'Ihre Zahlung ist unterwegs',
      sentences: [
        `${paid} wurden im Netzwerk gesehen und werden bestätigt. Sie können diese Seite verlassen: Der Shop wird automatisch benachrichtigt.`,
      ],
    }),
    blind:
      'Die neuesten Bestätigungen sind für uns im Moment nicht sichtbar. Nichts geht verloren; diese Seite holt von selbst auf.',
    completed: {
      heading: 'Bezahlt',
      confirmed: (paid) => `${paid} sind bestätigt. Vielen Dank.`,
      acceptedByShop: 'Der Shop hat diese Zahlung angenommen.',
      tooMuch: (excess) =>
        `Es sind ${excess} mehr als fällig angekommen. Wenden Sie sich an den Shop, um sie zurückzubekommen.`,
      tooMuchSettled: (excess) =>
        `Es sind ${excess} mehr als fällig angekommen. Der Shop hat das als erledigt markiert.`,
    },
    lostHeading: {
      all: 'Diese Zahlung ist nicht mehr im Netzwerk',
      part: 'Ein Teil dieser Zahlung ist nicht mehr im Netzwerk',
    },
    lost: 'Der Shop hat diese Coins nicht. Sehen Sie in Ihrer Wallet nach, ob sie wieder da sind, und wenden Sie sich an den Shop.',
    lostSettled: 'Der Shop hat das geklärt.',
    lostUnpaid:
      'Zeigt Ihre Wallet die Zahlung als abgebrochen oder ersetzt an, wenden Sie sich an den Shop, bevor Sie erneut zahlen.',
    mayReturn: {
      lost: 'Kommen die Coins noch einmal an, zeigt es diese Seite.',
      lostUnpaid:
        'Die Coins wurden gesehen, sind im Netzwerk aber nicht mehr sichtbar. Sie können zurückkehren; diese Seite aktualisiert sich automatisch.',
      failedGone: 'Sollten die Coins doch noch ankommen, werden sie gefunden, und der Shop wird benachrichtigt.',
    },
    expired: {
      heading: 'Diese Zahlung ist abgelaufen',
      sentences: [
        'Bitte senden Sie jetzt nichts mehr: Der Preis gilt nicht mehr.',
        'Schon gesendet? Ihre Zahlung wird gefunden, und der Shop wird benachrichtigt.',
      ],
      paid: ['Bitte senden Sie nichts mehr.', 'Fragen Sie den Shop, was mit den angekommenen Coins geschieht.'],
      paidDismissed: [
        'Der Shop hat die verspätete Zahlung nicht angenommen. Bitte senden Sie nichts mehr.',
        'Fragen Sie den Shop, was mit den angekommenen Coins geschieht.',
      ],
      paidSettled: ['Bitte senden Sie nichts mehr.', 'Der Shop hat die angekommenen Coins als erledigt markiert.'],
    },
    late: (paid) => ({
      heading: 'Ihre Zahlung kam zu spät',
      sentences: [
        `${paid} sind erst nach Ablauf der Zahlungsfrist angekommen. Der Shop wurde benachrichtigt und entscheidet, ob er die Zahlung annimmt oder erstattet.`,
        'Bitte senden Sie nichts mehr.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'Ihre Zahlung wurde spät bestätigt',
      sentences: [
        `${paid} sind rechtzeitig angekommen, wurden vom Netzwerk aber erst bestätigt, als die Zahlung schon fehlgeschlagen war. Der Shop wurde benachrichtigt und entscheidet, ob er die Zahlung annimmt oder erstattet.`,
        'Bitte senden Sie nichts mehr.',
      ],
    }),
    mixedLate: (paid) => ({
      heading: 'Ihre Zahlung war verspätet',
      sentences: [
        `Ein Teil von ${paid} ist erst nach Ablauf der Zahlungsfrist angekommen. Der Rest kam rechtzeitig an, wurde vom Netzwerk aber erst bestätigt, als die Zahlung schon fehlgeschlagen war. Der Shop wurde benachrichtigt und entscheidet, ob er die Zahlung annimmt oder erstattet.`,
        'Bitte senden Sie nichts mehr.',
      ],
    }),
    reviewing: {
      heading: 'Der Shop prüft diese Zahlung',
      sentences: [
        'An der Zahlungsadresse gab es eine Bewegung, die zu keiner bekannten Zahlung passt. Der Shop wurde gebeten, sie anzusehen.',
        'Die Zeit ist solange angehalten. Bitte senden Sie nichts mehr.',
      ],
    },
    failed: {
      heading: 'Diese Zahlung ist fehlgeschlagen',
      sentences: [
        'Das Netzwerk hat die Zahlung nicht rechtzeitig bestätigt. Bitte wenden Sie sich an den Shop, bevor Sie erneut zahlen.',
        'Wird sie doch noch bestätigt, wird der Shop benachrichtigt.',
      ],
    },
    failedGone: {
      heading: 'Diese Zahlung ist fehlgeschlagen',
      sentences: [
        'Die Coins dieser Zahlung sind nicht mehr im Netzwerk. Bitte wenden Sie sich an den Shop, bevor Sie erneut zahlen.',
      ],
    },
    failedLater: {
      heading: 'Diese Zahlung ist fehlgeschlagen',
      sentences: [
        'Die rechtzeitig gesendeten Coins sind nicht mehr im Netzwerk. Bitte wenden Sie sich an den Shop, bevor Sie erneut zahlen.',
        'Später angekommene Coins gelten nicht als Zahlung.',
      ],
    },
    failedRejected: {
      heading: 'Diese Zahlung ist fehlgeschlagen',
      sentences: ['Der Shop hat diese Zahlung abgelehnt. Bitte wenden Sie sich an den Shop, bevor Sie erneut zahlen.'],
    },
  },
  countOf: (count, total) => `${count} von ${total}`,
  confirmations: { one: 'Bestätigung', other: 'Bestätigungen' },
  labels: {
    heading: 'Einzelheiten',
    order: 'Bestellung',
    price: 'Preis',
    amountDue: 'Fälliger Betrag',
    rate: 'Fester Kurs',
    paidSoFar: 'Bisher bezahlt',
    paid: 'Bezahlt',
    received: 'Eingegangen',
    receivedUnconfirmed: 'Eingegangen, nicht bestätigt',
    stillDue: 'Noch fällig',
    paidTooMuch: 'Zu viel bezahlt',
    network: 'Netzwerk',
    confirmations: 'Bestätigungen',
    created: 'Erstellt',
    payUntil: 'Zu zahlen bis',
    wasOpenUntil: 'War offen bis',
    completed: 'Abgeschlossen',
    paymentNumber: 'Zahlungsnummer',
  },
  paymentsHeading: 'Zahlungen',
  explorer: (name) => `Auf ${name} ansehen`,
  statuses: {
    detected: 'gesehen, noch nicht bestätigt',
    confirming: 'wird bestätigt',
    confirmed: 'bestätigt',
    replaced: 'ersetzt, zählt nicht',
    gone: 'nicht mehr im Netzwerk',
  },
  simulate: {
    heading: 'Simulieren',
    note: 'Nur Testzahlungen haben diese Schaltflächen.',
    actions: {
      pay: 'Offenen Betrag bezahlen',
      pay_partial: 'Einen Teil bezahlen',
      overpay: 'Zu viel bezahlen',
      confirm: 'Bestätigen',
      double_spend: 'Doppelt ausgeben',
      reorg: 'Blockchain reorganisieren',
      advance_clock: 'Zeit ablaufen lassen',
      pay_late: 'Zu spät bezahlen',
      drop_balance: 'Guthaben verringern',
    },
  },
  problems: {
    notFound: {
      heading: 'Diese Zahlung gibt es nicht',
      sentences: ['Bitte prüfen Sie, ob der Link vollständig ist, oder öffnen Sie die Zahlung noch einmal im Shop.'],
    },
    unavailable: {
      heading: 'Vorübergehend nicht erreichbar',
      sentences: [
        'Diese Seite kann im Moment nicht angezeigt werden. Zahlungen sind nicht betroffen. Bitte versuchen Sie es gleich noch einmal.',
      ],
    },
    broken: {
      heading: 'Etwas ist schiefgegangen',
      sentences: [
        'Das ist unser Fehler, nicht Ihrer, und Zahlungen sind nicht betroffen. Bitte versuchen Sie es gleich noch einmal.',
      ],
    },
    notNow: {
      heading: 'Das ist nicht möglich',
      sentences: [
        'Der jetzige Stand der Zahlung lässt das nicht zu. Bitte gehen Sie zurück und sehen Sie, wie es steht.',
      ],
    },
    notUnderstood: {
      heading: 'Das ist nicht möglich',
      sentences: ['Das Gesendete war nicht lesbar. Bitte gehen Sie zurück und versuchen Sie es noch einmal.'],
    },
    backToPayment: 'Zurück zur Zahlung',
  },
  payProblems: {
    amount: {
      heading: 'Dieser Betrag kann nicht bezahlt werden',
      sentences: ['Sie haben nichts bezahlt. Bitte gehen Sie zurück und wählen Sie einen anderen Betrag.'],
    },
    coin: {
      heading: 'Mit diesem Coin kann hier nicht bezahlt werden',
      sentences: ['Sie haben nichts bezahlt. Bitte gehen Sie zurück und wählen Sie einen anderen Coin.'],
    },
    paymentOpen: {
      heading: 'Sie haben noch eine Zahlung offen',
      sentences: ['Bitte schließen Sie diese zuerst ab, oder kommen Sie wieder, wenn ihre Zeit abgelaufen ist.'],
    },
    tooMany: {
      heading: 'Zu viele Anfragen',
      sentences: ['Über Ihren Internetanschluss kamen gerade zu viele Anfragen. Bitte warten Sie einen Moment.'],
    },
    tooManyOpen: {
      heading: 'Dieser Shop hat zu viele offene Zahlungen',
      sentences: [
        'Sie haben nichts bezahlt. Zu viele Zahlungen an diesen Shop warten noch. Bitte versuchen Sie es später noch einmal, wenn einige davon bezahlt oder abgelaufen sind.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Über Ihren Internetanschluss sind zu viele Zahlungen offen',
      sentences: [
        'Sie haben nichts bezahlt. Bitte schließen Sie eine offene Zahlung ab, oder kommen Sie wieder, wenn einige abgelaufen sind. Wenn Sie Ihren Anschluss mit anderen teilen, versuchen Sie es über einen anderen, etwa mobile Daten.',
      ],
    },
    unavailable: {
      heading: 'Vorübergehend nicht erreichbar',
      sentences: ['Die Bezahlseite kann im Moment nicht geöffnet werden. Sie haben nichts bezahlt.'],
    },
    shopCannot: {
      heading: 'Dieser Shop kann im Moment keine Zahlungen annehmen',
      sentences: [
        'Sie haben nichts bezahlt, und hier ist nichts zu bezahlen.',
        'Bitte wenden Sie sich an den Shop, oder wählen Sie eine andere Zahlungsart.',
      ],
    },
    wrongAddress: {
      heading: 'Diese Bezahlseite kann nicht geöffnet werden',
      sentences: [
        'Der Link, der hierher geführt hat, stimmt nicht. Sie haben nichts bezahlt. Bitte gehen Sie zurück und sagen Sie es dem Shop.',
      ],
    },
    triesAgain: 'Diese Seite versucht es von selbst noch einmal.',
    goToOpenPayment: 'Zur offenen Zahlung',
    forShop: { heading: 'Für den Shop', code: 'Fehlercode', request: 'Anfrage' },
  },
  recurring: GERMAN_RECURRING,
  links: GERMAN_LINKS,
  rejectedLink: GERMAN_REJECTED_LINK,
  receipt: GERMAN_RECEIPT,
};
