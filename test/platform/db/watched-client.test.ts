import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { WatchedClient } from '../../../src/platform/db/watched-client.ts';

it('sends the small statements of a turn in one write', async () => {
  const { client, stream, writes } = clientWithoutServer();
  for (const text of ['a', 'b', 'c']) client.gather(() => stream.write(text));
  expect(writes).toEqual([]);
  await turnEnds();
  expect(writes).toEqual(['abc']);
});

it('does not hold back a large statement while further ones are built: the server can start', async () => {
  const { client, stream, writes } = clientWithoutServer();
  const large = 'x'.repeat(100_000);
  client.gather(() => stream.write('a'));
  client.gather(() => stream.write(large));
  expect(writes).toEqual([`a${large}`]);
  client.gather(() => stream.write('b'));
  client.gather(() => stream.write('c'));
  await turnEnds();
  expect(writes).toEqual([`a${large}`, 'bc']);
});

// Helpers

function clientWithoutServer() {
  const writes: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  const client = new WatchedClient();
  Reflect.set(client, 'connection', { stream });
  return { client, stream, writes };
}

/** After everything queued by `process.nextTick`. */
function turnEnds(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
