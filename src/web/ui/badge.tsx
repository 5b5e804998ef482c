import type { ReactNode } from 'react';

export type Tone = 'quiet' | 'good' | 'warn' | 'bad' | 'info';

/** A condition in one word. The colour repeats the word and never adds information. */
export function Badge({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}

/** The tone of a chart's state, based on names that all charts share. */
export function toneOf(state: string): Tone {
  if (/fail|lost|dead|reject/i.test(state)) return 'bad';
  if (/review|late|overdue|paused|partial|retry/i.test(state)) return 'warn';
  if (/complete|delivered|paid|active/i.test(state)) return 'good';
  if (/open|confirm|pending|attempt|waiting/i.test(state)) return 'info';
  return 'quiet';
}
