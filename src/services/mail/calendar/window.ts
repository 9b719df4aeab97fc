import { DAY_MS } from '../../../kernel/time/index.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { parseDate, parseWrittenTime, type ZoneName } from '../zones/wall.ts';
import type { Span } from './times.ts';

/** The longest window that a request may name, in days. */
const MOST_DAYS = 1825;

/** Reads `startDateTime` and `endDateTime` of a request, from its query or from the arguments of a function. */
export function readWindow(call: Pick<MailCall, 'query' | 'params'>): Span {
  const from = readInstant(call, 'startDateTime');
  const to = readInstant(call, 'endDateTime');
  if (to < from)
    throw errors.ErrorInvalidParameter(
      { reason: "The value of the parameter 'endDateTime' is before that of 'startDateTime'." },
      { target: 'endDateTime' },
    );
  if (to - from > MOST_DAYS * DAY_MS)
    throw errors.ErrorInvalidRequest(
      {
        reason: `Your request can't be completed. The range between the start and end dates is greater than the allowed range. Maximum number of days: ${MOST_DAYS}.`,
      },
      { target: 'endDateTime' },
    );
  return { from, to };
}

function readInstant({ query, params }: Pick<MailCall, 'query' | 'params'>, name: string): number {
  const lower = name.toLowerCase();
  const written = params[lower] ?? Object.entries(query).find(([key]) => key.toLowerCase() === lower)?.[1];
  if (typeof written !== 'string' || written === '')
    throw errors.ErrorInvalidParameter({ reason: `The query parameter '${name}' is required.` }, { target: name });
  const instant = instantIn(written.trim());
  if (instant === undefined)
    throw errors.ErrorInvalidParameter(
      { reason: `The value '${written.slice(0, 60)}' of the parameter '${name}' is not a date and time.` },
      { target: name },
    );
  return instant;
}

/** A time without an offset is UTC. A plus sign that the client did not encode arrives as a blank. */
export function instantIn(text: string): number | undefined {
  const time = parseWrittenTime(text.replace(/(\d) (\d{2}:?\d{2})$/, '$1+$2'));
  return time ? time.wall - (time.offset ?? 0) : parseDate(text);
}

/** The zone in which all-day events are placed: the zone that the client prefers, otherwise that of the mailbox. */
export const dayZoneOf = ({ prefer, mailbox }: Pick<MailCall, 'prefer' | 'mailbox'>): ZoneName =>
  prefer.applied.some((each) => each.startsWith('outlook.timezone')) ? prefer.zone : mailbox.settings.zone;
