import type { PaymentStatus } from '../../../../machines/index.ts';
import type { CustomerView, SimulateAction } from '../../../payments/index.ts';
import type { PluralForms } from './formats.ts';
import { ENGLISH_LINKS } from './link-texts.ts';
import { ENGLISH_RECEIPT } from './receipt-texts.ts';
import { ENGLISH_RECURRING } from './recurring/en.ts';
import { ENGLISH_REJECTED_LINK } from './rejected-link-texts.ts';

/**
 * All texts of the payment page: one object per language, one file each. All are plain text, which
 * the templates escape; amounts are passed formatted. Sentences end with a full stop, everything
 * else has none. The shop's name is at the top of every page but part of no sentence, so that it
 * cannot change a sentence's meaning.
 */
export const ENGLISH = {
  /** Label of the language switch. */
  language: 'Language',
  banner: { strong: 'Test payment', rest: 'no real money' },
  connectionLost: 'The connection was lost. Trying again…',
  /** Link to the page of a payment link or a recurring period, where the coin is chosen. */
  otherCoin: 'Choose another coin',
  backToShop: 'Back to the shop',
  /** Link of an expired payment to a page that quotes anew. */
  newQuote: 'Get a new price',
  print: 'Print the receipt',
  /** Followed by the email address or web address of the shop's support. */
  support: 'Questions? Contact the shop:',
  /** How to reach the shop, where only the shop can help. */
  contact: {
    heading: 'Contact the shop',
    /** Where the shop has set no support contact. */
    unknown: 'Look for its contact details on its website or in its emails.',
    /** Above the payment number. */
    quote: 'When you write to the shop, quote this payment number.',
    /** What a customer sends to get a refund, which this service cannot send. */
    refund: (coin: string, network: string) =>
      `For a refund, include an address of your own wallet for ${coin} on ${network}. The shop makes refunds itself; nothing is sent back automatically.`,
  },
  copy: {
    button: 'Copy',
    /** Label of the button just after it was pressed. */
    done: 'Copied',
    /** Accessible names of the buttons; each contains the visible label. */
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
    /** Accessible name of the group of the two codes. */
    code: 'QR code',
    fullCode: 'Address and amount',
    addressCode: 'Address only',
    /** Content of the codes, for screen readers. */
    fullCodeLabel: (amount: string) => `QR code with the address and the amount of ${amount}`,
    addressCodeLabel: (address: string) => `QR code with the address ${address}`,
    amountNotInCode: (amount: string) => `The amount is not in this code: enter ${amount} yourself.`,
    openWallet: 'Open wallet',
    exchangeFee: (amount: string) => `Sending from an exchange? Add its fee: exactly ${amount} must arrive here.`,
  },
  network: {
    /** "USDT on Ethereum (ERC-20) only." */
    only: (coin: string, network: string) => `${coin} on ${network} only.`,
    lost: 'Coins sent on any other network are lost.',
    kinds: {
      mainnet: null,
      testnet: 'test network',
      regtest: 'private test network',
    } satisfies NetworkKindTexts as NetworkKindTexts,
  },
  screens: {
    /** How much of the amount due has arrived: "0.1 of 0.3 LTC has arrived." */
    arrived: ({ paid, due }: { readonly paid: string; readonly due: string }) => `${paid} of ${due} has arrived.`,
    /** Before the sentences of any screen, after a raised fee or a double spend. */
    replaced: 'An earlier transaction was replaced by another one and no longer counts.',
    /** The same while the customer can pay, after the network dropped coins. */
    gone: (amount: string) =>
      `A payment of ${amount} was seen but is no longer on the network. Check your wallet before paying again.`,
    waiting: (price: string, coin: string) => ({
      heading: `Pay ${price}`,
      sentences: [
        `Send exactly the amount of ${coin} below: scan the code with your wallet app, or copy the amount and the address into it.`,
      ],
    }),
    partial: {
      heading: (missing: string) => `${missing} is still missing`,
      sendRest: (missing: string) => `Please send exactly ${missing} more to the same address.`,
    },
    checking: {
      heading: 'Checking the network',
      cannotSee: (chain: string) => `We cannot see new payments on the ${chain} network at the moment.`,
      youCanStillPay:
        'You can still pay: a payment sent in time will be found and counts. Please do not pay twice; this page updates automatically.',
      windowIsOver: [
        'The time to pay is over. We are checking one last time whether your payment has arrived.',
        'If you have paid in time, your payment counts. Please do not send anything now.',
      ],
    },
    seen: (paid: string) => ({
      heading: 'Your payment is on its way',
      sentences: [
        `${paid} has been seen and is being confirmed by the network. You can leave this page: the shop is notified automatically.`,
      ],
    }),
    /** Shown when the newest blocks cannot be seen. */
    blind: 'We cannot see the newest confirmations at the moment. Nothing is lost; this page catches up automatically.',
    completed: {
      heading: 'Paid',
      confirmed: (paid: string) => `${paid} is confirmed. Thank you.`,
      acceptedByShop: 'The shop has accepted this payment.',
      tooMuch: (excess: string) => `${excess} more than was due has arrived. Contact the shop to get it back.`,
      /** Instead, once the shop has marked the excess as settled. */
      tooMuchSettled: (excess: string) =>
        `${excess} more than was due has arrived. The shop has marked this as settled.`,
    },
    /** Coins that were seen are no longer on the network. */
    lostHeading: {
      all: 'This payment is no longer on the network',
      part: 'Part of this payment is no longer on the network',
    },
    /** It was paid, but its coins have left the chain again. */
    lost: 'The shop does not have these coins. Check in your wallet whether they have returned, and contact the shop.',
    /** The shop has dealt with the loss. */
    lostSettled: 'The shop has settled this.',
    /** They were seen in time, and are gone before they were confirmed. */
    lostUnpaid: 'If your wallet shows the payment as cancelled or replaced, contact the shop before you pay again.',
    /** With the texts of a loss, unless another transaction spends the coins. */
    mayReturn: {
      lost: 'If the coins arrive again, this page will show it.',
      lostUnpaid:
        'The coins were seen, but are no longer visible on the network. They may return; this page updates automatically.',
      failedGone: 'If the coins still arrive, they will be found, and the shop will be notified.',
    },
    expired: {
      heading: 'This payment has expired',
      sentences: [
        'Please do not send anything now: the price is no longer valid.',
        'Already sent? Your payment will be found, and the shop will be notified.',
      ],
      /** Instead of the sentences, where coins have arrived. */
      paid: ['Please do not send anything more.', 'Ask the shop what happens to the coins that arrived.'],
      /** Instead, once the shop has dismissed late coins. */
      paidDismissed: [
        'The shop did not accept the late payment. Please do not send anything more.',
        'Ask the shop what happens to the coins that arrived.',
      ],
      /** Instead, once the shop has marked these coins as settled. */
      paidSettled: ['Please do not send anything more.', 'The shop has marked the coins that arrived as settled.'],
    },
    /** The coins arrived after the window. */
    late: (paid: string) => ({
      heading: 'Your payment arrived late',
      sentences: [
        `${paid} arrived after the time to pay was over. The shop has been notified and decides whether to accept the payment or refund it.`,
        'Please do not send anything more.',
      ],
    }),
    /** The coins arrived in time, and were confirmed after the payment had failed. */
    confirmedLate: (paid: string) => ({
      heading: 'Your payment was confirmed late',
      sentences: [
        `${paid} arrived in time, but the network confirmed it only after the payment had failed. The shop has been notified and decides whether to accept the payment or refund it.`,
        'Please do not send anything more.',
      ],
    }),
    /** Some coins arrived after the window, the others missed the deadline. */
    mixedLate: (paid: string) => ({
      heading: 'Your payment was late',
      sentences: [
        `Part of ${paid} arrived after the time to pay was over. The rest arrived in time, but the network confirmed it only after the payment had failed. The shop has been notified and decides whether to accept the payment or refund it.`,
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
    /** Not confirmed by the deadline. */
    failed: {
      heading: 'This payment has failed',
      sentences: [
        'The network did not confirm the payment in time. Please contact the shop before you pay again.',
        'If it is still confirmed, the shop will be notified.',
      ],
    },
    /** None of its coins is on the network any more. */
    failedGone: {
      heading: 'This payment has failed',
      sentences: [
        'The coins of this payment are no longer on the network. Please contact the shop before you pay again.',
      ],
    },
    /** Those are gone, and other coins arrived too late to be decided about. */
    failedLater: {
      heading: 'This payment has failed',
      sentences: [
        'The coins that were sent in time are no longer on the network. Please contact the shop before you pay again.',
        'Coins that arrived later do not count as payment.',
      ],
    },
    failedRejected: {
      heading: 'This payment has failed',
      sentences: ['The shop has rejected this payment. Please contact the shop before you pay again.'],
    },
  },
  /** "2 of 3", followed by `confirmations` where there is room. */
  countOf: (count: string, total: string) => `${count} of ${total}`,
  /** The noun for the count, in the form that follows "of `total`". */
  confirmations: { one: 'confirmation', other: 'confirmations' } as PluralForms,
  labels: {
    heading: 'Details',
    order: 'Order',
    price: 'Price',
    amountDue: 'Amount due',
    rate: 'Locked exchange rate',
    paidSoFar: 'Paid so far',
    paid: 'Paid',
    /** Instead of `paid`, while the order is not paid. */
    received: 'Received',
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
  /** Link to a transaction in the block explorer of this name. */
  explorer: (name: string) => `View on ${name}`,
  statuses: {
    detected: 'seen, not confirmed yet',
    confirming: 'being confirmed',
    confirmed: 'confirmed',
    replaced: 'replaced, does not count',
    /** Dropped by the network, without another payment in its place. */
    gone: 'no longer on the network',
  } satisfies { readonly [S in PaymentStatus | 'gone']: string },
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
    } satisfies { readonly [A in SimulateAction]: string },
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
    /** An action that is not possible now. */
    notNow: {
      heading: 'That is not possible',
      sentences: ['The payment’s current status does not allow this. Please go back to see the status.'],
    },
    notUnderstood: {
      heading: 'That is not possible',
      sentences: ['We could not read the request. Please go back and try again.'],
    },
    backToPayment: 'Back to the payment',
  },
  /** Why no payment could be opened. */
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

/** The texts in one language; English has all of them. */
export type Texts = typeof ENGLISH;

/** Null for mainnet. */
type NetworkKindTexts = { readonly [K in CustomerView['network']['kind']]: string | null };
