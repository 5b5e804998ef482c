/** The queue of the bare processes. */
export const BARE_QUEUE = 'bare';
