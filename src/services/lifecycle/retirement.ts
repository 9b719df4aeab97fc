import type { Call } from '../../kernel/service/index.ts';
import { gateway } from './errors.ts';
import { traitsOf } from './operation.ts';
import { settingsOf } from './settings.ts';

interface Retirement {
  /** The date in messages. */
  readonly date: string;
  /** The first millisecond after the retirement date. */
  readonly over: number;
}

/** Applies to everything except analytics and diagnostics, which are deprecated from then on. */
const SERVICE: Retirement = { date: '31 March 2025', over: Date.UTC(2025, 3, 1) };
/** Applies to the rest. */
const REMAINDER: Retirement = { date: '30 June 2026', over: Date.UTC(2026, 6, 1) };

/** RFC 9745: seconds since 1970. */
const DEPRECATION = `@${SERVICE.over / 1000}`;
/** RFC 8594: the last second in which the operation responds. */
const sunset = ({ over }: Retirement): string => new Date(over - 1000).toUTCString();
const SUNSETS = new Map([SERVICE, REMAINDER].map((retirement) => [retirement, sunset(retirement)]));

/** Family step: sends the retirement headers and, if the jar is configured so, enforces retirement in the jar's time. */
export function checkRetirement(call: Call): void {
  const retirement = traitsOf(call.route).survivesRetirement ? REMAINDER : SERVICE;
  call.responseHeaders.deprecation = DEPRECATION;
  call.responseHeaders.sunset = SUNSETS.get(retirement) as string;
  if (settingsOf(call.jar).retired === 'closed' && call.jar.clock.now() >= retirement.over) {
    throw gateway.retired(retirement.date);
  }
}
