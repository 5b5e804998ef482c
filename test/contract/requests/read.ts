import { changeTransactions } from '../../support/database/transaction-rows.ts';
import { sendRequest } from '../harness.ts';
import { runScenario, SCENARIOS } from '../scenarios.ts';
import { type Provocation, provocationsOf, withTestKey } from './provocation.ts';

const get = provocationsOf('getTransaction');
const list = provocationsOf('listTransactions');
const simulate = provocationsOf('simulateTransaction');
const decide = provocationsOf('decideTransaction');

export const READ_REQUESTS: readonly Provocation[] = [
  ...SCENARIOS.map((scenario) =>
    get.responds(200, scenario.name, async ({ app, newMerchant }) => {
      const { sk_test: key } = (await newMerchant()).keys;
      return sendRequest(app, 'getTransaction', { key, id: await runScenario(app, key, scenario) });
    }),
  ),
  get.fails(404, 'TRANSACTION_NOT_FOUND', 'an id that no transaction has', withTestKey('getTransaction')),
  get.fails(404, 'TRANSACTION_NOT_FOUND', "another merchant's transaction", async ({ app, newMerchant }) => {
    const [mine, other] = [await newMerchant(), await newMerchant()];
    const { transaction_id: id } = await app.create(other.keys.sk_test);
    return sendRequest(app, 'getTransaction', { key: mine.keys.sk_test, id });
  }),
  get.fails(500, 'INTERNAL_ERROR', 'a row that makes no sense', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const { transaction_id: id } = await app.create(key);
    await changeTransactions(app.connection.db, { amount_fiat: 'a lot' }, { id });
    return sendRequest(app, 'getTransaction', { key, id });
  }),

  list.responds(200, 'nothing', withTestKey('listTransactions')),
  list.responds(200, 'one of every scenario', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    for (const scenario of SCENARIOS) await runScenario(app, key, scenario);
    return sendRequest(app, 'listTransactions', { key });
  }),
  list.fails(400, 'INVALID_REQUEST', 'a page of nothing', withTestKey('listTransactions', { query: 'limit=0' })),

  simulate.responds(200, 'a payment', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const { transaction_id: id } = await app.create(key);
    return sendRequest(app, 'simulateTransaction', { key, id });
  }),
  simulate.fails(400, 'INVALID_REQUEST', 'no action', withTestKey('simulateTransaction', { body: {} })),
  simulate.fails(403, 'FORBIDDEN', 'a live key', async ({ app, newMerchant }) =>
    sendRequest(app, 'simulateTransaction', { key: (await newMerchant()).keys.sk_live }),
  ),
  simulate.fails(404, 'TRANSACTION_NOT_FOUND', 'an id that no transaction has', withTestKey('simulateTransaction')),
  simulate.fails(409, 'INVALID_STATE', 'a confirmation of nothing', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const { transaction_id: id } = await app.create(key);
    return sendRequest(app, 'simulateTransaction', { key, id, body: { action: 'confirm' } });
  }),

  decide.responds(200, 'a late payment', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const { transaction_id: id } = await app.create(key);
    const late = await sendRequest(app, 'simulateTransaction', { key, id, body: { action: 'pay_late' } });
    const { step } = (late.body as { data: { step: number } }).data;
    return sendRequest(app, 'decideTransaction', {
      key,
      id,
      body: { action: 'mark_paid', reason: 'here', seen_step: step },
    });
  }),
  decide.fails(400, 'INVALID_REQUEST', 'no reason', withTestKey('decideTransaction', { body: { action: 'dismiss' } })),
  decide.fails(404, 'TRANSACTION_NOT_FOUND', 'an id that no transaction has', withTestKey('decideTransaction')),
  decide.fails(409, 'INVALID_STATE', 'what is not to be decided', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const { transaction_id: id } = await app.create(key);
    return sendRequest(app, 'decideTransaction', { key, id });
  }),
];
