import type { TestDatabase } from './test-database.ts';

/** The same database, with a count of its statements: all, or the raw ones that contain `text`. */
export function counting(db: TestDatabase['db'], text?: string) {
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      if (text === undefined || (node.kind === 'RawNode' && node.sqlFragments.join('?').includes(text)))
        statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: counted, statements: () => statements };
}
