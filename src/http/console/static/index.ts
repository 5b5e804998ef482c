/** Serves the pages of the console as files. */
export { buildApp } from './build-app.ts';
export { staticRoutes } from './routes.ts';
