/** Runs asynchronous sections one after another, in the order they were asked for. */
export type Mutex = <T>(section: () => Promise<T>) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (section) => {
    const run = last.then(section, section);
    last = run.catch(() => undefined);
    return run;
  };
}
