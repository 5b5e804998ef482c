import type { Kysely } from 'kysely';
import type { Bus } from '../../bus/index.ts';
import type { Clock } from '../../clock.ts';
import type { KeptMailInfo, Operations } from '../../console/index.ts';
import type { Database } from '../../db/index.ts';
import type { Engine, KindRegistry } from '../../engine/index.ts';
import { TerminalError } from '../../errors.ts';
import { getStoredMail, type ListedMail, listStoredMails } from '../../mail/index.ts';
import {
  approveAsOperator,
  changePlanAsOperator,
  exportJournal,
  getActor,
  getMerchant,
  getRun,
  giveMerchantPlan,
  importJournal,
  type LiveFeed,
  listActions,
  listActors,
  listAllPlans,
  listCharts,
  listDeadLetters,
  listMerchants,
  listRuns,
  moveRunAsOperator,
  planRun,
  previewOperatorEvent,
  type RunPlan,
  readHealth,
  readJournalPage,
  readMoment,
  readPopulation,
  regressionTestOf,
  resolveDeadLetter,
  sendOperatorEvent,
} from '../../operations/index.ts';
import type { Rates } from '../../rates/index.ts';
import { toPlanChange, toTierPlan } from './tier-plans.ts';

export interface OperationsBindingDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'deliver' | 'deliverIf'>;
  readonly bus: Pick<Bus, 'publish' | 'isHealthy'>;
  readonly rates: Pick<Rates, 'status'>;
  readonly networks: readonly string[];
  readonly feed: Pick<LiveFeed, 'join'>;
  readonly plansEnabled: boolean;
}

/** Binds the operator console to the use cases of `operations`. */
export function bindOperations(deps: OperationsBindingDeps): Operations {
  const { db, kinds } = deps;
  return {
    charts: () => listCharts(kinds),
    population: (kind) => readPopulation(deps, kind),
    actors: (filter, page) => listActors(deps, { filter, ...page }),
    actor: (id) => getActor(deps, id),
    journal: (id, page) => readJournalPage(db, id, page),
    moment: (id, sequence) => readMoment(deps, id, sequence),
    preview: (by, id, request) => previewOperatorEvent(deps, by, id, request),
    send: (by, id, request) => sendOperatorEvent(deps, by, id, request),
    exportJournal: (id) => exportJournal(db, id),
    exportTest: async (id) => regressionTestOf(await exportJournal(db, id)),
    importJournal: (file) => importJournal(kinds, file),
    deadLetters: (page) => listDeadLetters(db, page),
    resolveDeadLetter: (by, id, request) => resolveDeadLetter(deps, by, id, request),
    async mails({ cursor, limit }) {
      const { mails, hasMore } = await listStoredMails(db, { limit, ...(cursor === null ? {} : { before: cursor }) });
      return { mails: mails.map(toMailInfo), cursor: hasMore ? (mails.at(-1)?.id ?? null) : null };
    },
    async mail(id) {
      const mail = await getStoredMail(db, id);
      if (mail === null) throw new TerminalError('NOT_FOUND', 'There is no kept mail of this id', { field: 'id' });
      return { ...toMailInfo(mail), text: mail.isToCustomer ? mail.text : null };
    },
    runs: () => listRuns(db),
    run: (runId) => getRun(db, { runId }),
    planRun: async (by, request) => planRun(deps, by, toPlan(request)),
    moveRun: (by, id, move) => moveRunAsOperator(deps, by, id, move),
    health: () => readHealth(deps),
    merchants: (page) => listMerchants(deps, page),
    merchant: (id) => getMerchant(deps, id),
    approve: (by, id, request) => approveAsOperator(deps, by, id, request),
    givePlan: (by, id, request) => giveMerchantPlan(deps, by, id, request),
    plans: async () => ({ plans: (await listAllPlans(deps)).map(toTierPlan), isOn: deps.plansEnabled }),
    changePlan: (by, tier, request) => changePlanAsOperator(deps, by, tier, toPlanChange(request)),
    actions: (page) => listActions(db, page),
    follow: (listener, since) => deps.feed.join(listener, since),
  };
}

// Helpers

function toMailInfo({ id, createdAt: at, recipient, fromName, subject }: ListedMail): KeptMailInfo {
  return { id, at, recipient, fromName, subject };
}

/** The route rejects an event without a filter. */
function toPlan({ task, filter, reason, requestId }: Parameters<Operations['planRun']>[1]): RunPlan {
  if (task.what === 'retry_dead_letter') return { task, filter: null, reason, requestId };
  if (filter === undefined) throw new TerminalError('INVALID_REQUEST', 'filter is missing', { field: 'filter' });
  return { task, filter, reason, requestId };
}
