import { type Answer, ok } from '../../../../kernel/http/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import { list, mistake, nullable, number, parameters, text } from '../../api/fields.ts';
import type { MailCall } from '../../api/request.ts';
import { baseOf } from '../../api/show.ts';
import { shownTime, zonedTime } from '../../api/values.ts';
import { errors } from '../../errors.ts';
import type { MailboxSettings } from '../../mailbox/types.ts';
import { windowsName } from '../../zones/names.ts';
import { instantOf, type Span } from '../times.ts';
import { availabilityView, type Busy, busyWithin, type Detail, scheduleOf } from './availability.ts';

/** `getSchedule`: free/busy times of several users. */

const MOST_SCHEDULES = 20;
const MOST_DAYS = 62;
const DEFAULT_INTERVAL_MINUTES = 30;

const FIELDS = {
  schedules: list(text({ longest: 320 })),
  startTime: zonedTime,
  endTime: zonedTime,
  availabilityViewInterval: nullable(number(5, 1440)),
};

interface Asked {
  readonly schedules: readonly string[];
  readonly window: Span;
  readonly intervalMs: number;
}

function readAsked(call: MailCall): Asked {
  const sent = parameters('getSchedule', FIELDS, call.json());
  const { schedules = [], startTime, endTime } = sent;
  if (!startTime) throw mistake('startTime', 'it is required');
  if (!endTime) throw mistake('endTime', 'it is required');
  if (schedules.length === 0 || schedules.length > MOST_SCHEDULES)
    throw errors.ErrorInvalidParameter(
      { reason: `The parameter 'schedules' takes 1 to ${MOST_SCHEDULES} addresses; it has ${schedules.length}.` },
      { target: 'schedules' },
    );
  const window = { from: instantOf(startTime), to: instantOf(endTime) };
  if (window.to <= window.from)
    throw errors.ErrorInvalidParameter({ reason: "'endTime' must be after 'startTime'." }, { target: 'endTime' });
  if (window.to - window.from > MOST_DAYS * DAY_MS)
    throw errors.ErrorTimeIntervalTooBig({ days: MOST_DAYS }, { target: 'endTime' });
  const minutes = sent.availabilityViewInterval ?? DEFAULT_INTERVAL_MINUTES;
  return { schedules, window, intervalMs: minutes * MINUTE_MS };
}

export async function getSchedule(call: MailCall): Promise<Answer> {
  const asked = readAsked(call);
  const value: object[] = [];
  for (const address of asked.schedules) value.push(await scheduleInformation(call, address.trim(), asked));
  return ok({ '@odata.context': `${baseOf(call)}/$metadata#Collection(microsoft.graph.scheduleInformation)`, value });
}

/** An address that cannot be resolved is an error in its own row only. */
async function scheduleInformation(
  call: MailCall,
  address: string,
  { window, intervalMs }: Asked,
): Promise<Record<string, unknown>> {
  const schedule = await scheduleOf(call, address);
  if (!schedule)
    return failed(address, 'ErrorMailRecipientNotFound', `Unable to resolve email address '${address}' to a mailbox.`);
  if (schedule.detail === 'none')
    return failed(address, 'ErrorNoFreeBusyAccess', `You have no access to the free/busy information of '${address}'.`);
  const busy = await busyWithin(call.jar.store, schedule.mailbox, window);
  return {
    scheduleId: address,
    availabilityView: availabilityView(busy, window, intervalMs),
    scheduleItems: busy.map((each) => scheduleItem(call, each, schedule.detail)),
    workingHours: shownHours(schedule.mailbox.settings),
  };
}

const failed = (scheduleId: string, responseCode: string, message: string) => ({
  scheduleId,
  availabilityView: '',
  error: { message, responseCode },
});

/** Of private events, only the time is shown. */
function scheduleItem({ prefer }: MailCall, { event, from, to, showAs }: Busy, detail: Detail): object {
  const isPrivate = event.sensitivity === 'private' || event.sensitivity === 'confidential';
  const titles = { isPrivate, subject: event.subject, location: event.location.displayName };
  return {
    ...(detail === 'titles' && (isPrivate ? { isPrivate } : titles)),
    status: showAs,
    start: shownTime({ wall: from, zone: 'UTC' }, prefer),
    end: shownTime({ wall: to, zone: 'UTC' }, prefer),
  };
}

const shownHours = ({ workingHours }: MailboxSettings) => ({
  daysOfWeek: workingHours.daysOfWeek,
  startTime: workingHours.startTime,
  endTime: workingHours.endTime,
  timeZone: { name: windowsName(workingHours.zone) },
});
