import { errors } from '../errors.ts';
import type { FieldRules } from './fields.ts';

/** When something is done: a Quartz cron expression in a time zone. */
export const cronFields = (expression: string): FieldRules => ({
  [expression]: { type: 'string', required: true, least: 1, most: 500 },
  timezone_id: { type: 'string', required: true, least: 1, most: 100 },
});

/** Seconds, minutes, hours, days of the month, months, days of the week, and years where given. Of what stands in each, the letters are checked. */
const PART = /^[0-9A-Za-z*?,/#-]+$/;

export function checkCron(field: string, expression: string, timezone: string): void {
  const parts = expression.trim().split(/\s+/);
  if (parts.length < 6 || parts.length > 7 || !parts.every((part) => PART.test(part)))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' is no Quartz cron expression.` });
  if (!isTimezone(timezone))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `There is no time zone '${timezone.slice(0, 100)}'.` });
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
