/** The parts of sentences. */
export interface Terms {
  readonly merchant: string;
  /** With currency: "25.00 EUR". */
  readonly amount: string;
  /** "every month" */
  readonly every: string;
}

export interface DueTerms extends Terms {
  /** A formatted date. */
  readonly due: string;
  /** The request itself, a reminder, or the last one. */
  readonly reminder: 'none' | 'one_of_several' | 'last';
}

export type DetailName =
  | 'merchant'
  | 'description'
  | 'reference'
  | 'amount'
  | 'interval'
  | 'firstRequest'
  | 'count'
  | 'due'
  | 'period';
