import { readFile } from 'node:fs/promises';
import { describeApi } from '../../src/http/api/index.ts';
import { writeOrCheck } from '../write-or-check.ts';
import { type ApiDocument, generateOperations } from './client-operations.ts';

/**
 * `npm run openapi` writes the OpenAPI document of the merchant API, and the operations of the
 * client from it; with `--check` it only compares.
 */
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const document = (await describeApi({ version })) as ApiDocument;
await writeOrCheck('npm run openapi', [
  { path: 'generated/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
  { path: 'src/client/operations.ts', text: generateOperations(document) },
]);
