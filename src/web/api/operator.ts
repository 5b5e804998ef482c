import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChartDetail, ChartInfo, ChartLayout, Population } from '../../http/console/contract/charts.ts';
import type {
  ActorDetail,
  ActorFilter,
  ActorPage,
  DeadLetterPage,
  EventPreview,
  EventRequest,
  JournalPage,
  JournalStep,
  LiveChange,
  NextTimer,
  PastMoment,
  ReasonBody,
  Run,
  RunBody,
  SentEvent,
  StoredMail,
  StoredMailPage,
  SystemHealth,
} from '../../http/console/operations/schemas.ts';
import { type Query, queryText } from '../routing/paths.ts';
import { queryClient } from './client.ts';
import { refreshSoon } from './gather.ts';
import { request, requestText } from './request.ts';

/** What operators see of actors, and the actions they can take. */

const HEALTH_EVERY_MS = 15_000;
const POPULATION_EVERY_MS = 30_000;
const TIMERS_EVERY_MS = 15_000;
const RUN_EVERY_MS = 2_000;
/** Charts change only with a release of the service. */
const CHART_FRESH_MS = 60 * 60_000;
const MOMENT_FRESH_MS = 15_000;
/** The server's maximum. */
const ACTORS_PER_PAGE = 200;

export function useCharts() {
  return useQuery({
    queryKey: ['charts'],
    queryFn: ({ signal }) => request<readonly ChartInfo[]>('/charts', { signal }),
    staleTime: CHART_FRESH_MS,
  });
}

export function useLayout(kind: string, detail: ChartDetail) {
  return useQuery({
    queryKey: ['layout', kind, detail],
    queryFn: ({ signal }) =>
      request<ChartLayout>(`/charts/${encodeURIComponent(kind)}/layout${queryText({ detail })}`, { signal }),
    staleTime: CHART_FRESH_MS,
  });
}

export function usePopulation(kind: string) {
  return useQuery({
    queryKey: ['population', kind],
    queryFn: ({ signal }) => request<Population>(`/population${queryText({ kind })}`, { signal }),
    refetchInterval: POPULATION_EVERY_MS,
  });
}

export function useActors(filter: ActorFilter) {
  const given = Object.entries(filter).map(([name, value]) => [name, value === true ? 'true' : value] as const);
  const query: Query = Object.fromEntries(given);
  return useInfiniteQuery({
    queryKey: ['actors', query],
    queryFn: ({ pageParam, signal }) =>
      request<ActorPage>(`/actors${queryText({ ...query, cursor: pageParam ?? undefined, limit: ACTORS_PER_PAGE })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  });
}

export function useNextTimers() {
  return useQuery({
    queryKey: ['timers'],
    queryFn: ({ signal }) => request<readonly NextTimer[]>('/timers', { signal }),
    refetchInterval: TIMERS_EVERY_MS,
  });
}

export function useActor(id: string) {
  return useQuery({ queryKey: ['actor', id], queryFn: ({ signal }) => request<ActorDetail>(pathOf(id), { signal }) });
}

export function useJournal(id: string) {
  return useQuery({
    queryKey: ['actor', id, 'journal'],
    queryFn: ({ signal }) => wholeJournal(id, signal),
  });
}

/** The journal as a file to open in another installation. */
export function fetchJournalFile(id: string): Promise<unknown> {
  return request<unknown>(`${pathOf(id)}/export`);
}

/** The journal as the source of a test that replays it. */
export function fetchJournalTest(id: string): Promise<string> {
  return requestText(`${pathOf(id)}/export?format=test`);
}

/**
 * A past step never changes, but the deliveries it caused do. The previous one stays visible until
 * the next is loaded.
 */
export function useMoment(id: string, sequence: number | null) {
  return useQuery({
    queryKey: ['moment', id, sequence],
    queryFn: ({ signal }) => request<PastMoment>(`${pathOf(id)}/moments/${sequence}`, { signal }),
    enabled: sequence !== null,
    staleTime: MOMENT_FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

export type Draft = Omit<EventRequest, 'requestId' | 'reason'> & Partial<EventRequest>;

export function usePreview(id: string) {
  return useMutation({
    mutationFn: (body: Draft) => request<EventPreview>(`${pathOf(id)}/preview`, { method: 'POST', body }),
  });
}

export function useSendEvent(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EventRequest) => request<SentEvent>(`${pathOf(id)}/events`, { method: 'POST', body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['actor', id] }),
  });
}

/** Omitted fields match everything; `reason` matches a substring. */
export interface DeadLetterFilter {
  readonly queue?: string | undefined;
  readonly reason?: string | undefined;
}

export function useDeadLetters({ queue, reason }: DeadLetterFilter = {}) {
  return useInfiniteQuery({
    queryKey: ['dead-letters', { queue, reason }],
    queryFn: ({ pageParam, signal }) =>
      request<DeadLetterPage>(`/dead-letters${queryText({ queue, reason, cursor: pageParam ?? undefined })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  });
}

export function useMails() {
  return useInfiniteQuery({
    queryKey: ['mails'],
    queryFn: ({ pageParam, signal }) =>
      request<StoredMailPage>(`/mails${queryText({ cursor: pageParam ?? undefined })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
  });
}

export function useMail(id: string) {
  return useQuery({
    queryKey: ['mail', id],
    queryFn: ({ signal }) => request<StoredMail>(`/mails/${encodeURIComponent(id)}`, { signal }),
  });
}

export type LetterStep = 'retry' | 'dismiss';

export function useResolveDeadLetter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, step, ...body }: ReasonBody & { readonly id: string; readonly step: LetterStep }) =>
      request<{ outcome: 'settled' | 'failed' }>(`/dead-letters/${encodeURIComponent(id)}/${step}`, {
        method: 'POST',
        body,
      }),
    onSettled: () =>
      Promise.all([['dead-letters'], ['health']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export function useHealth(isEnabled = true) {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => request<SystemHealth>('/health', { signal }),
    refetchInterval: HEALTH_EVERY_MS,
    // The page shows the effect of what was just set up on another one.
    staleTime: 0,
    enabled: isEnabled,
  });
}

export function useRuns() {
  return useQuery({
    queryKey: ['runs'],
    queryFn: ({ signal }) => request<readonly Run[]>('/runs', { signal }),
    refetchInterval: ({ state }) => (state.data?.some((run) => run.state === 'running') ? RUN_EVERY_MS : false),
  });
}

export function useStageRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RunBody) => request<Run>('/runs', { method: 'POST', body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] }),
  });
}

export type RunStep = 'start' | 'pause' | 'cancel';

export function useStepRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, step }: { id: string; step: RunStep }) =>
      request<Run>(`/runs/${encodeURIComponent(id)}/${step}`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] }),
  });
}

/** Invalidates everything: more has happened than the stream could send. */
export function showEverythingAnew(): void {
  void queryClient.invalidateQueries();
}

/** Invalidates what changed; what is on the screen is fetched again. */
export function showChanges(changes: readonly LiveChange[]): void {
  const ofActors = changes.flatMap(({ actorId, kind }) => [
    ['actor', actorId],
    ['population', kind],
  ]);
  refreshSoon(...ofActors, ['actors']);
}

// Helpers

/** A longer journal is shown up to this page; the database has all of it. */
const MOST_JOURNAL_PAGES = 20;

async function wholeJournal(id: string, signal: AbortSignal): Promise<readonly JournalStep[]> {
  const steps: JournalStep[] = [];
  let after: number | null = 0;
  for (let page = 0; page < MOST_JOURNAL_PAGES && after !== null; page += 1) {
    const got: JournalPage = await request<JournalPage>(`${pathOf(id)}/journal${queryText({ after })}`, { signal });
    steps.push(...got.steps);
    after = got.next;
  }
  return steps;
}

function pathOf(id: string): string {
  return `/actors/${encodeURIComponent(id)}`;
}
