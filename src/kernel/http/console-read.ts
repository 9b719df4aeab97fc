import type { Call } from './route.ts';

/** Sent by the web console with all its requests. */
export const CONSOLE_HEADER = 'x-cloudjar-console';

/** A request with which the console looks at the jar: neither logged nor counted by rate limits, so that looking changes nothing. */
export const isConsoleRead = ({ headers, method, route }: Pick<Call, 'headers' | 'method' | 'route'>): boolean =>
  headers[CONSOLE_HEADER] !== undefined && (method === 'GET' || route.safe === true);
