import { flag } from '../api/fields.ts';
import { zonedTime } from '../api/values.ts';
import { checkTimes } from '../calendar/time-rules.ts';
import type { MessageInput } from './input.ts';
import type { Message } from './types.ts';

/** The one property of a meeting message that clients may write is `isAllDay`, together with the times that fit it. The event is not changed. */
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

/** A meeting message without a time, such as a reply that names none, shows null for it. */
const given = (value: unknown, at: string) =>
  value === undefined || value === null ? undefined : zonedTime(value, at);
