/** Live payments use real money; test payments are simulated, or use coins without value. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];
