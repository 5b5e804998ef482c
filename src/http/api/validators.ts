import ajvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';

/** What Fastify asks to compile; the package's types declare only the schema. */
interface RequestPart {
  readonly httpPart?: string;
  readonly schema: HeaderSchema;
}

interface HeaderSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Fastify keeps one per server. */
const compilers = ajvCompiler();
const lowered = new WeakMap<object, object>();

/**
 * Fastify's own validators, shared by all servers of a process, because compiling schemas is most
 * of the work of building one. A custom builder must itself convert the header names in schemas to
 * lower case, as Node.js gives them.
 */
export const buildValidator: BuildCompilerFromPool = (shared, options) => {
  const compile = compilers(shared, options);
  return (requested) => {
    const part = requested as unknown as RequestPart;
    return compile(part.httpPart === 'headers' ? { ...part, schema: inLowerCase(part.schema) } : part);
  };
};

// Helpers

/** Returns the same object for the same schema, so that its compiled validator is found again. */
function inLowerCase(schema: HeaderSchema): object {
  const known = lowered.get(schema);
  if (known !== undefined) return known;
  const properties = Object.entries(schema.properties ?? {}).map(([name, each]) => [name.toLowerCase(), each]);
  const made = { ...schema, properties: Object.fromEntries(properties) };
  lowered.set(schema, made);
  return made;
}
