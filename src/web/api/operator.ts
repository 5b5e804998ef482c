import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { ChartDetail, ChartLayout, FoldableChart, Population } from '../../http/console/contract/charts.ts';
import type {
  ActorDetail,
  ActorFilter,
  ActorPage,
  DeadLetterPage,
  EventPreview,
  EventRequest,
  JournalPage,
  JournalStep,
  NextTimer,
  ReasonBody,
  Run,
  RunBody,
  SentEvent,
  StepDetail,
  StoredEmail,
  StoredEmailPage,
} from '../../http/console/operator/schemas.ts';
import { type Query, queryText } from '../routing/paths.ts';
import { nextCursor, read, readPages, useChange } from './queries.ts';
import { request, requestText } from './request.ts';

/** What operators see of actors, and the actions they can take. */

const POPULATION_EVERY_MS = 30_000;
const TIMERS_EVERY_MS = 15_000;
const RUN_EVERY_MS = 2_000;
/** Charts change only with a release of the service. */
const CHART_FRESH_MS = 60 * 60_000;
const MOMENT_FRESH_MS = 15_000;
/** The server's maximum. */
const ACTORS_PER_PAGE = 200;

export function useCharts() {
  return useQuery({ ...read<readonly FoldableChart[]>('/charts'), staleTime: CHART_FRESH_MS });
}

export function useLayout(kind: string, detail: ChartDetail) {
  return useQuery({
    ...read<ChartLayout>(`/charts/${encodeURIComponent(kind)}/layout`, { detail }),
    staleTime: CHART_FRESH_MS,
  });
}

export function usePopulation(kind: string) {
  return useQuery({ ...read<Population>('/population', { kind }), refetchInterval: POPULATION_EVERY_MS });
}

export function useActors(filter: ActorFilter) {
  const given = Object.entries(filter).map(([name, value]) => [name, value === true ? 'true' : value] as const);
  const query: Query = { ...Object.fromEntries(given), limit: ACTORS_PER_PAGE };
  return useInfiniteQuery({
    ...readPages<ActorPage>('/actors', query, nextCursor),
    placeholderData: keepPreviousData,
  });
}

export function useNextTimers() {
  return useQuery({ ...read<readonly NextTimer[]>('/timers'), refetchInterval: TIMERS_EVERY_MS });
}

export function useActor(id: string) {
  return useQuery(read<ActorDetail>(actorPath(id)));
}

export function useJournal(id: string) {
  const path = `${actorPath(id)}/journal`;
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => wholeJournal(path, signal) });
}

/** The journal as a file to open in another installation. */
export function fetchJournalFile(id: string): Promise<unknown> {
  return request('GET', `${actorPath(id)}/export`);
}

/** The journal as the source of a test that replays it. */
export function fetchJournalTest(id: string): Promise<string> {
  return requestText(`${actorPath(id)}/export?format=test`);
}

/**
 * A past step never changes, but the deliveries it caused do. The previous one stays visible until
 * the next is loaded.
 */
export function useStepDetail(id: string, sequence: number | null) {
  return useQuery({
    ...read<StepDetail>(`${actorPath(id)}/moments/${sequence}`),
    enabled: sequence !== null,
    staleTime: MOMENT_FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

export type EventDraft = Omit<EventRequest, 'requestId' | 'reason'> & Partial<EventRequest>;

export function usePreview(id: string) {
  return useMutation({
    mutationFn: (body: EventDraft) => request<EventPreview>('POST', `${actorPath(id)}/preview`, body),
  });
}

export function useSendEvent(id: string) {
  return useChange(
    (body: EventRequest) => request<SentEvent>('POST', `${actorPath(id)}/events`, body),
    [actorPath(id)],
  );
}

/** Omitted fields match everything; `reason` matches a substring. */
export interface DeadLetterFilter {
  readonly queue?: string | undefined;
  readonly reason?: string | undefined;
  readonly actorId?: string | undefined;
}

export function useDeadLetters({ queue, reason, actorId }: DeadLetterFilter = {}) {
  return useInfiniteQuery({
    ...readPages<DeadLetterPage>('/dead-letters', { queue, reason, actorId }, nextCursor),
    placeholderData: keepPreviousData,
  });
}

export function useEmails() {
  return useInfiniteQuery(readPages<StoredEmailPage>('/mails', {}, nextCursor));
}

export function useEmail(id: string) {
  return useQuery(read<StoredEmail>(`/mails/${encodeURIComponent(id)}`));
}

export type DeadLetterAction = 'retry' | 'dismiss';

export function useResolveDeadLetter() {
  return useChange(
    ({ id, step, ...body }: ReasonBody & { readonly id: string; readonly step: DeadLetterAction }) =>
      request<{ outcome: 'settled' | 'failed' }>('POST', `/dead-letters/${encodeURIComponent(id)}/${step}`, body),
    ['/dead-letters', '/health', '/actors'],
  );
}

export function useResolveAlert() {
  return useChange(
    ({ id, ...body }: ReasonBody & { readonly id: number }) => request('POST', `/alerts/${id}/resolve`, body),
    ['/health', '/actors'],
  );
}

export function useRuns() {
  return useQuery({
    ...read<readonly Run[]>('/runs'),
    refetchInterval: ({ state }) => (state.data?.some((run) => run.state === 'running') ? RUN_EVERY_MS : false),
  });
}

export function useStageRun() {
  return useChange((body: RunBody) => request<Run>('POST', '/runs', body), ['/runs']);
}

export type RunStep = 'start' | 'pause' | 'cancel';

export function useStepRun() {
  return useChange(
    ({ id, step }: { id: string; step: RunStep }) => request<Run>('POST', `/runs/${encodeURIComponent(id)}/${step}`),
    ['/runs'],
  );
}

// Helpers

/** A longer journal is shown up to this page; the database has all of it. */
const MAX_JOURNAL_PAGES = 20;

async function wholeJournal(path: string, signal: AbortSignal): Promise<readonly JournalStep[]> {
  const steps: JournalStep[] = [];
  let after: number | null = 0;
  for (let page = 0; page < MAX_JOURNAL_PAGES && after !== null; page += 1) {
    const got: JournalPage = await request<JournalPage>('GET', `${path}${queryText({ after })}`, undefined, signal);
    steps.push(...got.steps);
    after = got.next;
  }
  return steps;
}

function actorPath(id: string): string {
  return `/actors/${encodeURIComponent(id)}`;
}
