import pg from 'pg';

const PROBE_TIMEOUT_MS = 2_000;

/** Read on use, because the global setup may set it. */
export function serverUrl(): string {
  return process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
}

/**
 * Runs `work` on this process's connection to the server's own database, one after the other. The
 * connection stays open, without keeping the process alive: connecting takes the server several
 * times the time of a statement.
 */
export function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const response = last.then(async () => {
    const admin = await openConnection();
    admin.ref();
    try {
      return await work(admin);
    } finally {
      admin.unref();
    }
  });
  last = response.catch(() => {});
  return response;
}

/** Runs `work` on a new connection. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

// Helpers

/** The type declarations omit what decides whether the connection keeps the process alive. */
type AdminClient = pg.Client & { ref(): void; unref(): void };

let last: Promise<unknown> = Promise.resolve();
let open: { readonly client: AdminClient; readonly url: string } | null = null;

async function openConnection(): Promise<AdminClient> {
  const url = serverUrl();
  if (open?.url === url) return open.client;
  await open?.client.end();
  open = null;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS }) as AdminClient;
  // The next use opens another one.
  client.once('error', () => {
    if (open?.client === client) open = null;
  });
  await client.connect();
  open = { client, url };
  return client;
}
