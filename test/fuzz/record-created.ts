import type { Exchange } from './check.ts';
import { MODES, type Scope } from './fixtures.ts';
import type { Ledger } from './ledger.ts';

/**
 * Records in the ledger the objects that a response created, under their owner. `names` are the
 * fields whose values are ids that can be requested. Call it after the response was checked: from
 * then on a secret has no reader, because it is shown only once.
 */
export function recordCreated({ request, filled, response }: Exchange, ledger: Ledger, names: readonly string[]): void {
  const { reader } = filled;
  if (reader === null) return;
  const owners = ownersOf(request.path, reader);
  if (response.status === 302) {
    const [, opened] = /\/transaction\/(\w+)$/.exec(String(response.headers.location)) ?? [];
    if (opened !== undefined) ledger.enter(opened, owners, 'transaction_id');
  }
  const mayHaveSecret = request.path.startsWith('/webhooks/') && response.status < 400;
  const isOfSchedule = request.path.startsWith('/recurring/') && response.status < 400;
  if (response.text === '' || !(mayHaveSecret || isOfSchedule || response.status === 201)) return;
  const { data } = JSON.parse(response.text) as { data: Learned };
  if (data.deleted === true && data.endpoint_id !== undefined) ledger.retire(data.endpoint_id, reader, 'endpoint_id');
  for (const found of [data, data.endpoint ?? {}, ...(data.deliveries ?? [])]) {
    for (const name of names) if (typeof found[name] === 'string') ledger.enter(found[name], owners, name);
  }
  const hasEnded = typeof data.ended_at === 'string' && data.schedule_id !== undefined;
  if (hasEnded) ledger.retire(data.schedule_id, reader, 'schedule_id');
  for (const { payment_url: url } of data.periods ?? []) {
    if (typeof url === 'string') ledger.enter(url.replace(/^.*\//, ''), owners);
  }
  if (data.deposit_address !== undefined) ledger.enter(data.deposit_address, owners);
  for (const word of data.secret?.match(/\w{12,}/g) ?? []) ledger.enter(word, []);
}

// Helpers

type Fields = Readonly<Record<string, unknown>>;
type Learned = Fields & {
  readonly endpoint?: Fields;
  readonly endpoint_id?: string;
  readonly deleted?: boolean;
  readonly deliveries?: readonly Fields[];
  readonly schedule_id?: string;
  readonly periods?: readonly Fields[];
  readonly deposit_address?: string;
  readonly secret?: string;
};

/** A payment for a plan belongs to both the buyer and the operator. */
function ownersOf(path: string, reader: Scope): readonly Scope[] {
  const mode = MODES.find((each) => reader.endsWith(each)) ?? 'test';
  return path === '/billing/checkout' ? [reader, `operator.${mode}`] : [reader];
}
