import type { OfflineJournal, Operator } from '../../operations/index.ts';
import type { ActionPage } from '../contract/actions.ts';
import type {
  ActorDetail,
  ActorFilter,
  ActorPage,
  EventPreview,
  EventRequest,
  JournalPage,
  PastMoment,
  SentEvent,
} from '../contract/actors.ts';
import type { ChartInfo, Population } from '../contract/charts.ts';
import type { MerchantDetail, MerchantPage, Tier } from '../contract/merchants.ts';
import type {
  DeadLetterPage,
  KeptMail,
  KeptMailPage,
  LetterBody,
  RunBody,
  RunInfo,
  SystemHealth,
} from '../contract/operations.ts';
import type { TierPlan, TierPlans } from '../contract/plans.ts';
import type { LiveListener } from '../live/index.ts';

/**
 * What the operator pages need of the service, in the types of the contract. Rejects with errors
 * that have a code.
 */
export interface Operations {
  charts(): readonly ChartInfo[];
  population(kind: string): Promise<Population>;
  actors(filter: ActorFilter, page: PageRequest): Promise<ActorPage>;
  actor(id: string): Promise<ActorDetail>;
  journal(id: string, page: JournalPageRequest): Promise<JournalPage>;
  moment(id: string, sequence: number): Promise<PastMoment>;
  preview(by: Operator, id: string, request: Pick<EventRequest, 'type' | 'fields' | 'reason'>): Promise<EventPreview>;
  send(by: Operator, id: string, request: EventRequest): Promise<SentEvent>;
  /** The journal as a file, as JSON or as a regression test. */
  exportJournal(id: string): Promise<object>;
  exportTest(id: string): Promise<string>;
  /** Replays such a file without any lookup. */
  importJournal(file: unknown): OfflineJournal;
  deadLetters(page: DeadLetterPageRequest): Promise<DeadLetterPage>;
  resolveDeadLetter(by: Operator, id: string, request: DeadLetterRequest): Promise<ResolvedDeadLetter>;
  /** Mails that were stored and never sent, newest first. */
  mails(page: PageRequest): Promise<KeptMailPage>;
  mail(id: string): Promise<KeptMail>;
  runs(): Promise<readonly RunInfo[]>;
  run(id: string): Promise<RunInfo>;
  planRun(by: Operator, request: RunRequest): Promise<RunInfo>;
  moveRun(by: Operator, id: string, move: RunMove): Promise<RunInfo>;
  health(): Promise<SystemHealth>;
  merchants(page: PageRequest & { readonly search: string | null }): Promise<MerchantPage>;
  merchant(id: string): Promise<MerchantDetail>;
  approve(by: Operator, merchantId: string, request: ApproveRequest): Promise<void>;
  givePlan(by: Operator, merchantId: string, request: GivePlanRequest): Promise<void>;
  plans(): Promise<TierPlans>;
  changePlan(by: Operator, tier: Tier, request: PlanChangeRequest): Promise<void>;
  /** Audited actions of operators, newest first. */
  actions(page: PageRequest & { readonly who: string | null }): Promise<ActionPage>;
  /** Resolves with a function to unsubscribe, or null when there are too many listeners. */
  follow(listener: LiveListener, since: string | null): Promise<(() => void) | null>;
}

export interface PageRequest {
  readonly cursor: string | null;
  readonly limit: number;
}

export interface DeadLetterPageRequest extends PageRequest {
  readonly queue?: string;
  /** A substring of the reason. */
  readonly reason?: string;
}

export interface ApproveRequest {
  readonly reason: string;
  readonly requestId: string;
}

export interface GivePlanRequest {
  readonly tier: Tier;
  /** Null: no end date. */
  readonly expiresAt: number | null;
  readonly reason: string;
  readonly requestId: string;
}

export interface PlanChangeRequest {
  /** Omitted fields stay unchanged. */
  readonly changes: Partial<Omit<TierPlan, 'tier'>>;
  readonly reason: string;
  readonly requestId: string;
}

export interface JournalPageRequest {
  readonly after: number;
  readonly limit: number;
}

export interface DeadLetterRequest extends LetterBody {
  readonly what: 'retry' | 'dismiss';
}

export interface RunRequest extends RunBody {
  /** Idempotency key. */
  readonly requestId: string;
}

export interface ResolvedDeadLetter {
  readonly outcome: 'settled' | 'failed';
}

export const RUN_MOVES = ['start', 'pause', 'cancel'] as const;
export type RunMove = (typeof RUN_MOVES)[number];
