import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChartVersion,
  MigrationBody,
  MigrationDraft,
  MigrationPreview,
  Span,
  Throughput,
} from '../../http/console/operations/chart-activity-schemas.ts';
import { queryText } from '../routing/paths.ts';
import { request } from './request.ts';

/** What happens on a chart over time. Only the page of a chart loads this. */

const THROUGHPUT_EVERY_MS = 30_000;

/** State changes in a period; not fetched without one. */
export function useThroughput(kind: string, span: Span | null) {
  return useQuery({
    queryKey: ['throughput', kind, span],
    queryFn: ({ signal }) =>
      request<Throughput>(`${chartPath(kind)}/throughput${queryText({ span: span ?? undefined })}`, { signal }),
    enabled: span !== null,
    refetchInterval: THROUGHPUT_EVERY_MS,
  });
}

/** Versions in use. Counting them reads all actors, so only on demand. */
export function useChartVersions(kind: string, isShown: boolean) {
  return useQuery({
    queryKey: ['versions', kind],
    queryFn: ({ signal }) => request<readonly ChartVersion[]>(`${chartPath(kind)}/versions`, { signal }),
    enabled: isShown,
  });
}

/** What a migration would change. */
export function useMigrationPreview(kind: string, draft: MigrationDraft) {
  return useQuery({
    queryKey: ['migration', kind, draft.from, draft.to],
    queryFn: ({ signal }) =>
      request<MigrationPreview>(`${chartPath(kind)}/migration-preview`, { method: 'POST', body: draft, signal }),
    staleTime: 0,
    // What an operator reads must not change while they write a reason.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

/** Migrates unfinished actors of a chart to another version. */
export function useMigrate(kind: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: MigrationBody) =>
      request<readonly ChartVersion[]>(`${chartPath(kind)}/migrations`, { method: 'POST', body }),
    onSuccess: (versions) => {
      client.setQueryData(['versions', kind], versions);
      void client.invalidateQueries({ queryKey: ['actions'] });
    },
  });
}

// Helpers

function chartPath(kind: string): string {
  return `/charts/${encodeURIComponent(kind)}`;
}
