import type { Jar } from '../../../kernel/service/index.ts';
import { settingsOf, type Times } from '../settings.ts';

export const TIMES: Times = { queueMs: 480_000, operationMs: 480_000, gatewayMs: 600_000 };

export function timesOf({ config }: Pick<Jar, 'config'>): Times {
  const { timeouts } = settingsOf({ config });
  return timeouts === undefined ? TIMES : { ...TIMES, ...timeouts };
}

/** For example `10 minutes`, `30 seconds`, `1.5 seconds`. */
export function inWords(ms: number): string {
  const [count, unit] = ms >= 60_000 && ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
