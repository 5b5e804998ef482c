import { TABLES } from './tables.ts';

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly columns: readonly string[];
}

type Table = keyof typeof TABLES;

/** Between the values of a column, and in place of null: cheaper for both sides than an array. */
const SEPARATOR = '\u001f';
const NULL = '\u001e';

export const LOCK = onGiven(
  'lock',
  ['id text'],
  'select id, snapshot, timers from lean_actor where id in (select id from given) order by id for update',
);
export const FIND_ACCEPTED = onGiven(
  'accepted',
  ['actor_id text', 'event_id text'],
  'select actor_id, event_id from given join lean_journal using (actor_id, event_id)',
);
export const MARK_PUBLISHED = onGiven(
  'published',
  ['id text'],
  'update lean_event set is_published = true from given where lean_event.id = given.id',
);
export const INSERT_ACTORS = insertInto('lean_actor');
export const INSERT_JOURNAL = insertInto('lean_journal');
export const INSERT_TERMS = insertInto('lean_terms');
export const INSERT_STATUS = insertInto('lean_status');
export const INSERT_EVENTS = insertInto('lean_event');
export const UPDATE_ACTORS = update('lean_actor', 'state snapshot timers gate due_at');
export const UPDATE_STATUS = update(
  'lean_status',
  'status exception paid_base_units updated_at expires_at completed_at completed_by',
);
export const UPSERT_COINS = insertInto(
  'lean_coin',
  `on conflict (id, output_id) do update set presence = excluded.presence, status = excluded.status,
    height = excluded.height, block_hash = excluded.block_hash, confirmed_at = excluded.confirmed_at`,
);
/** A block of addresses, so that none is updated when it is allocated. */
export const CLAIM_ADDRESSES = `
  with claimed as (update lean_key set next_index = next_index + 512 returning next_index)
  select address from claimed join lean_address on index >= next_index - 512 and index < next_index`;

/** One parameter per column; objects as JSON text. */
export function valuesOf({ columns }: Statement, rows: readonly object[]): string[] {
  return columns.map((column) =>
    rows.map((row) => textOf((row as Readonly<Record<string, unknown>>)[column])).join(SEPARATOR),
  );
}

// Helpers

function textOf(value: unknown): string {
  if (value === null || value === undefined) return NULL;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A statement on rows passed as parameters; `columns` are names with types. */
function onGiven(name: string, columns: readonly string[], text: string): Statement {
  const names = columns.map((column) => column.split(' ')[0] ?? '');
  const typed = columns.map((column) => column.replace(' ', '::'));
  const values = names.map((name, index) => {
    return `unnest(string_to_array($${index + 1}, '${SEPARATOR}', '${NULL}')) as ${name}`;
  });
  const given = `select ${typed.join(', ')} from (select ${values.join(', ')}) as fresh`;
  return { name, columns: names, text: `with given as (${given}) ${text}` };
}

function columnsOf(table: Table): readonly string[] {
  return TABLES[table].split(/,\s+/);
}

function insertInto(table: Table, onConflict = ''): Statement {
  return onGiven(`insert ${table}`, columnsOf(table), `insert into ${table} select * from given ${onConflict}`);
}

function update(table: Table, names: string): Statement {
  const columns = columnsOf(table).filter((column) => ['id', ...names.split(' ')].includes(column.split(' ')[0] ?? ''));
  const set = names.split(' ').map((name) => `${name} = given.${name}`);
  const text = `update ${table} set ${set.join(', ')} from given where ${table}.id = given.id`;
  return onGiven(`update ${table}`, columns, text);
}
