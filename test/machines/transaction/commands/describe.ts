import { CLOSES_AT } from '../terms.ts';

interface Sighting {
  readonly firstSeenAt?: number;
  readonly height?: number;
  readonly branch?: string;
}

/** Where and when, as text for counterexamples: `, 60 s before the close, in main-100, delayed`. */
export function describeSighting({ firstSeenAt, height, branch }: Sighting, isDelayed: boolean): string {
  const parts = [
    firstSeenAt === undefined ? undefined : describeMoment(firstSeenAt),
    height === undefined ? undefined : `in ${branch ?? 'main'}-${height}`,
    isDelayed ? 'delayed' : undefined,
  ];
  return parts.flatMap((part) => (part === undefined ? [] : [`, ${part}`])).join('');
}

function describeMoment(moment: number): string {
  const offset = moment - CLOSES_AT;
  if (offset === 0) return 'at the close';
  return `${Math.abs(offset) / 1_000} s ${offset < 0 ? 'before' : 'after'} the close`;
}
