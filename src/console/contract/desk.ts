/** What every page of a merchant has in common. */

/** Live payments are money; test payments are simulated, or made in coins of no value. */
export type Mode = 'live' | 'test';
