import { Socket } from 'node:net';
import pg from 'pg';

/**
 * A connection that knows for how long it has waited for an answer, and that can be broken without one: a socket whose other end
 * has vanished stays open for a quarter of an hour, and every statement on it waits as long.
 */
export class WatchedClient extends pg.Client {
  readonly #socket: Socket;
  #unanswered = 0;
  #answeredAt = performance.now();
  /** The statements under way may take as long as they take: they have lifted the server's limit. */
  isPatient = false;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
  }

  /** Process id of its session, as the server or a pooler has given it. */
  get backendPid(): number {
    return Number(Reflect.get(this, 'processID'));
  }

  /** Monotonic milliseconds of the last answer, or of the first statement that waits for one. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  get waitsForAnswer(): boolean {
    return this.#unanswered > 0;
  }

  async follow<T>(answer: Promise<T>): Promise<T> {
    if (this.#unanswered === 0) this.#answeredAt = performance.now();
    this.#unanswered += 1;
    try {
      return await answer;
    } finally {
      this.#unanswered -= 1;
      this.#answeredAt = performance.now();
    }
  }

  /** Fails what waits on it, and whoever has borrowed it gets another one. */
  break(): void {
    this.#socket.destroy();
  }
}
