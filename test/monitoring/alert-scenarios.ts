/** A scenario, and the alerts that fire at its end. */
export interface AlertScenario {
  readonly what: string;
  /** Replaces series of a healthy installation, by name and labels; null removes one. */
  readonly series: Readonly<Record<string, string | null>>;
  readonly firing: readonly string[];
  /** Minute of evaluation; the end when left out. */
  readonly atMinute?: number;
}

/** The last minute of most scenarios: their alerts look back at most 30 minutes. */
export const LAST_MINUTE = 40;
/** For the alert that looks back 30 minutes and has to hold for another 30. */
const LONGEST = 75;

/** `0+1x75`: starts at 0, grows by 1 a minute. */
const ALWAYS = (value: number) => `${value}x${LONGEST}`;
const GROWING = (byPerMinute: number) => `0+${byPerMinute}x${LONGEST}`;
/** Zero, except for the last `minutes` minutes. */
const LATELY = (value: number, minutes: number) => `0x${LAST_MINUTE - 1 - minutes} ${value}x${minutes}`;

const P = '{job="quittance",instance="one"}';
const of = (labels: string) => `{job="quittance",instance="one",${labels}}`;
const LTC = of('network="litecoin-mainnet"');
const attempts = (outcome: string) => `quittance_webhook_attempt_duration_seconds_count${of(`outcome="${outcome}"`)}`;
const requests = (status: string) =>
  `quittance_http_request_duration_seconds_count${of(`method="GET",route="/v1/transactions",status="${status}"`)}`;
const created = (le: string) =>
  `quittance_http_request_duration_seconds_bucket${of(`method="POST",route="/v1/transactions/create",status="2xx",le="${le}"`)}`;
const batches = (le: string) => `quittance_engine_batch_duration_seconds_bucket${of(`le="${le}"`)}`;

/** One process with all roles and one network, all healthy. */
export const HEALTHY: Readonly<Record<string, string>> = {
  [`up${P}`]: ALWAYS(1),
  [`quittance_info${of('version="1.0.0",roles="api,watcher,worker"')}`]: ALWAYS(1),
  [`quittance_ready${P}`]: ALWAYS(1),
  [`process_start_time_seconds${P}`]: ALWAYS(1_700_000_000),
  [`nodejs_eventloop_lag_p99_seconds${P}`]: ALWAYS(0.02),
  [`quittance_database_up${P}`]: ALWAYS(1),
  [`quittance_database_waiting${P}`]: ALWAYS(0),
  [`quittance_bus_up${P}`]: ALWAYS(1),
  [`quittance_outbox_oldest_age_seconds${P}`]: ALWAYS(0.4),
  [`quittance_timers_late${P}`]: ALWAYS(0),
  [`quittance_dead_letters_open${P}`]: ALWAYS(0),
  [`quittance_mails_waiting${P}`]: ALWAYS(1),
  [`quittance_mail_tries_total${of('outcome="sent"')}`]: GROWING(2),
  [`quittance_bus_handling_duration_seconds_count${of('queue="actor-transaction",outcome="failed"')}`]: ALWAYS(3),
  [`quittance_engine_waiting_commands${P}`]: ALWAYS(40),
  [`quittance_engine_commands_total${of('command="event",outcome="applied"')}`]: GROWING(600),
  [`quittance_engine_commands_total${of('command="event",outcome="put_off"')}`]: ALWAYS(7),
  [batches('0.1')]: GROWING(100),
  [batches('2.5')]: GROWING(100),
  [batches('+Inf')]: GROWING(100),
  [`quittance_chain_watched${LTC}`]: ALWAYS(1),
  [`quittance_chain_lease_held${LTC}`]: ALWAYS(1),
  [`quittance_chain_lag_blocks${LTC}`]: ALWAYS(1),
  [`quittance_rate_source_up${of('source="kraken"')}`]: ALWAYS(1),
  [`quittance_rate_age_seconds${of('asset="LTC"')}`]: ALWAYS(61),
  [attempts('delivered')]: GROWING(60),
  [attempts('timeout')]: GROWING(10),
  [requests('2xx')]: GROWING(600),
  [requests('5xx')]: GROWING(1),
  [created('0.25')]: GROWING(60),
  [created('2.5')]: GROWING(60),
  [created('+Inf')]: GROWING(60),
};

const TWO = (labels: string) => labels.replace('"one"', '"two"');

export const SCENARIOS: readonly AlertScenario[] = [
  { what: 'all is well', series: {}, firing: [] },
  {
    what: 'nothing is there at all',
    series: Object.fromEntries(Object.keys(HEALTHY).map((name) => [name, null])),
    firing: ['QuittanceAbsent'],
  },
  {
    what: 'one process of two is gone',
    series: { [`up${TWO(P)}`]: ALWAYS(0) },
    firing: ['QuittanceProcessDown'],
  },
  {
    what: 'a process is started every five minutes',
    series: {
      [`process_start_time_seconds${P}`]: '1700000000x15 1700000300x4 1700000600x4 1700000900x4 1700001200x13',
    },
    firing: ['QuittanceRestarting'],
  },
  {
    what: 'a process was deployed twice',
    series: { [`process_start_time_seconds${P}`]: '1700000000x15 1700000300x10 1700000600x20' },
    firing: [],
  },
  { what: 'a process never gets ready', series: { [`quittance_ready${P}`]: ALWAYS(0) }, firing: ['QuittanceNotReady'] },
  { what: 'a process starts', series: { [`quittance_ready${P}`]: '0x2 1x72' }, firing: [], atMinute: 3 },
  {
    what: 'no process reaches the database',
    series: { [`quittance_database_up${P}`]: ALWAYS(0), [`quittance_database_up${TWO(P)}`]: ALWAYS(0) },
    firing: ['QuittanceDatabaseDown'],
  },
  { what: 'one process of two does', series: { [`quittance_database_up${TWO(P)}`]: ALWAYS(0) }, firing: [] },
  {
    what: 'connections are waited for',
    series: { [`quittance_database_waiting${P}`]: ALWAYS(12) },
    firing: ['QuittanceDatabaseConnections'],
  },
  { what: 'NATS is away', series: { [`quittance_bus_up${P}`]: ALWAYS(0) }, firing: ['QuittanceBusDown'] },
  {
    what: 'nothing leaves the outbox',
    series: { [`quittance_outbox_oldest_age_seconds${P}`]: LATELY(90, 5) },
    firing: ['QuittanceOutboxStuck'],
  },
  {
    what: 'the outbox was slow for a moment',
    series: { [`quittance_outbox_oldest_age_seconds${P}`]: LATELY(90, 1) },
    firing: [],
  },
  {
    what: 'timers do not fire',
    series: { [`quittance_timers_late${P}`]: LATELY(4, 8) },
    firing: ['QuittanceTimersLate'],
  },
  {
    what: 'a message could not be handled',
    series: { [`quittance_dead_letters_open${P}`]: LATELY(1, 1) },
    firing: ['QuittanceDeadLetters'],
  },
  {
    what: 'coins came that belong to no payment',
    series: { [`quittance_operator_alerts_open${of('alert="coins_at_unassigned_address"')}`]: ALWAYS(1) },
    firing: ['QuittanceOperatorAlert'],
  },
  {
    what: 'a handler throws',
    series: {
      [`quittance_bus_handling_duration_seconds_count${of('queue="actor-transaction",outcome="failed"')}`]: GROWING(1),
    },
    firing: ['QuittanceHandlersFail'],
  },
  {
    what: 'more comes than is done',
    series: { [`quittance_engine_waiting_commands${P}`]: ALWAYS(4_000) },
    firing: ['QuittanceEngineBacklog'],
  },
  {
    what: 'callers are asked to retry',
    series: { [`quittance_engine_commands_total${of('command="event",outcome="put_off"')}`]: GROWING(5) },
    firing: ['QuittanceEnginePutsOff'],
  },
  {
    what: 'one commit in ten takes seconds',
    series: { [batches('0.1')]: GROWING(90) },
    firing: ['QuittanceEngineSlow'],
  },
  {
    what: 'a network is not polled',
    series: { [`quittance_chain_watched${LTC}`]: ALWAYS(0) },
    firing: ['QuittanceNetworkBlind'],
  },
  {
    what: 'no watcher runs',
    series: { [`quittance_chain_lease_held${LTC}`]: ALWAYS(0) },
    firing: ['QuittanceLeaseNotHeld'],
  },
  {
    what: 'a watcher is replaced',
    series: { [`quittance_chain_lease_held${LTC}`]: '1x38 0x1' },
    firing: [],
  },
  {
    what: 'a watcher does not catch up',
    series: { [`quittance_chain_lag_blocks${LTC}`]: ALWAYS(30) },
    firing: ['QuittanceNetworkBehind'],
  },
  {
    what: 'no source agrees with another',
    series: { [`quittance_rate_age_seconds${of('asset="LTC"')}`]: null },
    firing: ['QuittanceNoRates'],
  },
  {
    what: 'no live rates are needed',
    series: {
      [`quittance_rate_age_seconds${of('asset="LTC"')}`]: null,
      [`quittance_rate_source_up${of('source="kraken"')}`]: null,
    },
    firing: [],
  },
  {
    what: 'a rate gets old',
    series: { [`quittance_rate_age_seconds${of('asset="LTC"')}`]: LATELY(270, 2) },
    firing: ['QuittanceRateOld'],
  },
  {
    what: 'a source is down',
    series: { [`quittance_rate_source_up${of('source="binance"')}`]: ALWAYS(0) },
    firing: ['QuittanceRateSourceDown'],
  },
  {
    what: 'webhooks do not get through',
    series: { [attempts('delivered')]: GROWING(3), [attempts('timeout')]: GROWING(60) },
    firing: ['QuittanceWebhooksFail'],
  },
  {
    what: 'the one webhook of the hour failed',
    series: { [attempts('delivered')]: ALWAYS(900), [attempts('timeout')]: '10x20 11x20' },
    firing: [],
  },
  { what: 'requests fail', series: { [requests('5xx')]: GROWING(100) }, firing: ['QuittanceApiErrors'] },
  { what: 'payments are created slowly', series: { [created('0.25')]: GROWING(50) }, firing: ['QuittanceApiSlow'] },
  {
    what: 'the mail server is away',
    series: { [`quittance_mail_tries_total${of('outcome="sent"')}`]: '0+2x10 20x65' },
    firing: ['QuittanceMailsStuck'],
    atMinute: LONGEST,
  },
  {
    what: 'no mail is to be sent',
    series: {
      [`quittance_mail_tries_total${of('outcome="sent"')}`]: ALWAYS(7),
      [`quittance_mails_waiting${P}`]: ALWAYS(0),
    },
    firing: [],
  },
  {
    what: 'the event loop stands still',
    series: { [`nodejs_eventloop_lag_p99_seconds${P}`]: ALWAYS(0.9) },
    firing: ['QuittanceEventLoopBlocked'],
  },
];
