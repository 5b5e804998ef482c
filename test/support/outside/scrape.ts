/** A response of `/metrics`, parsed as Prometheus parses it. */
export interface Scrape {
  readonly text: string;
  /** Types of metric families by name, from the TYPE lines. */
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /**
   * The sum of all samples of a metric that have at least these labels; null when there is none.
   */
  sum(name: string, labels?: Readonly<Record<string, string>>): number | null;
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Scrapes the monitoring port of a running service. */
export async function scrape(monitorUrl: string): Promise<Scrape> {
  const response = await fetch(`${monitorUrl}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${await response.text()}`);
  return parseScrape(await response.text());
}

/** Throws at a line that is not in the text exposition format. */
export function parseScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment !== null) (comment[1] === 'TYPE' ? types : helps).set(comment[2] ?? '', comment[3] ?? '');
    else if (line !== '') samples.push(toSample(line));
  }
  return {
    text,
    types,
    helps,
    samples,
    sum(name, labels = {}) {
      const found = samples.filter((sample) => sample.name === name && hasLabels(sample, labels));
      return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

// Helpers

function toSample(line: string): Sample {
  const [, name = '', written = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '') throw new Error(`not a line of the text format: ${line}`);
  const labels = Object.fromEntries(
    [...written.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]),
  );
  return { name, labels, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) };
}

function hasLabels(sample: Sample, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => sample.labels[name] === value);
}
