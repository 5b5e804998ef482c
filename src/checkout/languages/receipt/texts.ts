/** Texts around the e-mail address that a customer gives for the receipt. */
export interface ReceiptTexts {
  /** Of the field and its page. */
  readonly heading: string;
  /** Label of the field on its own page. */
  readonly address: string;
  readonly button: string;
  readonly note: string;
  /** With the shortened address. */
  readonly goesTo: (address: string) => string;
  readonly isTest: string;
  readonly change: string;
  /** The input is no e-mail address. */
  readonly wrong: string;
  /** On the receipt, before the shortened address. */
  readonly fact: string;
}
