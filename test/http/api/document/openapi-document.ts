import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';

export interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Body {
  readonly content?: Readonly<Record<string, Media>>;
}

interface ResponseObject extends Body {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Reference {
  readonly $ref: string;
}

export interface Operation<R = ResponseObject> {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, R>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly unknown[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: object;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation<ResponseObject | Reference>>>>>;
}

/** `npm run check:openapi` compares it with the routes. */
export const COMMITTED = JSON.parse(
  readFileSync(new URL('../../../../generated/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

/** Every operation with its method and path template, and with shared responses in place. */
export function operationsOf({ paths, components }: OpenApiDocument): { name: string; operation: Operation }[] {
  const resolved = (response: ResponseObject | Reference): ResponseObject => {
    if (!('$ref' in response)) return response;
    const shared = components.responses[response.$ref.replace('#/components/responses/', '')];
    if (shared === undefined) throw new Error(`${response.$ref} is not in the document`);
    return shared;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const responses = Object.entries(operation.responses).map(([status, each]) => [status, resolved(each)] as const);
      return {
        name: `${method.toUpperCase()} ${path}`,
        operation: { ...operation, responses: Object.fromEntries(responses) },
      };
    }),
  );
}

/** The operations of the committed document. */
export const OPERATIONS = operationsOf(COMMITTED);

/**
 * Violations of the committed description in a response, found by a validator independent of the
 * server. Null when there are none; an undocumented status is a violation too.
 */
export function disagreement(name: string, status: number, body: unknown): string | null {
  const operation = OPERATIONS.find((each) => each.name === name)?.operation;
  const response = operation?.responses[status];
  if (response === undefined) return `${name} is not described to answer ${status}`;
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) return `${name} is described to answer ${status} with no body`;
  const validator = validatorOf(schema);
  // Listing the errors rereads the schemas, which is many times slower than the compiled check.
  if (validator.Check(body)) return null;
  const [, errors] = validator.Errors(body);
  return JSON.stringify(errors.slice(0, 3));
}

// Helpers

const validators = new Map<object, ReturnType<typeof Compile>>();

function validatorOf(schema: object): ReturnType<typeof Compile> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = Compile({ ...schema, components: COMMITTED.components });
  validators.set(schema, compiled);
  return compiled;
}
