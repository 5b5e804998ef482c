import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CreatedSecrets } from '../../src/service/provisioning/apply.ts';
import { bytesOfImage, IMAGES } from '../images/samples.ts';
import type { EmptyClone } from './empty-clone.ts';
import { codeBlocks, documents, readDocument } from './markdown.ts';

/** A running service for the commands in the documents, with merchants and objects for them. */
export interface DocumentShop {
  /**
   * Runs a command as written, with this service's ids and current dates in place of the examples.
   */
  run(document: string, line: string): Promise<void>;
}

type Fields = Readonly<Record<string, string>>;

const DAY_MS = 86_400_000;
const OPERATOR_TOKEN = 'the-token-of-the-operator-of-the-documents';
/** Defines the command name that the documents use. */
const QUITTANCE = 'quittance() { node dist/quittance/main.js "$@"; }';
/** The merchant in commands that name one. */
const NAMED = 'Example Shop';
/** Account 0 of the test vectors of BIP-84. */
const WALLET =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

export async function createDocumentShop(
  clone: EmptyClone,
  { address, env }: { readonly address: string; readonly env: Fields },
): Promise<DocumentShop> {
  const url = `http://${address}`;
  const settings = { ...env, PORT: new URL(url).port, PUBLIC_URL: url, OPERATOR_TOKEN };
  const secrets = provision();
  await clone.start(startCommand(env), 'quittance is running', settings);

  /** Each document has its own merchant, so that idempotency keys do not collide. */
  function provision(): readonly CreatedSecrets[] {
    const merchants = [NAMED, 'Tea & Co.', ...documents()].map((name, index) => {
      return { name, email: `owner-${index}@example.com`, plan: 'enterprise' };
    });
    writeFileSync(join(clone.folder, 'merchants.json'), JSON.stringify({ merchants }));
    quittance('provision merchants.json --out merchants-secrets.json');
    return JSON.parse(readFileSync(join(clone.folder, 'merchants-secrets.json'), 'utf8')).merchants;
  }

  function quittance(command: string): string {
    return clone.run(`${QUITTANCE}\nquittance ${command}`, { env: settings });
  }

  function keysOf(merchant: string) {
    const keys = secrets.find(({ name }) => name === merchant)?.keys;
    if (keys === undefined) throw new Error(`${merchant} has no keys`);
    return keys;
  }

  async function post(merchant: string, path: string, body: object): Promise<Fields> {
    const { sk_test, sk_live } = keysOf(merchant);
    const key = path.startsWith('/webhooks') ? sk_live : sk_test;
    // Commands block this process between requests, so it would not notice a closed connection.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
    const response = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { readonly data: Fields };
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer.data;
  }

  async function transaction(merchant: string): Promise<string> {
    return (await post(merchant, '/transactions/create', { crypto: 'LTC', amount: 25 })).transaction_id ?? '';
  }

  /** A payment that awaits a decision. */
  async function latePayment(merchant: string): Promise<Fields> {
    return post(merchant, `/transactions/${await transaction(merchant)}/simulate`, { action: 'pay_late' });
  }

  /** A schedule in the state that the command needs. */
  async function schedule(merchant: string, line: string): Promise<string> {
    const body = { customer_email: 'jo@example.com', amount: 25, currency_fiat: 'EUR', interval: 'monthly' };
    const { schedule_id: id = '' } = await post(merchant, '/recurring/create', { ...body, description: 'Climbing' });
    if (/resend-confirmation|"confirm"/.test(line)) return id;
    await post(merchant, `/recurring/${id}/simulate`, { action: 'confirm' });
    if (line.includes('/resume')) await post(merchant, `/recurring/${id}/pause`, {});
    return id;
  }

  /** A new one each time, because commands disable their endpoint. */
  async function endpoint(merchant: string): Promise<string> {
    const made = await post(merchant, '/webhooks/endpoints', {
      url: `https://shop.example/${randomUUID()}`,
      modes: ['test'],
    });
    return idIn('whk', JSON.stringify(made));
  }

  /** A real id of the same kind as the example in a command. */
  async function idLike(shown: string): Promise<string> {
    const kind = shown.slice(0, 3);
    if (kind === 'txn') return transaction(NAMED);
    if (kind === 'whk') return endpoint(NAMED);
    if (kind === 'key') return idIn(kind, quittance(`key create --merchant "${NAMED}" --kind sk_live --json`));
    if (kind === 'eml') {
      await schedule(NAMED, 'resend-confirmation');
      return idIn(kind, quittance('mail list --json'));
    }
    const own = await endpoint(NAMED);
    const since = new Date(Date.now() - DAY_MS).toISOString();
    if (kind === 'rpl')
      return idIn(kind, quittance(`webhook replay --merchant "${NAMED}" --endpoint ${own} --since ${since}`));
    return idIn(kind, quittance(`webhook test --merchant "${NAMED}" --endpoint ${own} --json`));
  }

  async function asHere(line: string): Promise<string> {
    let here = line.replaceAll(/\d{4}-\d\d-\d\d(?=T)/g, day(line.includes('since') ? -1 : 60));
    here = here.replace(/--until \S+/, `--until ${day(60)}`);
    here = here.replace(/("since":")\d{4}-\d\d-\d\d(?=.*"until")/, (_, before: string) => before + day(-2));
    if (here.includes('mug.png')) writeFileSync(join(clone.folder, 'mug.png'), bytesOfImage(IMAGES.PNG));
    for (const [shown] of here.matchAll(/\b(?:key|whk|txn|dlv|rpl|eml)_(?:…|\w{26})/g))
      here = here.replace(shown, await idLike(shown));
    return here;
  }

  return {
    async run(document, line) {
      const merchant = line.includes('--merchant') ? NAMED : document;
      const { sk_test: SK_TEST, sk_live: SK_LIVE } = keysOf(merchant);
      const env: Record<string, string> = { ...settings, SK_TEST, SK_LIVE };
      if (line.includes('/recurring/$ID')) env.ID = await schedule(merchant, line);
      if (line.includes('/transactions/$ID')) env.ID = await transaction(merchant);
      if (line.includes('operator@')) quittance('user create --email operator@example.com --role operator');
      if (line.includes('$ENDPOINT')) env.ENDPOINT = await endpoint(merchant);
      let own = await asHere(line);
      if (line.includes('/decision')) {
        const late = await latePayment(merchant);
        env.ID = late.transaction_id ?? '';
        own = own.replace(/"seen_step":\d+/, `"seen_step":${late.step}`);
      }
      const said = clone.run(`${QUITTANCE}\n${own}`, { env, input: WALLET });
      if (line.startsWith('curl')) expect(JSON.parse(said)).not.toHaveProperty('error');
      // Later commands create more endpoints than the plan of the documents allows.
      if (line.includes('merchant plan')) quittance(`merchant plan --merchant "${NAMED}" --tier enterprise`);
    },
  };
}

// Helpers

/**
 * The start command of docs/operators/starting.md for existing servers, with this test's servers.
 */
function startCommand({ DATABASE_URL = '', NATS_URL = '' }: Fields): string {
  const blocks = codeBlocks(readDocument('docs/operators/starting.md'), 'sh');
  const [, start = 'docs/operators/starting.md starts no service on servers'] =
    blocks.map((block) => /^(DATABASE_URL=\S+ [^]*main\.js)$/m.exec(block)).find((found) => found !== null) ?? [];
  return start.replace(/postgres:\S+/, DATABASE_URL).replace(/nats:\S+/, NATS_URL);
}

function idIn(kind: string, text: string): string {
  const id = new RegExp(`${kind}_[0-9a-z]{26}`).exec(text)?.[0];
  if (id === undefined) throw new Error(`there is no ${kind}_… in ${text}`);
  return id;
}

function day(fromToday: number): string {
  return new Date(Date.now() + fromToday * DAY_MS).toISOString().slice(0, 10);
}
