import type { PaymentStatus } from '../../../machines/index.ts';
import type { PublicTransaction, SimulateAction } from '../../payments/index.ts';
import type { PluralForms } from './formats.ts';
import type { RecurringTexts } from './recurring/texts.ts';
import type { Words } from './words.ts';

/**
 * Every text of the payment page: one object of this type per language, one file each. Plain text throughout; the templates
 * escape it. Amounts come in written out. Sentences end with their full stop, everything else has none.
 * The name of the shop stands at the top of every page and never inside a sentence, so it cannot bend what one says.
 */
export interface Texts {
  /** What the switch between the languages is called. */
  readonly language: string;
  readonly banner: { readonly strong: string; readonly rest: string };
  readonly connectionLost: string;
  readonly backToShop: string;
  readonly print: string;
  readonly copy: {
    readonly button: string;
    /** What the button says for a moment after it was pressed. */
    readonly done: string;
    /** Names of the buttons for screen readers; each contains what the button shows. */
    readonly amount: string;
    readonly address: string;
    readonly transactionId: string;
  };
  readonly timer: { readonly left: string; readonly warning: string };
  readonly pay: PayTexts;
  readonly network: {
    /** "USDT on Ethereum (ERC-20) only." */
    readonly only: (coin: string, network: string) => string;
    readonly lost: string;
    /** Null for the network real coins are on. */
    readonly kinds: { readonly [K in PublicTransaction['network']['kind']]: string | null };
  };
  readonly screens: ScreenTexts;
  /** "2 of 3"; the count of confirmations follows where there is room. */
  readonly countOf: (count: string, total: string) => string;
  /** What is counted, in the form that goes with "of `total`". */
  readonly confirmations: PluralForms;
  readonly facts: FactTexts;
  readonly paymentsHeading: string;
  readonly standings: { readonly [S in PaymentStatus]: string };
  readonly simulate: {
    readonly heading: string;
    readonly note: string;
    readonly actions: { readonly [A in SimulateAction]: string };
  };
  readonly problems: ProblemTexts;
  readonly payProblems: PayProblemTexts;
  readonly recurring: RecurringTexts;
}

export interface PayTexts {
  readonly amount: string;
  readonly stillToPay: string;
  readonly address: string;
  /** Of the group of the two codes. */
  readonly code: string;
  readonly fullCode: string;
  readonly addressCode: string;
  /** What the codes hold, for those who cannot see them. */
  readonly fullCodeLabel: (amount: string) => string;
  readonly addressCodeLabel: (address: string) => string;
  readonly amountNotInCode: (amount: string) => string;
  readonly openWallet: string;
  readonly exchangeFee: (amount: string) => string;
}

/** How much of what is due has come: "0.1" of "0.3 LTC". */
export interface Arrived {
  readonly paid: string;
  readonly due: string;
}

export interface ScreenTexts {
  /** "0.1 of 0.3 LTC has arrived." */
  readonly arrived: (amounts: Arrived) => string;
  readonly contactShop: string;
  readonly waiting: (price: string, coin: string) => Words;
  readonly partial: { readonly heading: (missing: string) => string; readonly sendRest: (missing: string) => string };
  readonly checking: {
    readonly heading: string;
    readonly cannotSee: (chain: string) => string;
    readonly youCanStillPay: string;
    readonly windowIsOver: readonly string[];
  };
  readonly seen: (paid: string) => Words;
  /** The newest blocks cannot be seen. */
  readonly blind: string;
  readonly completed: {
    readonly heading: string;
    readonly confirmed: (paid: string) => string;
    readonly acceptedByShop: string;
    readonly tooMuch: (excess: string) => string;
  };
  readonly expired: Words;
  readonly late: (paid: string) => Words;
  readonly reviewing: Words;
  readonly failed: Words;
}

export interface FactTexts {
  readonly heading: string;
  readonly order: string;
  readonly price: string;
  readonly amountDue: string;
  readonly rate: string;
  readonly paidSoFar: string;
  readonly paid: string;
  readonly stillDue: string;
  readonly paidTooMuch: string;
  readonly network: string;
  readonly confirmations: string;
  /** "3, complete" */
  readonly confirmationsComplete: (count: string) => string;
  readonly created: string;
  readonly payUntil: string;
  readonly wasOpenUntil: string;
  readonly completed: string;
  readonly paymentNumber: string;
}

export interface ProblemTexts {
  readonly notFound: Words;
  readonly unavailable: Words;
  readonly broken: Words;
  /** A button that does not fit the moment. */
  readonly notNow: Words;
  readonly notUnderstood: Words;
  readonly backToPayment: string;
}

/** Why no payment could be opened. */
export interface PayProblemTexts {
  readonly linkPaid: Words;
  readonly linkExpired: Words;
  readonly amount: Words;
  readonly coin: Words;
  readonly paymentOpen: Words;
  readonly tooMany: Words;
  readonly tooManyOpen: Words;
  readonly tooManyOpenOfNetwork: Words;
  readonly unavailable: Words;
  readonly shopCannot: Words;
  readonly wrongAddress: Words;
  readonly triesAgain: string;
  readonly goToOpenPayment: string;
  readonly forShop: { readonly heading: string; readonly code: string; readonly request: string };
}
