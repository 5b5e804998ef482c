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
  sendOperatorEvent,
  settleDeadLetter,
} from '../../operations/index.ts';
import type { OutageNotice } from '../../outage-notice.ts';
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
export function bindOperations(deps: OperationsBindingDeps, { watch }: OutageNotice): Operations {
  const { db, kinds } = deps;
  return {
    charts: () => listCharts(kinds),
    population: (kind) => watch(() => readPopulation(deps, kind)),
    actors: (filter, page) => watch(() => listActors(deps, { filter, ...page })),
    actor: (id) => watch(() => getActor(deps, id)),
    journal: (id, page) => watch(() => readJournalPage(db, id, page)),
    moment: (id, sequence) => watch(() => readMoment(deps, id, sequence)),
    preview: (by, id, request) => watch(() => previewOperatorEvent(deps, by, id, request)),
    send: (by, id, request) => watch(() => sendOperatorEvent(deps, by, id, request)),
    exportJournal: (id) => watch(() => exportJournal(db, id)),
    exportTest: (id) => watch(async () => regressionTestOf(await exportJournal(db, id))),
    importJournal: (file) => importJournal(kinds, file),
    deadLetters: (page) => watch(() => listDeadLetters(db, page)),
    settleDeadLetter: (by, id, request) => watch(() => settleDeadLetter(deps, by, id, request)),
    mails: ({ cursor, limit }) =>
      watch(async () => {
        const { mails, hasMore } = await listStoredMails(db, { limit, ...(cursor === null ? {} : { before: cursor }) });
        return { mails: mails.map(toMailInfo), cursor: hasMore ? (mails.at(-1)?.id ?? null) : null };
      }),
    mail: (id) =>
      watch(async () => {
        const mail = await getStoredMail(db, id);
        if (mail === null) throw new TerminalError('NOT_FOUND', 'There is no kept mail of this id', { field: 'id' });
        return { ...toMailInfo(mail), text: mail.isToCustomer ? mail.text : null };
      }),
    runs: () => watch(() => listRuns(db)),
    run: (runId) => watch(() => getRun(db, { runId })),
    planRun: (by, request) => watch(() => planRun(deps, by, toPlan(request))),
    moveRun: (by, id, move) => watch(() => moveRunAsOperator(deps, by, id, move)),
    health: () => watch(() => readHealth(deps)),
    merchants: (page) => watch(() => listMerchants(deps, page)),
    merchant: (id) => watch(() => getMerchant(deps, id)),
    approve: (by, id, request) => watch(() => approveAsOperator(deps, by, id, request)),
    givePlan: (by, id, request) => watch(() => giveMerchantPlan(deps, by, id, request)),
    plans: () => watch(async () => ({ plans: (await listAllPlans(deps)).map(toTierPlan), isOn: deps.plansEnabled })),
    changePlan: (by, tier, request) => watch(() => changePlanAsOperator(deps, by, tier, toPlanChange(request))),
    actions: (page) => watch(() => listActions(db, page)),
    follow: (listener, since) => watch(() => deps.feed.join(listener, since)),
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
