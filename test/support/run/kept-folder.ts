import { join } from 'node:path';
import { projectFolder } from '../../../src/http/console/static/folders.ts';

/** Cache between test runs, ignored by git and `npm ci`; it can be deleted at any time. */
export const KEPT_FOLDER = join(projectFolder(), '.cache');
