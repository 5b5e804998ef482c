/** What every page of a merchant has in common. */

/** Live payments are money; test payments are simulated. */
export type Mode = 'live' | 'test';
