/**
 * Writes `src/client/operations.ts`: the types and the table that the client consists of, from the
 * OpenAPI description, which is made from the TypeBox schemas of the routes. Not from their
 * `Static<...>` types, because handlers return amounts as exact decimal strings; the description
 * has the wire format.
 */
export interface ApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly description?: string;
}

export function generateOperations(document: ApiDocument): string {
  const usable = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => toUsable(method, path, operation)),
  );
  const types = Object.entries(document.components.schemas).map(([name, schema]) => declaration(name, schema));
  const operations = usable.map((each) => `${comment(each.operation.summary, 1)}${operationType(each, document)}`);
  const rows = usable.map(({ operation, method, path }) => {
    const takesKey = (operation.parameters ?? []).some(({ name }) => name === IDEMPOTENCY_HEADER);
    const parts = [`method: '${method}'`, `path: '${path}'`, `takesIdempotencyKey: ${takesKey}`];
    const line = `  ${operation.operationId}: { ${parts.join(', ')} },\n`;
    if (line.length <= LINE_WIDTH + 1) return line;
    return `  ${operation.operationId}: {\n${parts.map((part) => `    ${part},\n`).join('')}  },\n`;
  });
  return [
    HEADER,
    ...types,
    `/** The input of each operation, and the \`data\` of its response. */\nexport interface Operations {\n${operations.join('')}}\n`,
    `export const OPERATIONS = {\n${rows.join('')}} as const satisfies Record<keyof Operations, OperationDescription>;\n`,
    FACTS,
  ].join('\n');
}

// Helpers

const IDEMPOTENCY_HEADER = 'X-Idempotency-Key';
const JSON_TYPE = 'application/json';
const LINE_WIDTH = 120;

const HEADER = `/**
 * Generated from the routes of the service; do not edit. After a route or schema has changed:
 * npm run openapi
 */
`;

const FACTS = `/** How an operation is called. */
export interface OperationDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; parameters in braces. */
  readonly path: string;
  readonly takesIdempotencyKey: boolean;
}
`;

interface Usable {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  readonly response: JsonSchema;
}

/**
 * Operations for programs with or without a secret key; excludes those for operators and browsers.
 */
function toUsable(method: string, path: string, operation: ApiOperation): Usable[] {
  const needsOther = (operation.security ?? []).some((scheme) => !('secretKey' in scheme));
  const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
  const response = operation.responses[success ?? '']?.content?.[JSON_TYPE]?.schema;
  return needsOther || response === undefined ? [] : [{ method: method.toUpperCase(), path, operation, response }];
}

function operationType({ operation, response }: Usable, document: ApiDocument): string {
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const parts: [name: string, type: string, isRequired: boolean][] = [];
  for (const [name, location] of [
    ['params', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ] as const) {
    const parameters = (operation.parameters ?? []).filter((each) => {
      return each.in === location && each.name !== IDEMPOTENCY_HEADER;
    });
    if (parameters.length === 0) continue;
    const isRequired = parameters.some(({ required }) => required);
    parts.push([
      name,
      objectType(
        asProperties(parameters),
        parameters.filter((each) => each.required).map((each) => each.name),
        2,
      ),
      isRequired,
    ]);
  }
  if (body !== undefined) parts.push(['body', typeOf(body, 2), true]);
  parts.push(['data', dataType(response, document), true]);
  const lines = parts.map(([name, type, isRequired]) => property(name, type, isRequired, 2));
  return `  readonly ${operation.operationId}: {\n${lines.join('')}  };\n`;
}

/** An envelope is unwrapped; a response without one is used whole. */
function dataType(response: JsonSchema, { components }: ApiDocument): string {
  const name = nameOf(response);
  const schema = name === null ? response : components.schemas[name];
  const isEnvelope = schema?.properties?.success !== undefined && schema.properties.data !== undefined;
  if (name === null) throw new Error('a response has no schema with a name');
  return isEnvelope ? `${name}['data']` : name;
}

function asProperties(parameters: readonly Parameter[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...(description === undefined ? {} : { description }), ...schema },
    ]),
  );
}

function declaration(name: string, schema: JsonSchema): string {
  const doc = comment(schema.description, 0);
  if (schema.type === 'object' && schema.properties !== undefined) {
    return `${doc}export interface ${name} ${objectType(schema.properties, schema.required ?? [], 0)}\n`;
  }
  const type = typeOf(schema, 0);
  const line = `export type ${name} = ${type};`;
  return `${doc}${line.length <= LINE_WIDTH ? line : `export type ${name} =${broken(type, 1)};`}\n`;
}

function typeOf(schema: JsonSchema, depth: number): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  return [schema.type]
    .flat()
    .map((type) => plainType(type ?? '', schema, depth))
    .join(' | ');
}

function plainType(type: string, schema: JsonSchema, depth: number): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {}, depth);
      return `readonly ${item.includes(' | ') && !item.includes('{') ? `(${item})` : item}[]`;
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      return Object.keys(properties).length === 0
        ? 'Readonly<Record<string, unknown>>'
        : objectType(properties, required, depth);
    }
    default:
      return 'unknown';
  }
}

function objectType(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  depth: number,
): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, depth + 1);
    return comment(schema.description, depth + 1) + property(name, type, required.includes(name), depth + 1);
  });
  return `{\n${lines.join('')}${indent(depth)}}`;
}

/** As the project's formatter would write it. */
function property(name: string, type: string, isRequired: boolean, depth: number): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
  const start = `${indent(depth)}readonly ${key}${isRequired ? '' : '?'}:`;
  const isTooWide = `${start} ${type};`.length > LINE_WIDTH && !type.includes('{');
  return isTooWide ? `${start}${broken(type, depth + 1)};\n` : `${start} ${type};\n`;
}

function broken(union: string, depth: number): string {
  return union
    .split(' | ')
    .map((member) => `\n${indent(depth)}| ${member}`)
    .join('');
}

function comment(text: string | undefined, depth: number): string {
  return text === undefined ? '' : `${indent(depth)}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function nameOf({ $ref }: JsonSchema): string | null {
  return $ref?.startsWith('#/components/schemas/') ? $ref.slice('#/components/schemas/'.length) : null;
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}
