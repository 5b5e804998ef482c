/** Texts of the page behind the short address of a payment link that no other page has. */
export interface LinkTexts {
  /** Heading where the payer chooses the amount. */
  readonly ask: string;
  /** Label of the field; with the currency code. */
  readonly amount: (currency: string) => string;
  /** Below the field; amounts come formatted. */
  readonly between: (min: string, max: string) => string;
  readonly atLeast: (min: string) => string;
  readonly atMost: (max: string) => string;
  /** What a coin costs at the rate now: "about 0.0123 LTC". */
  readonly about: (coins: string) => string;
}
