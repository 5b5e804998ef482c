import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loggableHeaders, storableText } from '../../../src/webhooks/sender/storable-text.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

/** Any UTF-16 code units, including NUL and unpaired surrogates. */
const codeUnit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.integer({ min: 0xd800, max: 0xdfff }),
  fc.constantFrom(0, 0x41, 0xe9),
);
const anything = fc.array(codeUnit, { maxLength: 40 }).map((units) => String.fromCharCode(...units));

describeDatabases('any response text', (database) => {
  test('can be stored as text and as JSON, and is read back as stored', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(anything, fc.integer({ min: 0, max: 30 }), async (text, maxCharacters) => {
        const storable = storableText(text, maxCharacters);
        expect(storable.length).toBeLessThanOrEqual(maxCharacters);
        expect(storableText(storable, maxCharacters)).toBe(storable);
        const headers = loggableHeaders([
          ['x-said', text],
          [text, 'x'],
        ]);
        const { rows } = await sql<{ text: string; json: unknown }>`
          select ${storable}::text as text, ${JSON.stringify(headers)}::jsonb as json`.execute(database().db);
        expect(rows).toEqual([{ text: storable, json: headers }]);
      }),
      { numRuns: level.runs(300) },
    );
  });
});
