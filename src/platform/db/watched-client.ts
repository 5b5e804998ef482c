import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import pg from 'pg';

/** Bytes with which the server can start while this process builds further statements. */
const ENOUGH_TO_START = 16_384;

/**
 * A connection that tracks how long it has waited for a response, and that can be closed without
 * one: a socket whose peer has vanished stays open for a quarter of an hour, and so do all
 * statements on it.
 */
export class WatchedClient extends pg.Client {
  readonly #socket: Socket;
  #unverified = 0;
  #isGathering = false;
  #respondedAt = performance.now();
  /** Running statements have no time limit: they lifted the server's timeout. */
  hasNoTimeout = false;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
  }

  /** Backend process id, as reported by the server or a pooler. */
  get backendPid(): number {
    return Number(Reflect.get(this, 'processID'));
  }

  /** Monotonic time in ms of the last response, or of the first statement that waits for one. */
  get respondedAt(): number {
    return this.#respondedAt;
  }

  get waitsForResponse(): boolean {
    return this.#unverified > 0;
  }

  /**
   * Sends what `send` writes together with all other statements of this turn of the event loop: one
   * write of pipelined statements instead of one each, and the server reads them together.
   */
  gather<T>(send: () => T): T {
    // With TLS it is another stream than the socket.
    const { stream } = Reflect.get(this, 'connection') as { readonly stream: Writable };
    if (!this.#isGathering) {
      this.#isGathering = true;
      stream.cork();
      process.nextTick(() => {
        this.#isGathering = false;
        stream.uncork();
      });
    }
    const response = send();
    if (stream.writableLength > ENOUGH_TO_START) {
      stream.uncork();
      stream.cork();
    }
    return response;
  }

  async follow<T>(response: Promise<T>): Promise<T> {
    if (this.#unverified === 0) this.#respondedAt = performance.now();
    this.#unverified += 1;
    try {
      return await response;
    } finally {
      this.#unverified -= 1;
      this.#respondedAt = performance.now();
    }
  }

  /** Destroys the socket: pending statements reject, and the pool replaces the connection. */
  break(): void {
    this.#socket.destroy();
  }
}
