import { fastify } from 'fastify';
import pg from 'pg';
import { VIEW_COLUMNS } from '../../src/payments/view/merchant-view.ts';

/**
 * The baseline, in its own process: Fastify and node-postgres, one prepared statement per request
 * on the service's own database, and a response of as many bytes as the service's. No key, no
 * limits, no validation, no total, no payments.
 */

/** Environment of the process. */
export interface BareSettings extends Readonly<Record<string, string>> {
  readonly DATABASE_URL: string;
  readonly POOL_SIZE: string;
  readonly MERCHANT_ID: string;
  /** Sizes of the service's responses; 0 for routes that are not used. */
  readonly GET_BYTES: string;
  readonly LIST_BYTES: string;
  readonly CREATE_BYTES: string;
}

const COLUMNS = VIEW_COLUMNS.join(', ');
const GET = `select ${COLUMNS} from transaction where id = $1`;
const LIST = `select ${COLUMNS} from transaction where merchant_id = $1 and mode = 'live'
  order by created_at desc, id desc limit 100`;
const CREATE = 'insert into bare (body) values ($1)';

async function main(settings: BareSettings): Promise<void> {
  const pool = new pg.Pool({ connectionString: settings.DATABASE_URL, max: Number(settings.POOL_SIZE) });
  await pool.query('create table bare (id int8 generated always as identity primary key, body jsonb not null)');
  const app = fastify();

  app.get('/nothing', async () => ({ success: true }));

  const padGet = createPadding(settings.GET_BYTES);
  app.get<{ Params: { id: string } }>('/transactions/:id', async ({ params }) => {
    const { rows } = await pool.query({ name: 'get', text: GET, values: [params.id] });
    return padGet({ success: true, data: rows[0] });
  });

  const padList = createPadding(settings.LIST_BYTES);
  app.get('/transactions', async () => {
    const { rows } = await pool.query({ name: 'list', text: LIST, values: [settings.MERCHANT_ID] });
    return padList({ success: true, data: { transactions: rows } });
  });

  const padCreate = createPadding(settings.CREATE_BYTES);
  app.post('/transactions', async ({ body }, reply) => {
    await pool.query({ name: 'create', text: CREATE, values: [body] });
    return reply.code(201).send(padCreate({ success: true, data: body }));
  });

  const publicUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  process.stdout.write(`${JSON.stringify({ publicUrl })}\n`);
}

// Helpers

/** Pads every response by what the first one lacks of the size. */
function createPadding(bytes: string) {
  let padding: string | null = null;
  return (response: object): object => {
    padding ??= 'x'.repeat(Math.max(0, Number(bytes) - JSON.stringify({ ...response, padding: '' }).length));
    return { ...response, padding };
  };
}

await main(process.env as unknown as BareSettings);
