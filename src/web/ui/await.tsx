import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';
import { Loading } from './progress.tsx';

export interface AwaitProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: Error | null; refetch(): unknown };
  /** What is being fetched, for screen readers. */
  readonly label: string;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/**
 * The result of a query; until then a placeholder of the same size, or the error. Existing data
 * stays when a refetch fails.
 */
export function Await<Data>({ query, label, lines = 3, children }: AwaitProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading label={label} lines={lines} />;
  return <Problem error={query.error} retry={() => void query.refetch()} />;
}
