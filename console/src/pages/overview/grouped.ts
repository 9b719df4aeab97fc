import type { Overview } from './use-overview.ts';

type Failure = Overview['failures']['requests'][number];

interface Group {
  readonly latest: Failure;
  readonly times: number;
}

/** Equal failures as one: the same method, path, status and code. Given and returned with the newest first. */
export function grouped(failures: readonly Failure[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const failure of failures) {
    const { direction, method, path = '', target = '', status, error } = failure;
    const key = [direction, method, path.split('?')[0], target, status, error?.code].join(' ');
    const { latest, times } = groups.get(key) ?? { latest: failure, times: 0 };
    groups.set(key, { latest, times: times + 1 });
  }
  return [...groups.values()];
}
