import { Compile } from 'typebox/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../../../src/http/api/error-codes.ts';
import { describeApi } from '../../../../src/http/api/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../../src/webhooks/index.ts';
import { type Body, type Media, type OpenApiDocument, type Operation, operationsOf } from './openapi-document.ts';

interface Document extends OpenApiDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
}

let document: Document;
beforeAll(async () => {
  document = (await describeApi({ version: '1' })) as Document;
});

describe('every operation in the OpenAPI document', () => {
  test('has a unique operationId, a summary, a description and a described tag', () => {
    const tags = document.tags.map(({ name }) => name);
    const all = operationsOf(document);
    expect(all.length).toBeGreaterThan(5);
    for (const { name, operation } of all) {
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary, name).toMatch(/\S/);
      expect(operation.description, name).toMatch(/\S/);
      expect(tags, name).toEqual(expect.arrayContaining([...(operation.tags ?? ['no tag'])]));
    }
    expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length);
  });

  test('has an example for each body it accepts and each status it returns (src/http/api/examples)', () => {
    const bare = medias()
      .filter(({ media }) => examplesOf(media).length === 0)
      .map(({ name }) => name);
    expect(bare).toEqual([]);
  });

  test('has only examples that match their schemas, without unlisted fields', () => {
    const wrong = medias().flatMap(({ name, media }) =>
      examplesOf(media).flatMap((example) => {
        const reason = misfit(media.schema, example);
        return reason === null ? [] : [`${name}: ${reason}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('shows each error under the name of its code and its own status', () => {
    const shown = operationsOf(document).flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.entries(content?.['application/json']?.examples ?? {}).map(([code, { value }]) => ({
          status,
          code,
          value,
        })),
      ),
    );
    expect(new Set(shown.map(({ code }) => code)).size).toBeGreaterThan(10);
    for (const { status, code, value } of shown) {
      expect(value).toMatchObject({ success: false, error: code });
      expect(ERROR_CODES).toHaveProperty(code, expect.objectContaining({ status: Number(status) }));
    }
  });
});

describe('the webhooks in the OpenAPI document', () => {
  test('include every event, each with a payload that matches', () => {
    expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENT_TYPES]);
    for (const [event, { post }] of Object.entries(document.webhooks)) {
      const media = post.requestBody?.content?.['application/json'];
      if (media === undefined) throw new Error(`${event} has no body`);
      expect(media.example).toMatchObject({ event });
      expect(misfit(media.schema, media.example), event).toBeNull();
    }
  });
});

// Helpers

/** Every JSON body of every operation, in requests and responses. */
function medias(): { name: string; media: Media }[] {
  return operationsOf(document).flatMap(({ name, operation }) => {
    const bodies: [string, Body][] = [
      ...(operation.requestBody === undefined ? [] : [['request', operation.requestBody] satisfies [string, Body]]),
      ...Object.entries(operation.responses),
    ];
    return bodies.flatMap(([direction, { content }]) => {
      const media = content?.['application/json'];
      return media === undefined ? [] : [{ name: `${name} ${direction}`, media }];
    });
  });
}

function examplesOf({ example, examples }: Media): unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples ?? {}).map(({ value }) => value)];
}

function misfit(schema: object, example: unknown): string | null {
  const [isValid, errors] = Compile(closed({ ...schema, components: document.components })).Errors(example);
  return isValid ? null : JSON.stringify(errors.slice(0, 2));
}

/** The same schema, but objects with named properties allow no others. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  const isObject = 'properties' in schema && 'type' in schema && !('additionalProperties' in schema);
  return Object.fromEntries([...entries, ...(isObject ? [['additionalProperties', false]] : [])]) as T;
}
