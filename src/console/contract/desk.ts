/** Types shared by all merchant pages. */

/** Live payments use real money; test payments are simulated, or use coins without value. */
export type Mode = 'live' | 'test';
