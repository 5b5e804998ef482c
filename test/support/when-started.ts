/**
 * Stands for what the hooks of a suite start: the tests are declared before that, and use it
 * afterwards.
 */
export function whenStarted<T extends object>(name: string, find: () => T | undefined): T {
  function started(): T {
    const found = find();
    if (found === undefined) throw new Error(`The ${name} exists inside tests and hooks only`);
    return found;
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(started(), key),
    set: (_, key, value) => Reflect.set(started(), key, value),
  });
}
