import { changeTransactions } from '../../support/database/transaction-rows.ts';
import { ask } from '../stage.ts';
import { STORIES, tell } from '../stories.ts';
import { type Provocation, provocationsOf, withTestKey } from './provocation.ts';

const get = provocationsOf('getTransaction');
const list = provocationsOf('listTransactions');
const simulate = provocationsOf('simulateTransaction');
const decide = provocationsOf('decideTransaction');

export const READ_REQUESTS: readonly Provocation[] = [
  ...STORIES.map((story) =>
    get.responds(200, story.name, async ({ app, newShop }) => {
      const { sk_test: key } = (await newShop()).keys;
      return ask(app, 'getTransaction', { key, id: await tell(app, key, story) });
    }),
  ),
  get.fails(404, 'TRANSACTION_NOT_FOUND', 'an id that no transaction has', withTestKey('getTransaction')),
  get.fails(404, 'TRANSACTION_NOT_FOUND', 'the transaction of somebody else', async ({ app, newShop }) => {
    const [mine, other] = [await newShop(), await newShop()];
    const { transaction_id: id } = await app.create(other.keys.sk_test);
    return ask(app, 'getTransaction', { key: mine.keys.sk_test, id });
  }),
  get.fails(500, 'INTERNAL_ERROR', 'a row that makes no sense', async ({ app, newShop }) => {
    const { sk_test: key } = (await newShop()).keys;
    const { transaction_id: id } = await app.create(key);
    await changeTransactions(app.connection.db, { amount_fiat: 'a lot' }, { id });
    return ask(app, 'getTransaction', { key, id });
  }),

  list.responds(200, 'nothing', withTestKey('listTransactions')),
  list.responds(200, 'one of every story', async ({ app, newShop }) => {
    const { sk_test: key } = (await newShop()).keys;
    for (const story of STORIES) await tell(app, key, story);
    return ask(app, 'listTransactions', { key });
  }),
  list.fails(400, 'INVALID_REQUEST', 'a page of nothing', withTestKey('listTransactions', { query: 'limit=0' })),

  simulate.responds(200, 'a payment', async ({ app, newShop }) => {
    const { sk_test: key } = (await newShop()).keys;
    const { transaction_id: id } = await app.create(key);
    return ask(app, 'simulateTransaction', { key, id });
  }),
  simulate.fails(400, 'INVALID_REQUEST', 'no action', withTestKey('simulateTransaction', { body: {} })),
  simulate.fails(403, 'FORBIDDEN', 'a live key', async ({ app, newShop }) =>
    ask(app, 'simulateTransaction', { key: (await newShop()).keys.sk_live }),
  ),
  simulate.fails(404, 'TRANSACTION_NOT_FOUND', 'an id that no transaction has', withTestKey('simulateTransaction')),
  simulate.fails(409, 'INVALID_STATE', 'a confirmation of nothing', async ({ app, newShop }) => {
    const { sk_test: key } = (await newShop()).keys;
    const { transaction_id: id } = await app.create(key);
    return ask(app, 'simulateTransaction', { key, id, body: { action: 'confirm' } });
  }),

  decide.responds(200, 'a late payment', async ({ app, newShop }) => {
    const { sk_test: key } = (await newShop()).keys;
    const { transaction_id: id } = await app.create(key);
    const late = await ask(app, 'simulateTransaction', { key, id, body: { action: 'pay_late' } });
    const { step } = (late.body as { data: { step: number } }).data;
    return ask(app, 'decideTransaction', { key, id, body: { action: 'mark_paid', reason: 'here', seen_step: step } });
  }),
  decide.fails(400, 'INVALID_REQUEST', 'no reason', withTestKey('decideTransaction', { body: { action: 'dismiss' } })),
  decide.fails(404, 'TRANSACTION_NOT_FOUND', 'an id that no transaction has', withTestKey('decideTransaction')),
  decide.fails(409, 'INVALID_STATE', 'what is not to be decided', async ({ app, newShop }) => {
    const { sk_test: key } = (await newShop()).keys;
    const { transaction_id: id } = await app.create(key);
    return ask(app, 'decideTransaction', { key, id });
  }),
];
