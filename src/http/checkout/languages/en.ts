import { ENGLISH_LINKS } from './link-texts.ts';
import { ENGLISH_RECEIPT } from './receipt-texts.ts';
import { ENGLISH_RECURRING } from './recurring/en.ts';
import { ENGLISH_REJECTED_LINK } from './rejected-link-texts.ts';
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
  contact: {
    heading: 'Contact the shop',
    unknown: 'Look for its contact details on its website or in its emails.',
    quote: 'When you write to the shop, quote this payment number.',
    refund: (coin, network) =>
      `For a refund, include an address of your own wallet for ${coin} on ${network}. The shop makes refunds itself; nothing is sent back automatically.`,
  },
  copy: {
    button: 'Copy',
    done: 'Copied',
    amount: 'Copy amount',
    address: 'Copy address',
    transactionId: 'Copy transaction id',
    paymentNumber: 'Copy payment number',
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
    exchangeFee: (amount) => `Sending from an exchange? Add its fee: exactly ${amount} must arrive here.`,
  },
  network: {
    only: (coin, network) => `${coin} on ${network} only.`,
    lost: 'Coins sent on any other network are lost.',
    kinds: { mainnet: null, testnet: 'test network', regtest: 'private test network' },
  },
  screens: {
    arrived: ({ paid, due }) => `${paid} of ${due} has arrived.`,
    replaced: 'An earlier transaction was replaced by another one and no longer counts.',
    waiting: (price, coin) => ({
      heading: `Pay ${price}`,
      sentences: [
        `Send exactly the amount of ${coin} below: scan the code with your wallet app, or copy the amount and the address into it.`,
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
        'You can still pay: a payment sent in time will be found and counts. Please do not pay twice; this page updates automatically.',
      windowIsOver: [
        'The time to pay is over. We are checking one last time whether your payment has arrived.',
        'If you have paid in time, your payment counts. Please do not send anything now.',
      ],
    },
    seen: (paid) => ({
      heading: 'Your payment is on its way',
      sentences: [
        `${paid} has been seen and is being confirmed by the network. You can leave this page: the shop is notified automatically.`,
      ],
    }),
    blind: 'We cannot see the newest confirmations at the moment. Nothing is lost; this page catches up automatically.',
    completed: {
      heading: 'Paid',
      confirmed: (paid) => `${paid} is confirmed. Thank you.`,
      acceptedByShop: 'The shop has accepted this payment.',
      tooMuch: (excess) => `${excess} more than was due has arrived. Contact the shop to get it back.`,
      tooMuchSettled: (excess) => `${excess} more than was due has arrived. The shop has marked this as settled.`,
    },
    lost: {
      heading: 'Coins of this payment have disappeared',
      sentences: [
        'They are no longer on the network, so the shop does not have them. Check in your wallet whether they have returned, and contact the shop.',
        'If they arrive again, this page will show it.',
      ],
    },
    lostSettled: {
      heading: 'Coins of this payment have disappeared',
      sentences: [
        'They are no longer on the network. The shop has settled this.',
        'If they arrive again, this page will show it.',
      ],
    },
    expired: {
      heading: 'This payment has expired',
      sentences: [
        'Please do not send anything now: the price is no longer valid.',
        'Already sent? Your payment will be found, and the shop will be notified.',
      ],
      paid: ['Please do not send anything more.', 'Ask the shop what happens to the coins that arrived.'],
      paidSettled: ['Please do not send anything more.', 'The shop has marked the coins that arrived as settled.'],
    },
    late: (paid) => ({
      heading: 'Your payment arrived late',
      sentences: [
        `${paid} arrived after the time to pay was over. The shop has been notified and decides whether to accept the payment or refund it.`,
        'Please do not send anything more.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'Your payment was confirmed late',
      sentences: [
        `${paid} arrived in time, but the network confirmed it only after the payment had failed. The shop has been notified and decides whether to accept the payment or refund it.`,
        'Please do not send anything more.',
      ],
    }),
    reviewing: {
      heading: 'The shop is checking this payment',
      sentences: [
        'There was activity at the payment address that does not match a known payment. The shop has been asked to look at it.',
        'The payment window is paused. Please do not send anything more.',
      ],
    },
    failed: {
      heading: 'This payment has failed',
      sentences: [
        'The network did not confirm the payment in time. Please contact the shop before you pay again.',
        'If it is still confirmed, the shop will be notified.',
      ],
    },
    failedGone: {
      heading: 'This payment has failed',
      sentences: [
        'The coins of this payment are no longer on the network. Please contact the shop before you pay again.',
        'If the coins still arrive, they will be found, and the shop will be notified.',
      ],
    },
    failedRejected: {
      heading: 'This payment has failed',
      sentences: ['The shop has rejected this payment. Please contact the shop before you pay again.'],
    },
  },
  countOf: (count, total) => `${count} of ${total}`,
  confirmations: { one: 'confirmation', other: 'confirmations' },
  labels: {
    heading: 'Details',
    order: 'Order',
    price: 'Price',
    amountDue: 'Amount due',
    rate: 'Locked exchange rate',
    paidSoFar: 'Paid so far',
    paid: 'Paid',
    receivedUnconfirmed: 'Received, not confirmed',
    stillDue: 'Still due',
    paidTooMuch: 'Paid too much',
    network: 'Network',
    confirmations: 'Confirmations',
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
    gone: 'no longer on the network',
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
      heading: 'Payment not found',
      sentences: ['Please check that the link is complete, or open the payment again from the shop.'],
    },
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['This page cannot be shown at the moment. Payments are not affected. Please try again in a moment.'],
    },
    broken: {
      heading: 'Something went wrong',
      sentences: ['This is an error on our side, and payments are not affected. Please try again in a moment.'],
    },
    notNow: {
      heading: 'That is not possible',
      sentences: ['The payment has changed since you opened this page. Please go back to see its status.'],
    },
    notUnderstood: {
      heading: 'That is not possible',
      sentences: ['We could not read the request. Please go back and try again.'],
    },
    backToPayment: 'Back to the payment',
  },
  payProblems: {
    amount: {
      heading: 'This amount cannot be paid',
      sentences: ['You have paid nothing. Please go back and choose another amount.'],
    },
    coin: {
      heading: 'You cannot pay with this coin here',
      sentences: ['You have paid nothing. Please go back and choose another coin.'],
    },
    paymentOpen: {
      heading: 'You have another payment open',
      sentences: ['Please complete it first, or come back after it has expired.'],
    },
    tooMany: {
      heading: 'Too many requests',
      sentences: ['There were too many requests from your internet connection. Please wait a moment.'],
    },
    tooManyOpen: {
      heading: 'This shop has too many open payments',
      sentences: [
        'You have paid nothing. Too many payments to this shop are unpaid. Please try again later, when some of them have been paid or have expired.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Too many payments are open from your internet connection',
      sentences: [
        'You have paid nothing. Please complete an open payment, or come back when some of them have expired. If you share a connection with others, try another one, like mobile data.',
      ],
    },
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['The checkout cannot be opened at the moment. You have paid nothing.'],
    },
    shopCannot: {
      heading: 'This shop cannot accept payments at the moment',
      sentences: [
        'You have paid nothing, and there is nothing to pay here.',
        'Please contact the shop, or choose another way to pay.',
      ],
    },
    wrongAddress: {
      heading: 'This checkout cannot be opened',
      sentences: ['The link that led here is wrong. You have paid nothing. Please go back and let the shop know.'],
    },
    triesAgain: 'This page retries automatically.',
    goToOpenPayment: 'Go to the open payment',
    forShop: { heading: 'For the shop', code: 'Code', request: 'Request' },
  },
  recurring: ENGLISH_RECURRING,
  links: ENGLISH_LINKS,
  rejectedLink: ENGLISH_REJECTED_LINK,
  receipt: ENGLISH_RECEIPT,
};
