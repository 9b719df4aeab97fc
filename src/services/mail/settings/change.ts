import { errors } from '../errors.ts';
import type { AutomaticReplies, MailboxSettings } from '../mailbox/types.ts';
import { toInstant } from '../zones/zone.ts';
import type { SettingsInput } from './input.ts';

/**
 * Merges the client's changes into the settings. Properties that were not sent keep their values, also within working hours and automatic
 * replies.
 */
export function changedSettings(before: MailboxSettings, input: SettingsInput, now: number): MailboxSettings {
  const { timeZone, language, dateFormat, timeFormat, delegateMeetingMessageDeliveryOptions: delivery } = input;
  return {
    zone: timeZone ?? before.zone,
    locale: language?.locale ?? before.locale,
    dateFormat: dateFormat ?? before.dateFormat,
    timeFormat: timeFormat ?? before.timeFormat,
    delegateMeetingMessageDeliveryOptions: delivery ?? before.delegateMeetingMessageDeliveryOptions,
    workingHours: workingHours(before.workingHours, input.workingHours),
    automaticReplies: automaticReplies(before.automaticReplies, input.automaticRepliesSetting, now),
  };
}

type WorkingHours = MailboxSettings['workingHours'];

function workingHours(before: WorkingHours, sent: SettingsInput['workingHours']): WorkingHours {
  if (!sent) return before;
  const { customZone, ...kept } = before;
  const changed: WorkingHours = {
    ...kept,
    daysOfWeek: sent.daysOfWeek ? [...new Set(sent.daysOfWeek)] : before.daysOfWeek,
    startTime: sent.startTime ?? before.startTime,
    endTime: sent.endTime ?? before.endTime,
    ...(sent.timeZone ?? (customZone && { customZone })),
  };
  if (changed.startTime >= changed.endTime)
    throw errors.ErrorInvalidTimeSettings(
      { reason: 'Start Time should occur before End Time.' },
      { target: 'workingHours' },
    );
  return changed;
}

function automaticReplies(
  before: AutomaticReplies,
  sent: SettingsInput['automaticRepliesSetting'],
  now: number,
): AutomaticReplies {
  if (!sent) return before;
  const { scheduledStartDateTime: start, scheduledEndDateTime: end } = sent;
  const changed: AutomaticReplies = {
    status: sent.status ?? before.status,
    externalAudience: sent.externalAudience ?? before.externalAudience,
    from: start ? toInstant(start.zone, start.wall) : before.from,
    until: end ? toInstant(end.zone, end.wall) : before.until,
    internalReplyMessage: sent.internalReplyMessage ?? before.internalReplyMessage,
    externalReplyMessage: sent.externalReplyMessage ?? before.externalReplyMessage,
  };
  const isScheduling = changed.status === 'scheduled' && (sent.status !== undefined || start || end);
  if ((start || end || isScheduling) && changed.from >= changed.until)
    throw badRange('its start must be before its end');
  if (isScheduling && changed.until <= now) throw badRange('it must end in the future');
  return changed;
}

const badRange = (reason: string): Error =>
  errors.ErrorInvalidTimeSettings(
    { reason: `The range of the automatic replies is not valid: ${reason}.` },
    { target: 'automaticRepliesSetting' },
  );
