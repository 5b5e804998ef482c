import type { PaymentStatus } from '../../../../machines/index.ts';
import type { CustomerView, SimulateAction } from '../../../payments/index.ts';
import type { PluralForms } from './formats.ts';
import type { LinkTexts } from './link-texts.ts';
import type { ReceiptTexts } from './receipt-texts.ts';
import type { RecurringTexts } from './recurring/texts.ts';
import type { RejectedLinkTexts } from './rejected-link-texts.ts';
import type { ScreenText } from './screen-text.ts';

/**
 * All texts of the payment page: one object per language, one file each. All are plain text, which
 * the templates escape; amounts are passed formatted. Sentences end with a full stop, everything
 * else has none. The shop's name is at the top of every page but part of no sentence, so that it
 * cannot change a sentence's meaning.
 */
export interface Texts {
  /** Label of the language switch. */
  readonly language: string;
  readonly banner: { readonly strong: string; readonly rest: string };
  readonly connectionLost: string;
  readonly backToShop: string;
  /** Link to the page of a payment link or a recurring period, where the coin is chosen. */
  readonly otherCoin: string;
  /** Link of an expired payment to a page that quotes anew. */
  readonly newQuote: string;
  readonly print: string;
  /** Followed by the email address or web address of the shop's support. */
  readonly support: string;
  readonly contact: ContactTexts;
  readonly copy: {
    readonly button: string;
    /** Label of the button just after it was pressed. */
    readonly done: string;
    /** Accessible names of the buttons; each contains the visible label. */
    readonly amount: string;
    readonly address: string;
    readonly transactionId: string;
    readonly paymentNumber: string;
  };
  readonly timer: { readonly left: string; readonly warning: string };
  readonly pay: PayTexts;
  readonly network: {
    /** "USDT on Ethereum (ERC-20) only." */
    readonly only: (coin: string, network: string) => string;
    readonly lost: string;
    /** Null for mainnet. */
    readonly kinds: { readonly [K in CustomerView['network']['kind']]: string | null };
  };
  readonly screens: ScreenTexts;
  /** "2 of 3", followed by `confirmations` where there is room. */
  readonly countOf: (count: string, total: string) => string;
  /** The noun for the count, in the form that follows "of `total`". */
  readonly confirmations: PluralForms;
  readonly labels: LabelTexts;
  readonly paymentsHeading: string;
  /** Link to a transaction in the block explorer of this name. */
  readonly explorer: (name: string) => string;
  /** `gone`: dropped by the network, without another payment in its place. */
  readonly statuses: { readonly [S in PaymentStatus | 'gone']: string };
  readonly simulate: {
    readonly heading: string;
    readonly note: string;
    readonly actions: { readonly [A in SimulateAction]: string };
  };
  readonly problems: ProblemTexts;
  readonly payProblems: PayProblemTexts;
  readonly recurring: RecurringTexts;
  readonly links: LinkTexts;
  readonly rejectedLink: RejectedLinkTexts;
  readonly receipt: ReceiptTexts;
}

/** How to reach the shop, where only the shop can help. */
export interface ContactTexts {
  readonly heading: string;
  /** Where the shop has set no support contact. */
  readonly unknown: string;
  /** Above the payment number. */
  readonly quote: string;
  /** What a customer sends to get a refund, which this service cannot send. */
  readonly refund: (coin: string, network: string) => string;
}

export interface PayTexts {
  readonly amount: string;
  readonly stillToPay: string;
  readonly address: string;
  /** Accessible name of the group of the two codes. */
  readonly code: string;
  readonly fullCode: string;
  readonly addressCode: string;
  /** Content of the codes, for screen readers. */
  readonly fullCodeLabel: (amount: string) => string;
  readonly addressCodeLabel: (address: string) => string;
  readonly amountNotInCode: (amount: string) => string;
  readonly openWallet: string;
  readonly exchangeFee: (amount: string) => string;
}

/** How much of the amount due has arrived: "0.1" of "0.3 LTC". */
export interface Arrived {
  readonly paid: string;
  readonly due: string;
}

export interface ScreenTexts {
  /** "0.1 of 0.3 LTC has arrived." */
  readonly arrived: (amounts: Arrived) => string;
  /** Before the sentences of any screen, after a raised fee or a double spend. */
  readonly replaced: string;
  readonly waiting: (price: string, coin: string) => ScreenText;
  readonly partial: { readonly heading: (missing: string) => string; readonly sendRest: (missing: string) => string };
  readonly checking: {
    readonly heading: string;
    readonly cannotSee: (chain: string) => string;
    readonly youCanStillPay: string;
    readonly windowIsOver: readonly string[];
  };
  readonly seen: (paid: string) => ScreenText;
  /** Shown when the newest blocks cannot be seen. */
  readonly blind: string;
  readonly completed: {
    readonly heading: string;
    readonly confirmed: (paid: string) => string;
    readonly acceptedByShop: string;
    readonly tooMuch: (excess: string) => string;
    /** Instead, once the shop has marked the excess as settled. */
    readonly tooMuchSettled: (excess: string) => string;
  };
  /** It was paid, but its coins have left the chain again. */
  readonly lost: ScreenText;
  /** The shop has dealt with the loss. */
  readonly lostSettled: ScreenText;
  readonly expired: ScreenText & {
    /** Instead of the sentences, where coins have arrived. */
    readonly paid: readonly string[];
    /** Instead, once the shop has marked these coins as settled. */
    readonly paidSettled: readonly string[];
  };
  /** The coins arrived after the window. */
  readonly late: (paid: string) => ScreenText;
  /** The coins arrived in time, and were confirmed after the payment had failed. */
  readonly confirmedLate: (paid: string) => ScreenText;
  readonly reviewing: ScreenText;
  /** Not confirmed by the deadline. */
  readonly failed: ScreenText;
  /** None of its coins is on the network any more. */
  readonly failedGone: ScreenText;
  readonly failedRejected: ScreenText;
}

export interface LabelTexts {
  readonly heading: string;
  readonly order: string;
  readonly price: string;
  readonly amountDue: string;
  readonly rate: string;
  readonly paidSoFar: string;
  readonly paid: string;
  /** Of a failed payment, instead of `paid`. */
  readonly receivedUnconfirmed: string;
  readonly stillDue: string;
  readonly paidTooMuch: string;
  readonly network: string;
  readonly confirmations: string;
  readonly created: string;
  readonly payUntil: string;
  readonly wasOpenUntil: string;
  readonly completed: string;
  readonly paymentNumber: string;
}

export interface ProblemTexts {
  readonly notFound: ScreenText;
  readonly unavailable: ScreenText;
  readonly broken: ScreenText;
  /** An action that is not possible now. */
  readonly notNow: ScreenText;
  readonly notUnderstood: ScreenText;
  readonly backToPayment: string;
}

/** Why no payment could be opened. */
export interface PayProblemTexts {
  readonly amount: ScreenText;
  readonly coin: ScreenText;
  readonly paymentOpen: ScreenText;
  readonly tooMany: ScreenText;
  readonly tooManyOpen: ScreenText;
  readonly tooManyOpenOfNetwork: ScreenText;
  readonly unavailable: ScreenText;
  readonly shopCannot: ScreenText;
  readonly wrongAddress: ScreenText;
  readonly triesAgain: string;
  readonly goToOpenPayment: string;
  readonly forShop: { readonly heading: string; readonly code: string; readonly request: string };
}
