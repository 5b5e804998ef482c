import { buildPages } from './pages.ts';
import { buildProgram } from './program.ts';

/** Builds from the compiled modules what ships: the program and the pages of its console. */
await buildProgram();
await buildPages();
