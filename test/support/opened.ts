interface Closable {
  stop?(): Promise<void>;
  close?(): Promise<void>;
}

/** What a test has opened, to be closed after it in reverse order. */
export interface Opened {
  push(...closables: readonly Closable[]): void;
  closeAll(): Promise<void>;
}

export function createOpened(): Opened {
  const opened: Closable[] = [];
  return {
    push: (...closables) => void opened.push(...closables),
    async closeAll() {
      for (const each of opened.splice(0).reverse()) await (each.stop ?? each.close)?.call(each);
    },
  };
}
