import {
  ASSETS,
  type CryptoSymbol,
  type FiatCurrency,
  type Interval,
  type ScheduleStatus,
  type UnixMs,
} from '../../../machines/index.ts';
import { fiatAmount, type Words } from '../words.ts';

/**
 * Every text of the pages behind the links of recurring mails, in one place: a translation is another object of this form.
 * Plain text throughout; the templates escape it. The name of the shop stands at the top of every page and never inside a
 * sentence, so it cannot bend what the sentence says.
 */
export const WORDS = {
  banner: { strong: 'Test', rest: 'no real money is asked for' },
  back: 'Back',
  nextHeading: 'What happens next',

  facts: {
    description: 'For',
    often: 'How often',
    amount: 'Amount',
    start: 'Starts on',
    next: 'Next request',
    count: 'Number of payments',
    period: 'Payment number',
    due: 'Due',
    wasDue: 'Was due',
  },

  /** "every month" */
  often: (interval: Interval): string => OFTEN[interval],
  /** "25.00 EUR" */
  money: (amount: string, currency: FiatCurrency): string => `${fiatAmount(amount)} ${currency}`,
  /** "1 December 2026", in UTC like the mails: due dates are days there. */
  date,
  startsAtOnce: 'As soon as you agree',
  /** "3 of 12" */
  periodOf: (periodNo: number, count: number | null): string =>
    count === null ? String(periodNo) : `${periodNo} of ${count}`,
  countOf: (count: number | null): string => (count === null ? 'Until you or the shop ends it' : String(count)),

  confirm: {
    ask: (interval: Interval): Words => ({
      heading: 'Do you agree to these requests?',
      sentences: [
        `This shop would like to ask you for a payment ${OFTEN[interval]}. Nothing happens unless you agree.`,
      ],
    }),
    next: (startAt: UnixMs | null): readonly string[] => [
      startAt === null
        ? 'You get the first request by mail as soon as you agree, and one more whenever a payment is due.'
        : 'You get a request by mail whenever a payment is due.',
      'Nothing is ever taken from your wallet: you make each payment yourself.',
      'A link in every mail ends the requests, whenever you like.',
    ],
    button: 'Agree to these requests',
    otherwise: 'You did not expect this? Then do nothing: without your agreement no payment is requested.',
  },

  stop: {
    ask: {
      heading: 'Stop these requests?',
      sentences: ['You can end them at any time, without giving a reason.'],
    } satisfies Words,
    refuse: {
      heading: 'Stop these requests?',
      sentences: ['You have not agreed to them. Stop them, and you get no more mail about this.'],
    } satisfies Words,
    meaningHeading: 'What stopping means',
    meaning: [
      'Nothing is requested any more, and no reminder is sent.',
      'A payment you have already sent still counts.',
      'It ends the requests, not what you may have agreed with the shop. Please tell the shop as well.',
    ],
    button: 'Stop these requests',
  },

  pay: {
    due: (amount: string): Words => ({
      heading: `Pay ${amount}`,
      sentences: ['You send the coins yourself: nothing is taken from your wallet.'],
    }),
    late: (amount: string): Words => ({
      heading: `Pay ${amount}`,
      sentences: ['This payment is late, but you can still make it.'],
    }),
    open: (amount: string): Words => ({
      heading: `Pay ${amount}`,
      sentences: ['You have opened this payment already, and its price in coins is fixed for a while.'],
    }),
    underWay: {
      heading: 'Your payment is on its way',
      sentences: ['Coins for this payment have been seen. Please look at it before you send anything more.'],
    } satisfies Words,
    paid: {
      heading: 'Paid. Thank you',
      sentences: ['This payment is complete; there is nothing more to do.'],
    } satisfies Words,
    nothingToPay: 'There is nothing to pay here any more. A payment you have already sent still counts.',
    choose: 'Which coin do you want to pay with?',
    fixed: 'The amount in coins is worked out in the next step.',
    goToPay: 'Continue to the payment',
    payWith: (crypto: CryptoSymbol): string => `Pay with ${coinOf(crypto).name} (${crypto})`,
    goOn: 'Go on with the payment',
    another: 'Pay with another coin',
    look: 'See the payment',
    receipt: 'See the receipt',
    coin: coinOf,
  },

  /** Where a schedule stands on which nothing is left to decide. */
  standing: (status: SettledStatus, isFinished: boolean): Words => {
    if (isFinished) return FINISHED;
    return STANDINGS[status];
  },
  /** When the next request comes, for a schedule that is agreed to. */
  following: (nextDueAt: UnixMs | null, startAt: UnixMs | null): string => {
    if (nextDueAt === null) return 'The last request has been sent to you by mail.';
    if (nextDueAt === startAt) return `The first request comes by mail on ${date(nextDueAt)}.`;
    return `What is due already has been sent to you by mail. The next request comes on ${date(nextDueAt)}.`;
  },

  problems: {
    noSuchLink: {
      heading: 'There is no such link',
      sentences: [
        'Please check that the address is complete: some mail programs break long ones. Otherwise open the link from the mail again, or ask the shop.',
      ],
    } satisfies Words,
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['That cannot be done at the moment, and nothing was changed. Please try again shortly.'],
    } satisfies Words,
    triesAgain: 'This page tries again by itself.',
    broken: {
      heading: 'Something went wrong',
      sentences: ['This is our fault, not yours. Please try again in a moment.'],
    } satisfies Words,
    notNow: {
      heading: 'That is not possible any more',
      sentences: ['Something has changed meanwhile. Please go back to see where things stand.'],
    } satisfies Words,
    chooseCoin: {
      heading: 'Please choose another coin',
      sentences: ['This payment cannot be made in that coin. Please go back and choose one of those offered.'],
    } satisfies Words,
    shopCannot: {
      heading: 'This shop cannot take payments at the moment',
      sentences: ['No payment could be opened. Please contact the shop, or come back later: the link stays valid.'],
    } satisfies Words,
    notUnderstood: {
      heading: 'That is not possible',
      sentences: ['The request could not be understood. Please open the link from the mail again.'],
    } satisfies Words,
  },
} as const;

/** The statuses that leave the customer nothing to agree to. */
export type SettledStatus = Exclude<ScheduleStatus, 'pending_confirmation'>;

// Helpers

const OFTEN: { readonly [I in Interval]: string } = {
  weekly: 'every week',
  monthly: 'every month',
  quarterly: 'every three months',
  yearly: 'every year',
};

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Without a locale, which differs from one machine to the next. */
function date(at: UnixMs): string {
  const day = new Date(at);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

const FINISHED: Words = {
  heading: 'These requests are complete',
  sentences: ['The last payment has been requested. Nothing more will come.'],
};

const STANDINGS: { readonly [S in SettledStatus]: Words } = {
  active: { heading: 'Confirmed', sentences: ['You have agreed to these requests.'] },
  paused: {
    heading: 'Paused by the shop',
    sentences: ['You have agreed to these requests. Nothing new is requested until the shop goes on with them.'],
  },
  cancelled: { heading: 'The shop has ended these requests', sentences: ['Nothing is requested any more.'] },
  stopped_by_customer: {
    heading: 'These requests are stopped',
    sentences: [
      'Nothing is requested any more. A payment you have already sent still counts.',
      'Changed your mind? Please ask the shop for a new request.',
    ],
  },
  bounced: {
    heading: 'These requests have ended',
    sentences: [
      'Mail could not be delivered to you, so nothing is requested any more.',
      'Do you want them to go on? Please give the shop an address that works.',
    ],
  },
  expired_unconfirmed: {
    heading: 'The time to agree is over',
    sentences: [
      'Nothing will be requested. Do you want these requests after all? Please ask the shop to send a new one.',
    ],
  },
};

/** A coin for people: its name, and what must be told apart when sending it. */
function coinOf(crypto: CryptoSymbol): { readonly name: string; readonly detail: string } {
  const { name, type } = ASSETS[crypto];
  return { name, detail: type === 'token' ? `${crypto} on Ethereum (ERC-20)` : crypto };
}
