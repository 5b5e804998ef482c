import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeBrowser, startBrowser, type TestBrowser } from '../../support/browser.ts';
import { deferred } from '../../support/deferred.ts';

/** Pages of tests that go away while they load, and a server that fails them: only one of these is trouble. */
describeBrowser('what a watched page has for trouble', () => {
  let browser: TestBrowser;
  let server: Server;
  let url: string;
  /** Told of every request that is going to get no answer. */
  let hung = deferred();

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/never') hung.resolve();
      else if (request.url === '/reset') request.socket.resetAndDestroy();
      else if (request.url === '/half') {
        response.writeHead(200, { 'content-length': '10' }).write('half');
        setImmediate(() => response.destroy());
      } else response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,">');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** Has a page ask for something that never comes, and go away from it, in whatever way. */
  async function giveUp(init: string, leave: (page: Page) => Promise<unknown>): Promise<readonly string[]> {
    hung = deferred();
    const { page, troubles, close } = await browser.open();
    await page.goto(url);
    const failed = page.waitForEvent('requestfailed');
    await page.evaluate(
      `globalThis.stop = new AbortController(); fetch('/never', { ...${init}, signal: stop.signal }).catch(() => 0); 0`,
    );
    await hung.promise;
    await leave(page);
    await failed;
    await close();
    return troubles;
  }

  const abort = (page: Page) => page.evaluate('stop.abort()');

  test('not a read that it calls off', async () => {
    expect(await giveUp('{}', abort)).toEqual([]);
  });

  test('not a read that was under way when it was left', async () => {
    expect(await giveUp('{}', (page) => page.goto(`${url}/next`))).toEqual([]);
  });

  test('a change that it calls off: nobody knows whether it was made', async () => {
    expect(await giveUp(`{ method: 'POST' }`, abort)).toEqual([`failed: POST ${url}/never net::ERR_ABORTED`]);
  });

  test.each(['/reset', '/half'])('a read that the server breaks off: %s', async (path) => {
    const { page, troubles, close } = await browser.open();
    await page.goto(url);
    const failed = page.waitForEvent('requestfailed');
    await page.evaluate(`fetch('${path}').then((answer) => answer.text()).catch(() => 0)`);
    await failed;
    expect(troubles).toContainEqual(
      expect.stringMatching(new RegExp(`^failed: GET ${url}${path} net::ERR_(?!ABORTED)`)),
    );
    await close();
  });
});
