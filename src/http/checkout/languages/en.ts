import { ENGLISH_LINKS } from './link-texts.ts';
import { ENGLISH_RECEIPT } from './receipt-texts.ts';
import { ENGLISH_RECURRING } from './recurring/en.ts';
import type { Texts } from './texts.ts';

export const ENGLISH: Texts = {
  language: 'Language',
  banner: { strong: 'Test payment', rest: 'no real money' },
  connectionLost: 'The connection was lost. Trying again…',
  otherCoin: 'Choose another coin',
  backToShop: 'Back to the shop',
  newQuote: 'Get a new price',
  print: 'Print the receipt',
  support: 'Questions? Contact the shop:',
  copy: {
    button: 'Copy',
    done: 'Copied',
    amount: 'Copy amount',
    address: 'Copy address',
    transactionId: 'Copy transaction id',
  },
  timer: { left: 'Time left', warning: 'Less than five minutes left to pay' },
  pay: {
    amount: 'Amount',
    stillToPay: 'Still to pay',
    address: 'Address',
    code: 'QR code',
    fullCode: 'Address and amount',
    addressCode: 'Address only',
    fullCodeLabel: (amount) => `QR code with the address and the amount of ${amount}`,
    addressCodeLabel: (address) => `QR code with the address ${address}`,
    amountNotInCode: (amount) => `The amount is not in this code: enter ${amount} yourself.`,
    openWallet: 'Open wallet',
    exchangeFee: (amount) => `Sending from an exchange? Its fee comes on top: exactly ${amount} must arrive here.`,
  },
  network: {
    only: (coin, network) => `${coin} on ${network} only.`,
    lost: 'Coins sent on any other network are lost.',
    kinds: { mainnet: null, testnet: 'test network', regtest: 'private test network' },
  },
  screens: {
    arrived: ({ paid, due }) => `${paid} of ${due} has arrived.`,
    contactShop: 'Please contact the shop.',
    replaced: 'An earlier transaction was replaced by another one and no longer counts.',
    waiting: (price, coin) => ({
      heading: `Pay ${price}`,
      sentences: [
        `Send exactly the amount of ${coin} below: scan the code with your wallet, or copy amount and address.`,
      ],
    }),
    partial: {
      heading: (missing) => `${missing} is still missing`,
      sendRest: (missing) => `Please send exactly ${missing} more to the same address.`,
    },
    checking: {
      heading: 'Checking the network',
      cannotSee: (chain) => `We cannot see new payments on the ${chain} network at the moment.`,
      youCanStillPay:
        'You can still pay: whatever you send in time will be found and counts. Please do not pay twice; this page goes on by itself.',
      windowIsOver: [
        'The time for this payment is over, and the network is being searched one last time.',
        'If you have paid in time, your payment counts. Please do not send anything now.',
      ],
    },
    seen: (paid) => ({
      heading: 'Your payment is on its way',
      sentences: [
        `${paid} has been seen and is being confirmed by the network. You can leave this page: the shop is notified automatically.`,
      ],
    }),
    blind: 'We cannot see the newest blocks at the moment. Nothing is lost; this page catches up by itself.',
    completed: {
      heading: 'Paid',
      confirmed: (paid) => `${paid} is confirmed. Thank you.`,
      acceptedByShop: 'The shop has accepted this payment.',
      tooMuch: (excess) => `${excess} more than was due has arrived. Please contact the shop about it.`,
    },
    lost: {
      heading: 'Coins of this payment are gone',
      sentences: [
        'They are no longer on the network. Please contact the shop.',
        'Should they come back, this page shows it.',
      ],
    },
    lostSettled: {
      heading: 'Coins of this payment are gone',
      sentences: [
        'They are no longer on the network. The shop has settled this.',
        'Should they come back, this page shows it.',
      ],
    },
    expired: {
      heading: 'This payment has expired',
      sentences: [
        'Please do not send anything now: the price is no longer valid.',
        'Already sent? Your payment will be found, and the shop will be notified.',
      ],
    },
    late: (paid) => ({
      heading: 'Your payment came late',
      sentences: [
        `${paid} has arrived after the time was over. Nothing is lost: the shop has been notified and decides what happens next.`,
        'Please do not send anything more. Questions? Contact the shop and give it the payment number below.',
      ],
    }),
    reviewing: {
      heading: 'The shop is checking this payment',
      sentences: [
        'There was activity at the payment address that does not match a known payment. The shop has been asked to look at it.',
        'The time to pay is paused meanwhile. Please do not send anything more.',
      ],
    },
    failed: {
      heading: 'This payment has failed',
      sentences: [
        'The network did not confirm the payment, or the shop has refused it. Please contact the shop before you pay again.',
        'Should the coins arrive after all, they will be found, and the shop will be notified.',
      ],
    },
  },
  countOf: (count, total) => `${count} of ${total}`,
  confirmations: { one: 'confirmation', other: 'confirmations' },
  facts: {
    heading: 'Details',
    order: 'Order',
    price: 'Price',
    amountDue: 'Amount due',
    rate: 'Rate, locked',
    paidSoFar: 'Paid so far',
    paid: 'Paid',
    stillDue: 'Still due',
    paidTooMuch: 'Paid too much',
    network: 'Network',
    confirmations: 'Confirmations',
    confirmationsComplete: (count) => `${count}, complete`,
    created: 'Created',
    payUntil: 'Pay until',
    wasOpenUntil: 'Was open until',
    completed: 'Completed',
    paymentNumber: 'Payment number',
  },
  paymentsHeading: 'Payments',
  explorer: (name) => `View on ${name}`,
  statuses: {
    detected: 'seen, not confirmed yet',
    confirming: 'being confirmed',
    confirmed: 'confirmed',
    replaced: 'replaced, does not count',
  },
  simulate: {
    heading: 'Simulate',
    note: 'Only test payments have these buttons.',
    actions: {
      pay: 'Pay what is due',
      pay_partial: 'Pay a part',
      overpay: 'Pay too much',
      confirm: 'Confirm',
      double_spend: 'Double-spend',
      reorg: 'Reorganise the chain',
      advance_clock: 'Let the time run out',
      pay_late: 'Pay late',
      drop_balance: 'Drop the balance',
    },
  },
  problems: {
    notFound: {
      heading: 'There is no such payment',
      sentences: ['Please check the address, or open the payment again from the shop.'],
    },
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['This page cannot be shown at the moment. Payments are not affected. Please try again in a moment.'],
    },
    broken: {
      heading: 'Something went wrong',
      sentences: ['This is our fault, not yours, and payments are not affected. Please try again in a moment.'],
    },
    notNow: {
      heading: 'That is not possible',
      sentences: ['This button does not fit the state the payment is in.'],
    },
    notUnderstood: { heading: 'That is not possible', sentences: ['The request could not be understood.'] },
    backToPayment: 'Back to the payment',
  },
  payProblems: {
    linkPaid: {
      heading: 'Already paid',
      sentences: ['This payment link has been paid, or its payment is being confirmed. Please do not pay again.'],
    },
    linkExpired: {
      heading: 'This payment link is no longer open',
      sentences: ['You have paid nothing. Please ask the shop for a new link.'],
    },
    amount: {
      heading: 'This amount cannot be paid',
      sentences: ['You have paid nothing. Please go back and choose another amount.'],
    },
    coin: {
      heading: 'This coin cannot be paid with here',
      sentences: ['You have paid nothing. Please go back and choose another coin.'],
    },
    paymentOpen: {
      heading: 'You have another payment open',
      sentences: ['Please finish it first, or come back when its time is over.'],
    },
    tooMany: {
      heading: 'Too many requests',
      sentences: ['Too much has been asked from your network address just now. Please wait a moment.'],
    },
    tooManyOpen: {
      heading: 'This shop has too many payments open',
      sentences: [
        'You have paid nothing. Too many payments that were opened here wait to be paid; there will be room again when some of them are paid or expire.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Too many payments are open from your network',
      sentences: [
        'You have paid nothing. Please finish a payment that is open, or come back when some of them have expired. If you share a connection with others, try another one, like mobile data.',
      ],
    },
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['The checkout cannot be opened at the moment. You have paid nothing.'],
    },
    shopCannot: {
      heading: 'This shop cannot take payments at the moment',
      sentences: [
        'You have paid nothing, and there is nothing to pay here.',
        'Please contact the shop, or choose another way to pay.',
      ],
    },
    wrongAddress: {
      heading: 'This checkout cannot be opened',
      sentences: [
        'The address that led here is not right. You have paid nothing. Please go back and let the shop know.',
      ],
    },
    triesAgain: 'This page tries again by itself.',
    goToOpenPayment: 'Go to the open payment',
    forShop: { heading: 'For the shop', code: 'Code', request: 'Request' },
  },
  recurring: ENGLISH_RECURRING,
  links: ENGLISH_LINKS,
  receipt: ENGLISH_RECEIPT,
};
