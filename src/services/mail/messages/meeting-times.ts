import { flag } from '../api/fields.ts';
import { zonedTime } from '../api/values.ts';
import { checkTimes } from '../calendar/time-rules.ts';
import type { MessageInput } from './input.ts';
import type { Message } from './types.ts';

/**
 * `isAllDay` is the only writable property of a meeting message; it must be sent together with matching times. The event does not change.
 */
export function meetingTimes({ meeting }: Message, input: MessageInput): Pick<Message, 'meeting'> {
  if (!meeting || input.isAllDay === undefined) return {};
  const isAllDay = flag(input.isAllDay, 'isAllDay');
  const start = given(input.startDateTime, 'startDateTime') ?? meeting.start;
  const end = given(input.endDateTime, 'endDateTime') ?? meeting.end;
  const hasTimes = input.startDateTime !== undefined || input.endDateTime !== undefined;
  if (start && end && (hasTimes || isAllDay !== meeting.isAllDay)) checkTimes({ start, end, isAllDay }, NAMES);
  return { meeting: { ...meeting, isAllDay, ...(start && { start }), ...(end && { end }) } };
}

const NAMES = { start: 'startDateTime', end: 'endDateTime' } as const;

/** A meeting message without a time, such as a reply that names none, shows null. */
const given = (value: unknown, at: string) =>
  value === undefined || value === null ? undefined : zonedTime(value, at);
