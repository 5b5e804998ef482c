import { useQuery } from '@tanstack/react-query';
import type {
  ChartVersion,
  MigrationBody,
  MigrationDraft,
  MigrationPreview,
  Span,
  Throughput,
} from '../../http/console/operator/chart-activity-schemas.ts';
import { queryClient } from './client.ts';
import { read, useChange } from './queries.ts';
import { request } from './request.ts';

/** What happens on a chart over time. Only the page of a chart loads this. */

const THROUGHPUT_EVERY_MS = 30_000;

/** State changes in a period; not fetched without one. */
export function useThroughput(kind: string, span: Span | null) {
  return useQuery({
    ...read<Throughput>(`${chartPath(kind)}/throughput`, { span: span ?? undefined }),
    enabled: span !== null,
    refetchInterval: THROUGHPUT_EVERY_MS,
  });
}

/** Versions in use. Counting them reads all actors, so only on demand. */
export function useChartVersions(kind: string, isShown: boolean) {
  return useQuery({ ...read<readonly ChartVersion[]>(`${chartPath(kind)}/versions`), enabled: isShown });
}

/** What a migration would change. */
export function useMigrationPreview(kind: string, draft: MigrationDraft) {
  const path = `${chartPath(kind)}/migration-preview`;
  return useQuery({
    queryKey: [path, draft],
    queryFn: ({ signal }) => request<MigrationPreview>('POST', path, draft, signal),
    staleTime: 0,
    // What an operator reads must not change while they write a reason.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

/** Migrates unfinished actors of a chart to another version. */
export function useMigrate(kind: string) {
  return useChange(
    (body: MigrationBody) => request<readonly ChartVersion[]>('POST', `${chartPath(kind)}/migrations`, body),
    ['/actions'],
    { onSuccess: (versions) => queryClient.setQueryData([`${chartPath(kind)}/versions`], versions) },
  );
}

// Helpers

function chartPath(kind: string): string {
  return `/charts/${encodeURIComponent(kind)}`;
}
