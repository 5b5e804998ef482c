/**
 * What a migration must not do while the service runs, and what to do instead. Tables that always
 * stay small or are created by the same migration are exempt.
 */
export interface Complaint {
  readonly problem: string;
  readonly remedy: string;
}

/** Tables with few rows in every installation: any change of them is fast. */
const SMALL_TABLES = new Set([
  'plan',
  'schema_compatibility',
  'chain_cursor',
  'chain_lease',
  'watermark',
  'derivation_key',
  'wallet',
  'merchant',
]);

interface Rule {
  readonly pattern: RegExp;
  readonly problem: string;
  readonly remedy: string;
}

const ALTER = /^alter table (?:if exists )?(?:only )?"?(\w+)"?/;
const ALTER_RULES: readonly Rule[] = [
  {
    pattern: /alter column "?\w+"? (set data )?type\b/,
    problem: 'writes the whole table anew, or reads it, and locks it against all use',
    remedy: 'add a column, fill it in the background, and drop the old one in a later version',
  },
  {
    pattern: /add column (?!.*\bdefault\b).*\bnot null\b/,
    problem: 'fails on a table with rows',
    remedy: 'give it a default',
  },
  {
    pattern: /add column .*\bdefault\b.*\b(random|gen_random_uuid|clock_timestamp|timeofday|nextval)\b/,
    problem: 'writes the whole table anew: the default is another for each row',
    remedy: 'add the column without it and fill it in the background',
  },
  {
    pattern: /add column .*\b(generated always as \(|serial|identity)/,
    problem: 'writes the whole table anew',
    remedy: 'add a plain column and fill it in the background',
  },
  {
    pattern: /alter column "?\w+"? set not null/,
    problem: 'reads the whole table and locks it against all use',
    remedy: 'add a check "column is not null" as not valid, validate it in the next change, and then set it',
  },
  {
    pattern: /add (constraint "?\w+"? )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    problem: 'reads the whole table and blocks writes to it',
    remedy: 'add it as not valid and validate it in the next change',
  },
  {
    pattern: /add (constraint "?\w+"? )?(unique|primary key)\b(?!.*\busing index\b)/,
    problem: 'builds an index and blocks all use of the table',
    remedy: 'build the index concurrently in a change of its own (`indexes`) and add the constraint using index',
  },
  {
    pattern: /(drop column|rename)/,
    problem: 'takes away what the version before still uses',
    remedy: 'stop using it in one version, take it away in a later one, and give that change `compatibleFrom`',
  },
];

const RULES: readonly Rule[] = [
  {
    pattern: /^drop (table|view|function)/,
    problem: 'takes away what the version before still uses',
    remedy: 'take it away in a later version, in a change with `compatibleFrom`',
  },
  {
    pattern: /^(vacuum|cluster|reindex(?!.*concurrently)|lock table|truncate)/,
    problem: 'keeps everybody from the table',
    remedy: 'leave it to the operator, or find another way',
  },
];

/**
 * Violations in the statements of one migration; empty when it can run while the service runs. A
 * migration with `compatibleFrom` has declared that it removes something.
 */
export function complaintsAbout(
  statements: readonly string[],
  change: { takesAway: boolean; isTransaction: boolean },
): string[] {
  const made = new Set<string>();
  return statements.flatMap((written) => {
    const text = written
      .toLowerCase()
      .replaceAll(/--[^\n]*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const table = tableOf(text);
    if (/^create (unlogged )?table/.test(text) && table !== null) made.add(table);
    const isFree = table !== null && (made.has(table) || SMALL_TABLES.has(table));
    return problemsOf(text, isFree, change).map(
      ({ problem, remedy }) => `${problem}; ${remedy}: ${text.slice(0, 120)}`,
    );
  });
}

// Helpers

function problemsOf(
  text: string,
  isFree: boolean,
  change: { takesAway: boolean; isTransaction: boolean },
): Complaint[] {
  const found = RULES.filter(({ pattern }) => pattern.test(text));
  if (ALTER.test(text) && !isFree) found.push(...ALTER_RULES.filter(({ pattern }) => pattern.test(text)));
  const complaints: Complaint[] = found.filter(
    ({ problem }) => !(change.takesAway && problem.startsWith('takes away')),
  );
  if (/^create (unique )?index(?! concurrently)/.test(text) && !isFree) {
    complaints.push({
      problem: 'builds an index and blocks writes to the table',
      remedy: 'build it concurrently, in a change of its own (`indexes`)',
    });
  }
  if (/^create (unique )?index concurrently/.test(text) && change.isTransaction) {
    complaints.push({ problem: 'cannot run in a transaction', remedy: 'give it to `indexes` instead of `up`' });
  }
  if (/^(update|delete)\b/.test(text) && !isFree) {
    complaints.push({
      problem: 'writes to as many rows as there are in one transaction',
      remedy: 'do it in the background, in batches, or when a row is used next',
    });
  }
  return complaints;
}

function tableOf(text: string): string | null {
  const patterns = [
    ALTER,
    /^create (?:unlogged )?table (?:if not exists )?"?(\w+)"?/,
    /^create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:"?\w+"? )?on (?:only )?"?(\w+)"?/,
    /^update (?:only )?"?(\w+)"?/,
    /^delete from (?:only )?"?(\w+)"?/,
  ];
  for (const pattern of patterns) {
    const [, table] = pattern.exec(text) ?? [];
    if (table !== undefined) return table;
  }
  return null;
}
