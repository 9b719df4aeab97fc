import { errors } from '../errors.ts';
import { CronError, parseCron, shortestGap } from '../jobs/schedule/cron.ts';
import { nextFiring } from '../jobs/schedule/cron-times.ts';
import { zoneOf } from '../jobs/schedule/zone.ts';
import type { FieldRules } from './fields.ts';

/** Schedules: a Quartz cron expression in a time zone. */
export const cronFields = (expression: string): FieldRules => ({
  [expression]: { type: 'string', required: true, least: 1, most: 500 },
  timezone_id: { type: 'string', required: true, least: 1, most: 100 },
});

/** Minimum interval between firings, the same as for jobs. */
const LEAST_SECONDS = 10;

export function checkCron(field: string, expression: string, timezone: string): void {
  const gap = gapOf(field, expression);
  if (gap < LEAST_SECONDS)
    throw invalid(`The field '${field}' must fire at least ${LEAST_SECONDS} seconds apart, not ${gap}.`);
  if (!zoneOf(timezone)) throw invalid(`There is no time zone '${timezone.slice(0, 100)}'.`);
}

function gapOf(field: string, expression: string): number {
  try {
    return shortestGap(parseCron(expression));
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw invalid(`The field '${field}' is not a valid Quartz cron expression: ${error.message}.`);
  }
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** The next firing of a valid expression after an instant. Returns undefined if there is none. */
export function nextTime(expression: string, timezone: string, after: number): number | undefined {
  const zone = zoneOf(timezone);
  return zone && nextFiring(parseCron(expression), zone, after);
}
