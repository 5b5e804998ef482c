import { createRequire } from 'node:module';

/**
 * Reads YAML with the parser that `@fastify/swagger` is installed with, which always is: a few test files are no reason for a
 * package of our own. Anchors and merged keys (`<<`) are resolved.
 */
export function parseYaml(text: string): unknown {
  const fromHere = createRequire(import.meta.url);
  const fromSwagger = createRequire(fromHere.resolve('@fastify/swagger'));
  const { parse } = fromSwagger('yaml') as { parse(text: string, options: { merge: boolean }): unknown };
  return parse(text, { merge: true });
}
