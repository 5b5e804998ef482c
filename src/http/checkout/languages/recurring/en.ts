import type { RecurringTexts } from './texts.ts';

export const ENGLISH_RECURRING: RecurringTexts = {
  banner: { strong: 'Test', rest: 'no real money is asked for' },
  back: 'Back',
  nextHeading: 'What happens next',
  labels: {
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
  often: { weekly: 'every week', monthly: 'every month', quarterly: 'every three months', yearly: 'every year' },
  startsAtOnce: 'As soon as you agree',
  untilEnded: 'Until you or the shop ends it',
  confirm: {
    ask: (often) => ({
      heading: 'Do you agree to these requests?',
      sentences: [`This shop would like to ask you for a payment ${often}. Nothing happens unless you agree.`],
    }),
    firstAtOnce: 'You get the first request by mail as soon as you agree, and one more whenever a payment is due.',
    firstOnItsDay: 'You get a request by mail whenever a payment is due.',
    after: [
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
    },
    refuse: {
      heading: 'Stop these requests?',
      sentences: ['You have not agreed to them. Stop them, and you get no more emails about this.'],
    },
    meaningHeading: 'What stopping means',
    meaning: [
      'Nothing is requested any more, and no reminder is sent.',
      'A payment you have already sent still counts.',
      'It ends the requests, not what you may have agreed with the shop. Please let the shop know as well.',
    ],
    button: 'Stop these requests',
  },
  pay: {
    due: (amount) => ({
      heading: `Pay ${amount}`,
      sentences: ['You send the coins yourself: nothing is taken from your wallet.'],
    }),
    late: (amount) => ({
      heading: `Pay ${amount}`,
      sentences: ['This payment is late, but you can still make it.'],
    }),
    open: (amount) => ({
      heading: `Pay ${amount}`,
      sentences: ['You have opened this payment already, and its price in coins is fixed for a while.'],
    }),
    inProgress: {
      heading: 'Your payment is on its way',
      sentences: ['Coins for this payment have been seen. Please look at it before you send anything more.'],
    },
    paid: { heading: 'Paid. Thank you', sentences: ['This payment is complete; there is nothing more to do.'] },
    nothingToPay: 'There is nothing to pay here any more. A payment you have already sent still counts.',
    choose: 'Which coin do you want to pay with?',
    fixed: 'The amount in coins is worked out in the next step.',
    goToPay: 'Continue to the payment',
    payWith: (coin) => `Pay with ${coin}`,
    goOn: 'Continue with this payment',
    another: 'Pay with another coin',
    look: 'See the payment',
    receipt: 'See the receipt',
    token: (crypto, network) => `${crypto} on ${network}`,
  },
  statuses: {
    active: { heading: 'Confirmed', sentences: ['You have agreed to these requests.'] },
    paused: {
      heading: 'Paused by the shop',
      sentences: ['You have agreed to these requests. Nothing new is requested until the shop resumes them.'],
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
  },
  finished: {
    heading: 'These requests are complete',
    sentences: ['The last payment has been requested. Nothing more will come.'],
  },
  following: {
    none: 'The last request has been sent to you by mail.',
    first: (day) => `The first request comes by mail on ${day}.`,
    next: (day) => `What is already due has been requested by mail. The next request comes on ${day}.`,
  },
  problems: {
    noSuchLink: {
      heading: 'There is no such link',
      sentences: [
        'Please check that the address is complete: some mail programs break long ones. Otherwise open the link from the mail again, or ask the shop.',
      ],
    },
    unavailable: {
      heading: 'Temporarily unavailable',
      sentences: ['That cannot be done at the moment, and nothing was changed. Please try again shortly.'],
    },
    triesAgain: 'This page tries again by itself.',
    broken: {
      heading: 'Something went wrong',
      sentences: ['This is our fault, not yours. Please try again in a moment.'],
    },
    notNow: {
      heading: 'That is not possible any more',
      sentences: ['Something has changed meanwhile. Please go back to see where things stand.'],
    },
    chooseCoin: {
      heading: 'Please choose another coin',
      sentences: ['This payment cannot be made in that coin. Please go back and choose one of those offered.'],
    },
    shopCannot: {
      heading: 'This shop cannot take payments at the moment',
      sentences: ['No payment could be opened. Please contact the shop, or come back later: the link stays valid.'],
    },
    notUnderstood: {
      heading: 'That is not possible',
      sentences: ['The request could not be understood. Please open the link from the mail again.'],
    },
  },
};
