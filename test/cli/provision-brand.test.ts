import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findImage } from '../../src/images/index.ts';
import { createPaymentNetworks } from '../../src/payments/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { applyProvisioning } from '../../src/service/provisioning/apply.ts';
import { parseProvisioningFile } from '../../src/service/provisioning/file.ts';
import { bytesOfImage, IMAGES } from '../images/samples.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { PUBLIC_ONLY, TEST_KEY } from '../webhooks/harness.ts';

const BRAND = { logo: IMAGES.PNG, brand_colour: '#FFD21F', support_contact: 'help@shop.example' };

function fileWith(settings: object) {
  const merchant = { name: 'Provisioned look', email: 'look@shop.test', settings };
  return parseProvisioningFile({ merchants: [merchant] }, 'the test');
}

describeDatabases('the brand of a merchant in the provisioning file', (database) => {
  const apply = async (settings: object) => {
    const deps = {
      db: database().db,
      clock: createTestClock(),
      networks: createPaymentNetworks({ live: { kinds: {} }, test: 'simulated' }),
      endpoints: { secretBox: createSecretBox(TEST_KEY), urls: PUBLIC_ONLY, plansEnabled: false },
    };
    await applyProvisioning(deps, fileWith(settings), async () => {});
    const query = database().db.selectFrom('merchant').select('settings').where('name', '=', 'Provisioned look');
    return (await query.executeTakeFirstOrThrow()).settings;
  };

  test('is stored, and survives as the dashboard changed it until the file changes', async () => {
    const stored = await apply(BRAND);
    expect(stored).toMatchObject({ brandColour: '#ffd21f', supportContact: 'help@shop.example' });
    const image = await findImage(database(), String(stored['logo']));
    expect(image?.bytes).toEqual(bytesOfImage(IMAGES.PNG));
    const changed = { ...stored, logo: null };
    await database()
      .db.updateTable('merchant')
      .set({ settings: JSON.stringify(changed) })
      .where('name', '=', 'Provisioned look')
      .execute();
    expect(await apply(BRAND)).toEqual(changed);
    expect(await apply({ ...BRAND, logo: IMAGES.JPEG })).toMatchObject({
      logo: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('keeps a logo that the file replaces for as long as emails may show it', async () => {
    const { logo } = await apply({ ...BRAND, logo: IMAGES.LOSSY_WEBP });
    await sql`update image set created_at = '2020-01-01' where id = ${logo}`.execute(database().db);
    await apply({ ...BRAND, logo: IMAGES.PNG });
    const { rows } = await sql<{ at: Date }>`
      select created_at as at from image where id = ${logo}`.execute(database().db);
    expect(new Date(rows[0]?.at ?? 0).getTime()).toBe(createTestClock().now());
  });

  test('has no name that changes the direction of text', () => {
    const merchant = { name: 'Provisioned \u202elook', email: 'look@shop.test' };
    expect(() => parseProvisioningFile({ merchants: [merchant] }, 'the test')).toThrow(
      '$.merchants[0].name: must not contain U+202E, which changes the direction of text',
    );
  });

  test('is rejected with the path and the remedy of each error', () => {
    const wrong = {
      logo: 'data:image/png;base64,aGVsbG8=',
      brand_colour: 'red',
      support_contact: 'http://shop.example',
    };
    expect(() => fileWith(wrong)).toThrow(
      /\.settings\.brand_colour: must be a hex colour such as #0b6e4f\n.*\.settings\.support_contact: must be an email address such as .*\n.*\.settings\.logo: must be a PNG, JPEG or WebP file/,
    );
  });
});
