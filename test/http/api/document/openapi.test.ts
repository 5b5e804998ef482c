import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../../../src/http/api/error-codes.ts';
import { describeApi } from '../../../../src/http/api/index.ts';
import { COMMITTED, OPERATIONS } from './openapi-document.ts';

describe('the OpenAPI document', () => {
  test('is deterministic', async () => {
    const named = (await describeApi({ version: '7' })) as { info: { version: string } };
    expect(named.info.version).toBe('1.0.1');
    const [first, second] = [await describeApi({ version: '1' }), await describeApi({ version: '1' })];
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });

  test('marks every number as a double: generators use 32 bits for others', () => {
    const schemas: Record<string, unknown>[] = [];
    JSON.stringify(COMMITTED, (_, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'type' in value) schemas.push({ ...value });
      return value;
    });
    const numbers = schemas.filter(({ type }) => [type].flat().includes('number'));
    expect(numbers.length).toBeGreaterThan(30);
    expect(numbers.filter(({ format }) => format !== 'double')).toEqual([]);
  });

  test('describes version 1 of the API', () => {
    expect(COMMITTED.openapi).toMatch(/^3\.1\./);
    expect(COMMITTED.servers.map(({ url }) => url)).toEqual(['/v1']);
  });

  test.each(OPERATIONS)('$name has one tag and lists its errors', ({ name, operation }) => {
    expect(operation.tags).toHaveLength(1);
    const statuses = Object.keys(operation.responses);
    for (const status of statuses) expect(operation.responses[status]?.description).not.toBe('Default Response');
    if (name === 'GET /health') {
      expect(operation.security).toEqual([]);
      return;
    }
    if (name === 'GET /health/details') {
      expect(operation.security).toEqual([{ operatorToken: [] }]);
      expect(statuses).toEqual(['200', '401', '404', '429', '500']);
      return;
    }
    if (name === 'GET /pay') {
      expect(operation.security).toEqual([]);
      expect(statuses).toEqual(['200', '302', '400', '401', '403', '409', '410', '429', '500']);
      return;
    }
    // The document's bearer scheme applies unless an operation overrides it.
    expect(operation.security).toBeUndefined();
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '500']));
    for (const status of statuses.filter((each) => Number(each) >= 400)) {
      expect(JSON.stringify(operation.responses[status]?.content)).toContain('#/components/schemas/ErrorEnvelope');
    }
  });

  test('shares the error responses that several operations have', () => {
    const inline = Object.values(COMMITTED.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status, response]) => Number(status) >= 400 && !('$ref' in response));
    expect(Object.keys(COMMITTED.components.responses)).toContain('FORBIDDEN-USE_PAY_ENDPOINT');
    expect(inline.length).toBeLessThan(OPERATIONS.length);
  });

  test('names every error code somewhere, under its own status', () => {
    const sent = OPERATIONS.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { description }]) =>
        [...description.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b|\bUNAUTHORIZED\b|\bFORBIDDEN\b/g)].map(
          ([code]) => `${status} ${code}`,
        ),
      ),
    );
    const existing = Object.entries(ERROR_CODES).map(([code, { status }]) => `${status} ${code}`);
    expect([...new Set(sent)].sort()).toEqual(existing.sort());
  });

  test('describes headers and optional fields', () => {
    const create = OPERATIONS.find(({ name }) => name === 'POST /transactions/create')?.operation;
    expect(create?.parameters).toMatchObject([
      { name: 'X-Idempotency-Key', in: 'header', required: false },
      { name: 'X-Customer-IP', in: 'header', required: false },
    ]);
    expect(create?.responses['201']?.headers).toHaveProperty('X-Idempotency-Replayed');
    const list = OPERATIONS.find(({ name }) => name === 'GET /transactions/list')?.operation;
    expect(list?.parameters?.filter(({ required }) => required)).toEqual([]);
  });
});
