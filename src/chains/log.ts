/** The part of a pino logger that watchers use. */
export interface WatcherLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
