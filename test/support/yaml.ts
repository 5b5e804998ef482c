import { createRequire } from 'node:module';

/**
 * Parses YAML with the parser that `@fastify/swagger` depends on; a few test files do not justify a
 * separate dependency. Resolves anchors and merge keys (`<<`).
 */
export function parseYaml(text: string): unknown {
  const fromHere = createRequire(import.meta.url);
  const fromSwagger = createRequire(fromHere.resolve('@fastify/swagger'));
  const { parse } = fromSwagger('yaml') as { parse(text: string, options: { merge: boolean }): unknown };
  return parse(text, { merge: true });
}
