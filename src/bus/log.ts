/** The logger methods the bus uses; a pino logger satisfies this. */
export interface BusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
