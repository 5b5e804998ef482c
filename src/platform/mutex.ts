/** Runs asynchronous sections one at a time, in call order. */
export type Mutex = <T>(section: () => Promise<T>) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (section) => {
    const run = last.then(section, section);
    last = run.catch(() => undefined);
    return run;
  };
}
