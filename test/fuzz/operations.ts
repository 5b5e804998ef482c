import { COMMITTED } from '../http/api/document/openapi-document.ts';
import { readSchema, type Schema } from './schema.ts';

/** An operation of the OpenAPI document. */
export interface RequestDescription {
  /** `GET /transactions/list` */
  readonly name: string;
  readonly method: string;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** Required authentication; null when none. */
  readonly security: 'secretKey' | 'operatorToken' | null;
  readonly statuses: readonly number[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/**
 * Every operation of the committed document. Throws on anything the generators do not support, so
 * that nothing is silently skipped.
 */
export function readOperations(): RequestDescription[] {
  return Object.entries(COMMITTED.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      // The parts of the document that the generators use; `readSchema` and the checks below
      // validate them.
      const described = operation as unknown as Described;
      return {
        name,
        method: method.toUpperCase(),
        path,
        parameters: (described.parameters ?? []).map((parameter) => readParameter(parameter, name)),
        body: bodyOf(described, name),
        security: securityOf(described.security ?? COMMITTED.security, name),
        statuses: Object.keys(operation.responses).map(Number),
      };
    }),
  );
}

// Helpers

interface Described {
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly security?: readonly unknown[];
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: object;
}

function readParameter(
  { name, in: location, required = false, schema }: DescribedParameter,
  operation: string,
): Parameter {
  const where = `${operation}, parameter ${name}`;
  if (location !== 'path' && location !== 'query' && location !== 'header') {
    throw new Error(`${where} is in "${location}", which test/fuzz does not generate: teach it in requests.ts`);
  }
  return { name, in: location, isRequired: required, schema: readSchema(schema, where, COMMITTED.components.schemas) };
}

function bodyOf({ requestBody }: Described, operation: string): Schema | null {
  if (requestBody === undefined) return null;
  const { 'application/json': json, ...others } = requestBody.content;
  if (json === undefined || Object.keys(others).length > 0) {
    throw new Error(`${operation} takes a body that is not JSON, which test/fuzz does not generate`);
  }
  return readSchema(json.schema, `${operation}, body`, COMMITTED.components.schemas);
}

function securityOf(security: readonly unknown[], operation: string): RequestDescription['security'] {
  const [first, ...more] = security.map((each) => Object.keys(each as object).join('+'));
  if (first === undefined) return null;
  if (more.length === 0 && (first === 'secretKey' || first === 'operatorToken')) return first;
  throw new Error(`${operation} is secured by ${[first, ...more].join(' or ')}, which test/fuzz has no keys for`);
}
