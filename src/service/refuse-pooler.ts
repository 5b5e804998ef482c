import type { Config } from '../platform/config/index.ts';
import { examineMigrationUrl, examinePooler, type PoolerProblem } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';

/**
 * Throws a `TerminalError` with the remedy when DATABASE_URL leads to a pooler that lacks a feature
 * the settings need.
 */
export async function refusePooler({ url, pooler }: Pick<Config['database'], 'url' | 'pooler'>): Promise<void> {
  if (url !== null) refuse('DATABASE_URL', (await examinePooler(url, pooler)).problem);
}

/** The same for migrations, which no pooler supports. */
export async function refuseMigrationPooler(url: string): Promise<void> {
  refuse('The address where the schema is changed', await examineMigrationUrl(url));
}

// Helpers

function refuse(where: string, problem: PoolerProblem | null): void {
  if (problem !== null) throw new TerminalError(problem.code, `${where}: ${problem.text}. ${problem.remedy}`);
}
