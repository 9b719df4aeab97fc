import type { Call } from '../../kernel/service/index.ts';
import { gateway } from './errors.ts';
import { traitsOf } from './operation.ts';
import { settingsOf } from './settings.ts';

interface Retirement {
  /** As one says it. */
  readonly date: string;
  /** The first moment at which it is over, which is the end of that day. */
  readonly over: number;
}

/** Of everything but analytics and diagnostics, which from then on are deprecated. */
const SERVICE: Retirement = { date: '31 March 2025', over: Date.UTC(2025, 3, 1) };
/** Of the rest. */
const REMAINDER: Retirement = { date: '30 June 2026', over: Date.UTC(2026, 6, 1) };

/** RFC 9745: seconds since 1970. */
const DEPRECATION = `@${SERVICE.over / 1000}`;
/** RFC 8594: the last second in which it answers. */
const sunset = ({ over }: Retirement): string => new Date(over - 1000).toUTCString();
const SUNSETS = new Map([SERVICE, REMAINDER].map((retirement) => [retirement, sunset(retirement)]));

/** A step of the family: tells when the operation is retired, and where the jar is set so, keeps to it by the jar's clock. */
export function checkRetirement(call: Call): void {
  const retirement = traitsOf(call.route).livesOn ? REMAINDER : SERVICE;
  call.responseHeaders.deprecation = DEPRECATION;
  call.responseHeaders.sunset = SUNSETS.get(retirement) as string;
  if (settingsOf(call.jar).retired === 'closed' && call.jar.clock.now() >= retirement.over) {
    throw gateway.retired(retirement.date);
  }
}
