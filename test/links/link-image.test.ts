import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../src/images/index.ts';
import { expectProblem, useApp } from '../http/api/support.ts';
import { bytesOfImage, IMAGES, LARGEST_IMAGE } from '../images/samples.ts';
import { describeBothDatabases } from '../support/database/test-database.ts';

interface LinkResponse {
  readonly data: { readonly slug: string; readonly url: string; readonly image_url: string | null };
}

describeBothDatabases('the image of a payment link', (database) => {
  const { app, merchant } = useApp(database);
  let service: Promise<string> | undefined;
  const fetchImage = async (path: string) => fetch(`${await (service ??= app().listen())}${path}`);
  const make = (key: string, body: object) => app().call<LinkResponse>({ method: 'POST', path: '/links', key, body });

  test('is public, immutable, cannot run anything, and is shown on the page of the link', async () => {
    for (const [image, type] of [
      [IMAGES.PNG, 'image/png'],
      [IMAGES.JPEG, 'image/jpeg'],
      [IMAGES.EXTENDED_WEBP, 'image/webp'],
      [LARGEST_IMAGE, 'image/png'],
    ] as const) {
      const made = await make(merchant().keys.sk_test, { title: 'A "mug" <b>', amount: 25, image });
      expect(made.status, made.text).toBe(201);
      const { slug, url, image_url: address } = made.body.data;
      const read = await app().call<LinkResponse>({ path: `/links/${slug}`, key: merchant().keys.sk_test });
      expect(read.body.data.image_url).toBe(address);
      const { pathname } = new URL(address ?? '');
      const page = await app().open(url);
      expect(page.text).toContain(`src="..${pathname}" alt="A &quot;mug&quot; &lt;b&gt;"`);
      const response = await fetchImage(pathname);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(bytesOfImage(image).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    }
  });

  test('is one of at most 500 different ones of a merchant, which any of its links may have', async () => {
    const shop = await app().addMerchant();
    const { db } = database();
    await sql`insert into image (id, content_type, bytes, created_at)
      select 'image-' || n, 'image/png', 'x'::bytea, now() from generate_series(1, 500) n`.execute(db);
    await sql`insert into payment_link (merchant_id, mode, slug, code, title, image_id, currency_fiat, cryptos, created_at)
      select ${shop.id}, 'test', 'slug-' || n, 'code-' || n, 'Mug', 'image-' || n, 'EUR', '{}', now()
      from generate_series(1, 500) n`.execute(db);
    const rejected = await make(shop.keys.sk_test, { title: 'One more', image: IMAGES.PNG });
    expect(rejected.status).toBe(400);
    expect(rejected.text).toContain('500 different images');
    await sql`update payment_link set image_id = 'image-1' where slug = 'slug-2'`.execute(db);
    expect((await make(shop.keys.sk_test, { title: 'Another', image: IMAGES.PNG })).status).toBe(201);
    expect((await make(shop.keys.sk_test, { title: 'The same', image: IMAGES.PNG })).status).toBe(201);
  });

  test('is stored once, however many links of however many merchants have it', async () => {
    const other = await app().addMerchant();
    const made = [
      await make(merchant().keys.sk_test, { title: 'One', image: IMAGES.LOSSLESS_WEBP }),
      await make(merchant().keys.sk_live, { title: 'Two', image: IMAGES.LOSSLESS_WEBP }),
      await make(other.keys.sk_test, { title: 'Three', image: IMAGES.LOSSLESS_WEBP }),
    ];
    const [address] = new Set(made.map(({ body }) => body.data.image_url));
    expect(made.map(({ body }) => body.data.image_url)).toEqual([address, address, address]);
    const id = address?.split('/').at(-1) ?? '';
    const rows = await app().connection.db.selectFrom('image').select('id').where('id', '=', id).execute();
    expect(rows).toEqual([{ id }]);
  });

  test('is refused when it is too large or no image, and creates nothing', async () => {
    const { keys } = await app().addMerchant();
    const stored = () => app().connection.db.selectFrom('image').select('id').execute();
    const before = await stored();
    const tooLarge = `data:image/png;base64,${'A'.repeat(Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 4)}`;
    for (const image of [tooLarge, 'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=', '', 5]) {
      const response = await make(keys.sk_test, { title: 'Tea', image });
      expectProblem(response, 400, 'INVALID_REQUEST');
      expect(response.text).toContain('"field":"image"');
    }
    const link = { title: 'Tea', slug: 'tea' };
    expect((await make(keys.sk_test, link)).status).toBe(201);
    expect((await make(keys.sk_test, { ...link, image: IMAGES.LOSSY_WEBP })).status).toBe(409);
    expect(await stored()).toEqual(before);
  });

  test('that does not exist is 404, which is not cached', async () => {
    for (const id of ['0'.repeat(64), 'short', '%00', '..%2fl']) {
      const { status, headers } = await fetchImage(`/images/${id}`);
      expect([status, headers.get('cache-control')], id).toEqual([404, 'no-store']);
    }
  });
});
