import type { Failure } from '../api/failure.ts';

/** What is wrong with the fields of a form, by their paths: `properties.containers[0].name`. */
export interface Mistakes {
  at(path: string): string | undefined;
  /** Whether a field at this path or below it is wrong. */
  isBelow(path: string): boolean;
  /** Mistakes at none of these paths or below. */
  besides(names: readonly string[]): readonly string[];
}

export function mistakesOf(failure: Failure | undefined): Mistakes {
  const all = failure
    ? failure.details.some(({ target }) => target !== undefined)
      ? failure.details
      : [{ message: failure.message, target: failure.target }]
    : [];
  const found = all.map(({ message, target }) => ({ message, path: (target ?? '').toLowerCase() }));
  const isWithin = (path: string, name: string): boolean => {
    const start = name.toLowerCase();
    return path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`);
  };
  return {
    at: (path) => found.find((each) => each.path === path.toLowerCase())?.message,
    isBelow: (path) => found.some((each) => isWithin(each.path, path)),
    besides: (names) =>
      found.filter(({ path }) => !names.some((name) => isWithin(path, name))).map(({ message }) => message),
  };
}
