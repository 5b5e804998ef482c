/** What the bus needs of a logger; a pino logger fits. */
export interface BusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
