import { join } from 'node:path';
import { projectFolder } from '../../src/console/static/folders.ts';

/** What test runs make once and keep for the next ones: `npm ci` leaves it alone, git ignores it, and all of it can go. */
export const KEPT_FOLDER = join(projectFolder(), '.cache');
