import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { findImage, imageIdOf, readImage } from '../../src/images/index.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import { runHere } from '../cli/run-here.ts';
import { runWithInput } from '../e2e/cli/cli-input.ts';
import { bytesOfImage, IMAGES } from '../images/samples.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';

interface Shown {
  readonly slug: string;
  readonly closed_at: string | null;
  readonly address?: string;
}

describePostgres('quittance link', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-links-'));
    database = await createPostgresDatabase();
    for (const [name, value] of Object.entries(settings())) vi.stubEnv(name, value);
    await database.db.transaction().execute(async (trx) => {
      await upsertMerchant(trx, { name: 'A shop', email: 'a@shop.test', plan: 'starter', settings: {} });
      await upsertMerchant(trx, { name: 'B shop', email: 'b@shop.test', plan: 'starter', settings: {} });
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const settings = () => ({
    DATABASE_URL: database.url ?? '',
    DATA_DIR: folder,
    PUBLIC_URL: 'https://pay.example.com',
  });
  const quittance = ([name, ...args]: readonly string[]) => runHere(`link ${name}`, args);
  const asJson = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse(await quittance([...args, '--json'])) as T;
  const ofA = ['--merchant', 'A shop', '--mode', 'live'];

  test('creates, lists and closes a link', async () => {
    const named = [
      'create',
      ...ofA,
      '--title',
      'Invoice 7',
      '--slug',
      'invoice-7',
      '--success',
      'https://a.shop/thanks',
    ];
    const price = ['--amount', '24.90', '--currency', 'EUR', '--cryptos', 'LTC,BTC'];
    const made = await asJson<Shown>(...named, ...price, '--until', '2999-12-31', '--once');
    expect(made).toEqual({
      slug: 'invoice-7',
      mode: 'live',
      title: 'Invoice 7',
      description: null,
      amount: '24.9',
      min_amount: null,
      max_amount: null,
      currency: 'EUR',
      cryptos: ['LTC', 'BTC'],
      success_url: 'https://a.shop/thanks',
      expires_at: '3000-01-01T00:00:00Z',
      max_uses: 1,
      uses: 0,
      excess_uses: 0,
      created_at: expect.stringMatching(/Z$/),
      closed_at: null,
      address: expect.stringMatching(/^https:\/\/pay\.example\.com\/l\/\w{12}$/),
    });
    expect(await asJson('list', '--merchant', 'A shop')).toEqual({ links: [{ ...made, excess_transactions: [] }] });
    expect(await quittance(['list', '--merchant', 'A shop'])).toMatch(
      /^invoice-7 +live +Invoice 7 +24\.9 EUR +LTC BTC +0 of 1 +3000-01-01T00:00:00Z +-$/m,
    );
    expect(await quittance(['list', '--merchant', 'B shop'])).toBe('"B shop" has no payment links.\n');

    expect(await quittance(['close', ...ofA, '--slug', 'invoice-7'])).toMatch(/^Link invoice-7 \(live\) closed at /);
    expect((await asJson<Shown>('close', ...ofA, '--slug', 'invoice-7')).closed_at).toMatch(/Z$/);
  });

  test('shows the image of a file, and refuses one that is no image or not there', async () => {
    const path = join(folder, 'mug.png');
    const create = (file: string) => quittance(['create', ...ofA, '--title', 'Mug', '--slug', 'mug', '--image', file]);
    await writeFile(path, 'no image');
    await expect(create(path)).rejects.toThrow('--image must be a PNG, JPEG or WebP file');
    await expect(create(join(folder, 'none.png'))).rejects.toThrow(/--image: .*none\.png cannot be read/);
    await writeFile(path, bytesOfImage(IMAGES.PNG));
    await create(path);
    const [stored] = await database.db
      .selectFrom('payment_link')
      .innerJoin('image', 'image.id', 'payment_link.image_id')
      .select(['slug', 'content_type', 'bytes'])
      .execute();
    expect(stored).toEqual({ slug: 'mug', content_type: 'image/png', bytes: bytesOfImage(IMAGES.PNG) });
  });

  test('by default creates a link for any amount, without expiry, under an unguessable name', async () => {
    const made = await asJson<Shown>('create', ...ofA, '--title', 'Donation');
    expect(made).toMatchObject({ amount: null, min_amount: null, max_amount: null, max_uses: null, expires_at: null });
    expect(made.slug).toMatch(/^[0-9a-f]{32}$/);
    expect(made.address).toContain('https://pay.example.com/l/');
  });

  test('reports payments beyond the uses of a link', async () => {
    const { slug } = await asJson<Shown>('create', ...ofA, '--title', 'Once', '--once');
    const { db } = database;
    await db.updateTable('payment_link').set({ uses: 1, excess_uses: 2 }).where('slug', '=', slug).execute();
    expect(await quittance(['list', '--merchant', 'A shop'])).toContain(
      `${slug} (live) was paid 2 times more than allowed`,
    );
  });

  test('an error ends the command with only its message', () => {
    const args = ['link', 'create', '--merchant', 'C', '--mode', 'live', '--title', 'x'];
    const result = runWithInput(args, { cwd: folder, input: '', env: settings() });
    expect(result.stderr).toMatch(/no merchant "C"/);
    expect([result.code, result.stdout]).toEqual([1, '']);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['a slug that is none', ['create', ...ofA, '--title', 'x', '--slug', 'A'], /3 to 64 characters/],
    ['an amount that is none', ['create', ...ofA, '--title', 'x', '--amount', '1,5'], /decimal like 25/],
    ['a bound that is none', ['create', ...ofA, '--title', 'x', '--min', '1,5'], /--min must be a decimal like 25/],
    ['a price with bounds', ['create', ...ofA, '--title', 'x', '--amount', '5', '--max', '9'], /fixed price/],
    ['two numbers of uses', ['create', ...ofA, '--title', 'x', '--once', '--uses', '2'], /not both/],
    ['a coin there is not', ['create', ...ofA, '--title', 'x', '--cryptos', 'LTC,XMR'], /"XMR" is not one/],
    ['a link there is not', ['close', ...ofA, '--slug', 'nothing'], /no live link "nothing"/],
  ])('%s is an error that names the option', async (_, args, problem) => {
    const mistake = await parseAndRun(['link', ...args]).catch((error: unknown) => error);
    expect(mistake).toBeInstanceOf(TerminalError);
    expect(String(mistake)).toMatch(problem);
  });

  test('an image is taken off every page that shows it, as a logo and on links', async () => {
    const file = join(folder, 'cup.jpg');
    await writeFile(file, bytesOfImage(IMAGES.JPEG));
    await asJson('create', ...ofA, '--title', 'A cup', '--slug', 'cup', '--amount', '5', '--image', file);
    const id = imageIdOf(readImage(IMAGES.JPEG));
    const { db } = database;
    await sql`update merchant set settings = settings || ${JSON.stringify({ logo: id, windowMinutes: 30 })}::jsonb,
      provisioned_settings = ${JSON.stringify({ logo: id })}::jsonb
      where name = 'B shop'`.execute(db);
    const address = `https://pay.example.com/images/${id}`;
    expect(JSON.parse(await runHere('image remove', [address, '--json']))).toEqual({
      image: id,
      merchants: ['B shop'],
      links: [{ merchant: 'A shop', slug: 'cup', mode: 'live' }],
      provisioned: ['B shop'],
    });
    expect(await findImage({ db }, id)).toBeNull();
    const { settings: kept } = await db
      .selectFrom('merchant')
      .select('settings')
      .where('name', '=', 'B shop')
      .executeTakeFirstOrThrow();
    expect(kept).toEqual({ windowMinutes: 30 });
    const audited = await db
      .selectFrom('audit_entry')
      .select('subject_id')
      .where('what', '=', 'merchant.image_removed')
      .execute();
    expect(audited).toEqual([{ subject_id: id }, { subject_id: id }]);
    await expect(runHere('image remove', [id])).rejects.toThrow('Image not found');
    await quittance(['close', ...ofA, '--slug', 'cup']);
  });
});

// Helpers

/** Runs a command in this process, which is enough to see how it fails. */
async function parseAndRun(args: readonly string[]): Promise<void> {
  const requested = await parseCommandLine(args);
  if (requested.kind === 'run') await requested.run();
}
