import type { Jar } from '../../../kernel/service/jar.ts';
import { settingsOf } from '../settings.ts';

/** How long things may take, in milliseconds of the jar's clock. `services.business.timeouts` has those that are to differ. */
export interface Times {
  /** A request that found no room waits as long. */
  readonly queueMs: number;
  /** The application works on one request as long. */
  readonly operationMs: number;
  /** A client waits for an answer as long, whatever happens to its request meanwhile. */
  readonly gatewayMs: number;
}

export const TIMES: Times = { queueMs: 480_000, operationMs: 480_000, gatewayMs: 600_000 };

export function timesOf({ config }: Pick<Jar, 'config'>): Times {
  const { timeouts } = settingsOf({ config });
  return timeouts === undefined ? TIMES : { ...TIMES, ...timeouts };
}

/** `10 minutes`, `30 seconds`, `1.5 seconds`. */
export function inWords(ms: number): string {
  const [count, unit] = ms >= 60_000 && ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
