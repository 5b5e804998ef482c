import { buildPages } from './pages.ts';
import { buildProgram } from './program.ts';

/** Builds the command's bundle from the compiled modules, and the pages of the console. */
await buildProgram();
await buildPages();
