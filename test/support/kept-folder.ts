import { join } from 'node:path';
import { projectFolder } from '../../src/console/static/folders.ts';

/**
 * Cache between test runs: `npm ci` does not touch it, git ignores it, and it can be deleted at any
 * time.
 */
export const KEPT_FOLDER = join(projectFolder(), '.cache');
