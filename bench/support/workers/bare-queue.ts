/** What the bare processes take from. */
export const BARE_QUEUE = 'bare';
