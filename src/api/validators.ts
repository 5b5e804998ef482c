import ajvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';

/** What Fastify asks to compile. The types of the package name the schema alone. */
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
 * Fastify's own validators, kept for all servers of a process: to compile the schemas is most of
 * what it takes to build one. With any builder but its own, Fastify leaves to it that Node gives
 * the names of headers in lower case.
 */
export const buildValidator: BuildCompilerFromPool = (shared, options) => {
  const compile = compilers(shared, options);
  return (asked) => {
    const part = asked as unknown as RequestPart;
    return compile(part.httpPart === 'headers' ? { ...part, schema: inLowerCase(part.schema) } : part);
  };
};

// Helpers

/** The same object for the same schema, which is how a compiled one is found again. */
function inLowerCase(schema: HeaderSchema): object {
  const known = lowered.get(schema);
  if (known !== undefined) return known;
  const properties = Object.entries(schema.properties ?? {}).map(([name, each]) => [name.toLowerCase(), each]);
  const made = { ...schema, properties: Object.fromEntries(properties) };
  lowered.set(schema, made);
  return made;
}
