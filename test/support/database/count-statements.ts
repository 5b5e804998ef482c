import type { TestDatabase } from './test-database.ts';

/** The same database, with a count of its statements. */
export function counting(db: TestDatabase['db']) {
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: counted, statements: () => statements };
}
