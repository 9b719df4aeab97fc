import { HOUR_MS } from '../../../kernel/time/index.ts';
import type { MailCall } from '../api/request.ts';
import { containerId } from '../api/show.ts';
import { shownTime } from '../api/values.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { windowsName } from '../zones/names.ts';

/** The settings of a mailbox as the API shows them. */
export function settingsView({ prefer }: Pick<MailCall, 'prefer'>, { id, wellKnown, createdAt, settings }: Mailbox) {
  const { automaticReplies: replies, workingHours, locale } = settings;
  // If no range was set, a day from the hour of the mailbox's creation is shown.
  const from = replies.until === 0 ? Math.ceil(createdAt / HOUR_MS) * HOUR_MS : replies.from;
  const until = replies.until === 0 ? from + 24 * HOUR_MS : replies.until;
  const time = (instant: number) => shownTime({ wall: instant, zone: 'UTC' }, prefer);
  return {
    archiveFolder: containerId(id, wellKnown.archive),
    timeZone: windowsName(settings.zone),
    delegateMeetingMessageDeliveryOptions: settings.delegateMeetingMessageDeliveryOptions,
    dateFormat: settings.dateFormat,
    timeFormat: settings.timeFormat,
    userPurpose: 'user',
    automaticRepliesSetting: {
      status: replies.status,
      externalAudience: replies.externalAudience,
      internalReplyMessage: replies.internalReplyMessage,
      externalReplyMessage: replies.externalReplyMessage,
      scheduledStartDateTime: time(from),
      scheduledEndDateTime: time(until),
    },
    language: { locale, displayName: languageName(locale) },
    workingHours: {
      daysOfWeek: workingHours.daysOfWeek,
      startTime: workingHours.startTime,
      endTime: workingHours.endTime,
      timeZone: workingHours.customZone
        ? { '@odata.type': '#microsoft.graph.customTimeZone', ...workingHours.customZone }
        : { name: windowsName(workingHours.zone) },
    },
  };
}

export type SettingsView = ReturnType<typeof settingsView>;

/** `English (United States)` */
const languageName = (locale: string): string =>
  new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale;
