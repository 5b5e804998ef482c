import { expect, test } from 'vitest';
import type { SettingsInfo, SettingsValues } from '../../../../src/http/console/merchant/settings/schemas.ts';
import { bytesOfImage, IMAGES } from '../../../images/samples.ts';
import { POLLING } from '../../../support/polling.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const PATH = '/merchant/settings';
const BODY = { crypto: 'LTC', amount: 25, currency_fiat: 'EUR' };

describeConsole('the settings of a merchant in the console', {}, (console) => {
  const read = async (who: Who = 'staff'): Promise<SettingsInfo> => (await console.call(who, { path: PATH })).data;
  const change = (body: unknown) => console.call('owner', { method: 'PATCH', path: PATH, body });
  const set = async (changes: Partial<SettingsValues>) => {
    const { values } = await read();
    const seen = Object.fromEntries(Object.keys(changes).map((name) => [name, values[name as keyof SettingsValues]]));
    return change({ changes, seen });
  };

  test('are changed by an owner, for one merchant only', async () => {
    const body = { changes: { minConfirmations: 2 }, seen: { minConfirmations: 1 } };
    expect((await change(body)).status).toBe(200);
    const info = await read();
    expect(info).toMatchObject({ merchantId: console.merchantId, values: { minConfirmations: 2 } });
    expect(info.ownWindows.flatMap(({ coins }) => coins)).toContain('BTC');
    // The other merchant has its own settings, and sees none of these.
    expect(await read('neighbour')).toMatchObject({ values: { minConfirmations: 1 } });
    expect((await read('neighbour')).merchantId).not.toBe(console.merchantId);
  });

  test('have the look that customers see, with a logo that must be an image', async () => {
    const brand = { brandColour: ' #FFD21F', supportContact: 'https://shop.example' };
    const saved = await set({ logo: IMAGES.PNG, ...brand });
    const { logo } = saved.data;
    expect(saved.data).toMatchObject({ brandColour: '#ffd21f', supportContact: 'https://shop.example/' });
    const image = await fetch(`${console.url}/images/${logo}`);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(bytesOfImage(IMAGES.PNG));
    for (const [field, value] of [
      ['logo', `data:image/png;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`],
      ['logo', ''],
      ['brandColour', 'red; background: url(//evil.example)'],
      ['supportContact', 'javascript:alert(1)'],
      ['supportContact', 'http://shop.example'],
      ['supportContact', 'https://user:pass@shop.example'],
    ] as const) {
      const rejected = await set({ [field]: value });
      expect([field, value, rejected.status]).toEqual([field, value, 400]);
      expect([rejected.error, rejected.message]).toEqual(['INVALID_REQUEST', expect.stringContaining(field)]);
    }
    expect((await read()).values).toMatchObject({ logo, brandColour: '#ffd21f' });
    const id = (await console.api({ method: 'POST', path: '/transactions/create', body: BODY })).data.transaction_id;
    const page = await (await fetch(`${console.url}/transaction/${id}`)).text();
    for (const part of [`/images/${logo}"`, '/colour-ffd21f-', 'href="https://shop.example/"'])
      expect(page).toContain(part);
    expect((await set({ logo: null, brandColour: null, supportContact: null })).data.logo).toBeNull();
    expect(await (await fetch(`${console.url}/transaction/${id}`)).text()).not.toContain('/images/');
  });

  test('apply to the next payment, and do not change open ones', async () => {
    const due = 100;
    const create = async (): Promise<string> => {
      const response = await console.api({
        method: 'POST',
        path: '/transactions/create',
        body: { crypto: 'LTC', amount: due, currency_fiat: 'USD' },
      });
      expect(response.status).toBe(201);
      return response.data.transaction_id;
    };
    /** Pays 97 % of the amount due, and waits until it is confirmed. */
    const payNearly = async (id: string): Promise<void> => {
      const { data } = await console.api({ path: `/transactions/${id}` });
      const amount_crypto = Number((Number(data.amount_crypto) * 0.97).toFixed(8));
      const paid = await console.api({
        method: 'POST',
        path: `/transactions/${id}/simulate`,
        body: { action: 'pay_partial', amount_crypto },
      });
      expect(paid.status, paid.text).toBe(200);
      await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action: 'confirm' } });
    };
    const statusOf = async (id: string) => (await console.api({ path: `/transactions/${id}` })).data.status;

    const before = await create();
    expect(await set({ toleranceBasisPoints: 400 })).toMatchObject({ status: 200 });
    const after = await create();
    await payNearly(before);
    await payNearly(after);
    await expect.poll(() => statusOf(after), POLLING).toBe('completed');
    expect(await statusOf(before)).toBe('partial');
  });

  test('are rejected by name and limit, and then stay unchanged', async () => {
    const { values } = await read();
    for (const [changes, message] of [
      [{ toleranceBasisPoints: 501 }, 'toleranceBasisPoints must be a whole number from 0 to 500'],
      [{ minConfirmations: null }, 'changes.minConfirmations must be a whole number'],
      [{ customerLanguage: 'xx' }, 'changes.customerLanguage'],
      [{ contactEmail: 'nobody' }, 'contactEmail must be an email address'],
      [{ name: 'other' }, '"name" is unknown'],
    ] as const) {
      const response = await change({ changes, seen: values });
      expect(response).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
      expect(response.message).toContain(message);
    }
    for (const body of [
      {},
      { changes: {} },
      { changes: [], seen: {} },
      { changes: { minConfirmations: 4 }, seen: {} },
    ]) {
      expect(await change(body)).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
    }
    expect((await read()).values).toEqual(values);
    expect(await set({ windowMinutes: 45 })).toMatchObject({ status: 200, data: { windowMinutes: 45 } });
    expect(await set({ windowMinutes: null })).toMatchObject({ status: 200, data: { windowMinutes: null } });
  });

  test('keep addresses out of the log and the audit', async () => {
    const contactEmail = `till-${process.pid}@shop.example`;
    expect(await set({ contactEmail })).toMatchObject({ status: 200, data: { contactEmail } });
    const { values } = await read();
    expect(
      await change({ changes: { contactEmail: 'x@y.example' }, seen: { contactEmail: 'old@y.example' } }),
    ).toMatchObject({ status: 409 });
    expect(values.contactEmail).toBe(contactEmail);
    const audit = await console.call('owner', { path: '/merchant/audit?what=merchant' });
    expect(audit.data.entries[0]).toMatchObject({
      what: 'merchant.settings_changed',
      details: { contactEmail: 'changed' },
    });
    expect(JSON.stringify(audit.data.entries[0].details)).not.toContain('@');
    expect(JSON.stringify(console.logLines())).not.toContain(contactEmail);
  });
});
