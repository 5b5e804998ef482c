import type { Interval, ScheduleStatus } from '../../../../../machines/index.ts';
import type { ScreenText } from '../screen-text.ts';

/**
 * All texts of the pages behind the links in recurring emails: one object per language, one file
 * each. As for the payment page, all are plain text, and the shop's name is part of no sentence.
 */
export const ENGLISH_RECURRING = {
  banner: { strong: 'Test', rest: 'no real money is requested' },
  back: 'Back',
  nextHeading: 'What happens next',
  labels: {
    description: 'For',
    often: 'How often',
    amount: 'Amount',
    start: 'Starts on',
    next: 'Next request',
    count: 'Number of payments',
    period: 'Payment',
    due: 'Due',
    wasDue: 'Was due',
  },
  /** "every month", after an amount and within a sentence. */
  often: {
    weekly: 'every week',
    monthly: 'every month',
    quarterly: 'every three months',
    yearly: 'every year',
  } satisfies { readonly [I in Interval]: string },
  startsAtOnce: 'As soon as you agree',
  /** Instead of a number of payments. */
  untilEnded: 'Until you or the shop ends it',
  confirm: {
    /** `often` is one of the phrases above. */
    ask: (often: string) => ({
      heading: 'Do you agree to these requests?',
      sentences: [`This shop would like to ask you for a payment ${often}. Nothing happens unless you agree.`],
    }),
    /**
     * What happens next, in order; the first item depends on whether the
     * merchant has set a start day.
     */
    firstAtOnce: 'You receive the first request by email as soon as you agree, and another whenever a payment is due.',
    firstOnItsDay: 'You receive a request by email whenever a payment is due.',
    after: [
      'Nothing is ever taken from your wallet: you send each payment yourself.',
      'A link in every email ends the requests at any time.',
    ],
    button: 'Agree to these requests',
    otherwise: 'You did not expect this? Ignore it: no payment is requested unless you agree.',
  },
  stop: {
    ask: {
      heading: 'Stop these requests?',
      sentences: ['You can end them at any time, without giving a reason.'],
    },
    /** Shown before the customer has confirmed. */
    decline: {
      heading: 'Stop these requests?',
      sentences: ['You have not agreed to them. If you stop them, you receive no more emails about this.'],
    },
    meaningHeading: 'What stopping means',
    meaning: [
      'Nothing more is requested, and no reminder is sent.',
      'A payment you have already sent still counts.',
      'This ends the requests, not any agreement you have with the shop. Please let the shop know as well.',
    ],
    button: 'Stop these requests',
  },
  pay: {
    due: (amount: string) => ({
      heading: `Pay ${amount}`,
      sentences: ['You send the coins yourself: nothing is taken from your wallet.'],
    }),
    late: (amount: string) => ({
      heading: `Pay ${amount}`,
      sentences: ['This payment is late, but you can still make it.'],
    }),
    open: (amount: string) => ({
      heading: `Pay ${amount}`,
      sentences: ['You have already opened this payment. Its price in coins is fixed for a limited time.'],
    }),
    inProgress: {
      heading: 'Your payment is on its way',
      sentences: ['Coins for this payment have been seen. Please check it before you send anything more.'],
    },
    paid: { heading: 'Paid. Thank you', sentences: ['This payment is complete. No further action is needed.'] },
    nothingToPay: 'Nothing more is due here. A payment you have already sent still counts.',
    choose: 'Which coin do you want to pay with?',
    fixed: 'The amount in coins is calculated in the next step.',
    goToPay: 'Continue to the payment',
    /** Leads to the page of a period. */
    now: 'Pay now',
    /** "Pay with Litecoin (LTC)" */
    payWith: (coin: string) => `Pay with ${coin}`,
    continuePayment: 'Continue with this payment',
    another: 'Pay with another coin',
    viewPayment: 'View the payment',
    receipt: 'View the receipt',
    /** "USDT on Ethereum (ERC-20)" */
    token: (crypto: string, network: string) => `${crypto} on ${network}`,
  },
  /** Status of a schedule that no longer needs a decision. */
  statuses: {
    active: { heading: 'Confirmed', sentences: ['You have agreed to these requests.'] },
    paused: {
      heading: 'Paused by the shop',
      sentences: ['You have agreed to these requests. Nothing new is requested until the shop resumes them.'],
    },
    cancelled: { heading: 'The shop has ended these requests', sentences: ['Nothing more is requested.'] },
    stopped_by_customer: {
      heading: 'These requests are stopped',
      sentences: [
        'Nothing more is requested. A payment you have already sent still counts.',
        'Changed your mind? Please ask the shop for a new request.',
      ],
    },
    bounced: {
      heading: 'These requests have ended',
      sentences: [
        'Email could not be delivered to you, so nothing more is requested.',
        'To continue them, please give the shop a working address.',
      ],
    },
    expired_unconfirmed: {
      heading: 'The time to agree has ended',
      sentences: ['Nothing will be requested. If you still want these requests, please ask the shop for a new one.'],
    },
  } satisfies { readonly [S in Exclude<ScheduleStatus, 'pending_confirmation'>]: ScreenText },
  /** After the last period. */
  finished: {
    heading: 'These requests are complete',
    sentences: ['The last payment has been requested. No more will follow.'],
  },
  /** When the next request is due, for a confirmed schedule. */
  following: {
    none: 'The last request has been sent to you by email.',
    first: (day: string) => `The first request arrives by email on ${day}.`,
    next: (day: string) => `The next request arrives on ${day}.`,
    /** Where the email with its link was sent. */
    firstIsDue: 'Your first payment is due now. We have emailed you the link.',
    isDue: 'A payment is due now. We have emailed you the link.',
  },
  problems: {
    noSuchLink: {
      heading: 'Link not found',
      sentences: [
        'Please check that the link is complete: some email programs break long links. Otherwise open it from the email again, or ask the shop.',
      ],
    },
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['This is not possible at the moment, and nothing was changed. Please try again shortly.'],
    },
    triesAgain: 'This page retries automatically.',
    broken: {
      heading: 'Something went wrong',
      sentences: ['This is an error on our side. Please try again in a moment.'],
    },
    notNow: {
      heading: 'That is no longer possible',
      sentences: ['Something has changed in the meantime. Please go back to see the current status.'],
    },
    chooseCoin: {
      heading: 'Please choose another coin',
      sentences: ['This payment cannot be made in that coin. Please go back and choose one of the coins offered.'],
    },
    shopCannot: {
      heading: 'This shop cannot accept payments at the moment',
      sentences: ['No payment could be opened. Please contact the shop, or come back later: the link stays valid.'],
    },
    notUnderstood: {
      heading: 'That is not possible',
      sentences: ['The request could not be read. Please open the link from the email again.'],
    },
  },
};

/** The texts in one language; English has all of them. */
export type RecurringTexts = typeof ENGLISH_RECURRING;

/** Statuses in which the customer has nothing to confirm. */
export type SettledStatus = keyof RecurringTexts['statuses'];
