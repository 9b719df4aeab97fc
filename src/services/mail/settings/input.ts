import { isObject } from '../../../kernel/values/index.ts';
import { anyValue, list, mistake, nullable, number, object, type Read, readOnly, text, word } from '../api/fields.ts';
import { zonedTime } from '../api/values.ts';
import { errors } from '../errors.ts';
import {
  type CustomTimeZone,
  DELEGATE_DELIVERIES,
  REPLY_AUDIENCES,
  REPLY_STATUSES,
  type ZoneChange,
} from '../mailbox/types.ts';
import { zoneOf } from '../zones/names.ts';

/** Validates mailbox settings that a client sent. */

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const MINUTES_OF_A_DAY = 1440;
const LONGEST_REPLY = 500_000;

/** The IANA name for an IANA or Windows name. */
const zone: Read<string> = (value, at) => {
  const name = text({ longest: 255 })(value, at);
  const found = zoneOf(name);
  if (found === undefined) throw errors.InvalidTimeZone({ zone: name.slice(0, 100) }, { target: at });
  return found;
};

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,7}))?)?$/;

/** `Edm.TimeOfDay`, with seven fractional digits. */
const timeOfDay: Read<string> = (value, at) => {
  const written = text({ longest: 100 })(value, at);
  const found = TIME.exec(written);
  if (!found)
    throw errors.RequestBodyRead(
      { reason: `Cannot convert the literal '${written.slice(0, 60)}' to the expected type 'Edm.TimeOfDay'.` },
      { target: at },
    );
  const [, hours, minutes, seconds = '00', fraction = ''] = found;
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(7, '0')}`;
};

const day: Read<string> = (value, at) => {
  const written = text({ longest: 100 })(value, at);
  const found = DAYS.find((each) => each === written.toLowerCase());
  if (found) return found;
  throw errors.InvalidArguments({ reason: `Requested value '${written}' was not found.` }, { target: at });
};

const CHANGE = {
  time: timeOfDay,
  dayOccurrence: number(0, 5),
  dayOfWeek: day,
  month: number(0, 12),
  year: number(0, 9999),
};
const changeFields = object('standardTimeZoneOffset', CHANGE);
const daylightFields = object('daylightTimeZoneOffset', {
  ...CHANGE,
  daylightBias: number(-MINUTES_OF_A_DAY, MINUTES_OF_A_DAY),
});

const complete = (sent: ReturnType<typeof changeFields>): ZoneChange => ({
  time: sent.time ?? '00:00:00.0000000',
  dayOccurrence: sent.dayOccurrence ?? 0,
  dayOfWeek: sent.dayOfWeek ?? 'sunday',
  month: sent.month ?? 0,
  year: sent.year ?? 0,
});

const namedFields = object('timeZoneBase', { name: zone });
const customFields = object('customTimeZone', {
  name: nullable(text({ longest: 255 })),
  bias: number(-MINUTES_OF_A_DAY, MINUTES_OF_A_DAY),
  standardOffset: nullable(changeFields),
  daylightOffset: nullable(daylightFields),
});

type WrittenZone = { readonly zone: string } | { readonly customZone: CustomTimeZone };

const workingZone: Read<WrittenZone> = (value, at) => {
  const type = isObject(value) ? value['@odata.type'] : undefined;
  const isCustom = typeof type === 'string' && /\.customTimeZone$/i.test(type);
  if (!isCustom) {
    const { name } = namedFields(value, at);
    if (name === undefined) throw mistake(`${at}/name`, 'it is required');
    return { zone: name };
  }
  const { name, bias, standardOffset, daylightOffset } = customFields(value, at);
  if (bias === undefined) throw mistake(`${at}/bias`, 'it is required');
  const daylight = daylightOffset && { ...complete(daylightOffset), daylightBias: daylightOffset.daylightBias ?? 0 };
  return {
    customZone: {
      name: name ?? 'Customized Time Zone',
      bias,
      ...(standardOffset && { standardOffset: complete(standardOffset) }),
      ...(daylight && { daylightOffset: daylight }),
    },
  };
};

const locale: Read<string> = (value, at) => {
  const written = text({ longest: 100 })(value, at);
  try {
    const [found] = Intl.DateTimeFormat.supportedLocalesOf(written);
    if (found !== undefined) return found;
  } catch {
    // Not a language tag.
  }
  throw mistake(at, `'${written.slice(0, 60)}' is not a locale such as en-US`);
};

const format: Read<string> = (value, at) => {
  const written = text({ longest: 80 })(value, at);
  if (written.trim() === '' || /\p{Cc}/u.test(written)) throw mistake(at, 'a format must be one non-empty line');
  return written;
};

export const settingsInput = object('mailboxSettings', {
  ...readOnly(['archiveFolder', 'userPurpose']),
  timeZone: zone,
  language: object('localeInfo', { locale, displayName: anyValue }),
  dateFormat: format,
  timeFormat: format,
  delegateMeetingMessageDeliveryOptions: word(DELEGATE_DELIVERIES),
  workingHours: object('workingHours', {
    daysOfWeek: list(day, 100),
    startTime: timeOfDay,
    endTime: timeOfDay,
    timeZone: workingZone,
  }),
  automaticRepliesSetting: object('automaticRepliesSetting', {
    status: word(REPLY_STATUSES),
    externalAudience: word(REPLY_AUDIENCES),
    scheduledStartDateTime: zonedTime,
    scheduledEndDateTime: zonedTime,
    internalReplyMessage: nullable(text({ longest: LONGEST_REPLY })),
    externalReplyMessage: nullable(text({ longest: LONGEST_REPLY })),
  }),
});

export type SettingsInput = ReturnType<typeof settingsInput>;
