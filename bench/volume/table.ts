import type { Counted } from './counted.ts';

/** Head of the result table. */
export const TABLE_HEAD = [
  '| per payment | log (WAL) | of it full pages | commits | NATS messages | NATS bytes |',
  '|---|---|---|---|---|---|',
];

/** One row of the result table. */
export function line(
  name: string,
  { walBytes, fullPages, commits, messages, messageBytes }: Counted,
  payments: number,
): string {
  const cells = [
    bytes(walBytes / payments),
    `at most ${bytes((fullPages * PAGE_BYTES) / payments)}`,
    (commits / payments).toFixed(2),
    (messages / payments).toFixed(2),
    bytes(messageBytes / payments),
  ];
  return `| ${name} | ${cells.join(' | ')} |`;
}

export function bytes(count: number): string {
  return count < 10_240 ? `${Math.round(count)} B` : `${(count / 1_024).toFixed(1)} kB`;
}

// Helpers

/** Full-page images are 8 kB each before their holes are removed, so this is an upper bound. */
const PAGE_BYTES = 8_192;
