import type { AttemptResult, Verdict } from '../../../kernel/delivery/index.ts';

/** Meaning of an endpoint's answer: tables as documented by the real service. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Any other 2xx counts as a failure. */
const DELIVERED: ReadonlySet<number> = new Set([200, 201, 202, 203, 204]);

/** Not retried: a further attempt would have the same result. */
const REFUSED_BY_WEB_HOOKS: ReadonlySet<number> = new Set([400, 401, 403, 413]);
const REFUSED_BY_RESOURCES: ReadonlySet<number> = new Set([400, 403, 413]);

/** Minimum delay before the next attempt, even if the schedule's delay is shorter. */
const LEAST_DELAY_MS: Readonly<Record<number, number>> = { 404: 5 * MINUTE, 408: 2 * MINUTE, 503: 30 * SECOND };
const LEAST_DELAY_OTHERWISE_MS = 10 * SECOND;

/** Brokers and queues answer without a status: outcomes that are not retried, and minimum delays of the others. */
const NOT_RETRIED: ReadonlySet<string> = new Set([
  'Blocked',
  'BadAddress',
  'BadRequest',
  'Forbidden',
  'PayloadTooLarge',
]);
const LEAST_DELAY_BY_OUTCOME_MS: Readonly<Record<string, number>> = {
  NotFound: 5 * MINUTE,
  Busy: 30 * SECOND,
};

export const webHookVerdict = (result: AttemptResult): Verdict => verdictBy(result, REFUSED_BY_WEB_HOOKS);
export const resourceVerdict = (result: AttemptResult): Verdict => verdictBy(result, REFUSED_BY_RESOURCES);

function verdictBy({ status, outcome }: AttemptResult, refused: ReadonlySet<number>): Verdict {
  if (status === undefined) {
    if (outcome === 'Succeeded') return { is: 'delivered' };
    if (NOT_RETRIED.has(outcome)) return { is: 'refused' };
    return { is: 'retry', minDelayMs: LEAST_DELAY_BY_OUTCOME_MS[outcome] ?? LEAST_DELAY_OTHERWISE_MS };
  }
  if (DELIVERED.has(status)) return { is: 'delivered' };
  if (refused.has(status)) return { is: 'refused' };
  return { is: 'retry', minDelayMs: LEAST_DELAY_MS[status] ?? LEAST_DELAY_OTHERWISE_MS };
}

/** How long nothing is sent to an endpoint that keeps failing, by the outcome of its last attempt. */
export const PROBATION_MS: Readonly<Record<string, number>> = {
  Busy: 10 * SECOND,
  NotFound: 5 * MINUTE,
  SocketError: 30 * SECOND,
  TlsError: 30 * SECOND,
  ResolutionError: 5 * MINUTE,
  Disabled: 5 * MINUTE,
  Full: 5 * MINUTE,
  TimedOut: 10 * SECOND,
  Unauthorized: 5 * MINUTE,
  Forbidden: 5 * MINUTE,
  InvalidAzureFunctionDestination: 10 * MINUTE,
};

/** The real service's words in dead letters, for outcomes that the delivery engine distinguishes more finely. */
const DOCUMENTED_OUTCOMES: Readonly<Record<string, string>> = {
  ServerError: 'Busy',
  ClientError: 'BadRequest',
  Redirected: 'BadRequest',
  Gone: 'NotFound',
  TlsError: 'SocketError',
  Blocked: 'ResolutionError',
  BadAddress: 'ResolutionError',
  ComposeFailed: 'Aborted',
};

export const documentedOutcome = (outcome: string): string => DOCUMENTED_OUTCOMES[outcome] ?? outcome;
