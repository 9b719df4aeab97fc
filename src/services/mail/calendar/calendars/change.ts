import { type Answer, created, noContent, ok } from '../../../../kernel/http/index.ts';
import { etag } from '../../../../kernel/ids/index.ts';
import { pagesOf } from '../../../../kernel/store/index.ts';
import { anyValue, flag, mistake, nullable, object, type Read, text, word } from '../../api/fields.ts';
import type { MailCall } from '../../api/request.ts';
import { contextLine } from '../../api/show.ts';
import { calendars, events, mailboxes } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { changeMailbox, type MailboxWriter } from '../../mailbox/writer.ts';
import { CALENDAR_COLORS, type Calendar, MEETING_PROVIDERS } from '../types.ts';
import { removeEvent } from '../write.ts';
import { calendarNamed, groupNamed } from './find.ts';
import { newOrganizationPermission } from './organization.ts';
import { shownCalendar } from './view.ts';

/** Only the owner of the mailbox creates, changes and deletes calendars. */

/** Container in the removal records of calendars. */
export const CALENDARS_CONTAINER = 'calendars';

export const containerName: Read<string> = (value, at) => {
  const name = text({ longest: 255 })(value, at).trim();
  if (name === '') throw mistake(at, 'it is empty');
  return name;
};

const hexColor: Read<string> = (value, at) => {
  const color = nullable(text({ longest: 7 }))(value, at) ?? '';
  if (!/^(#[0-9a-f]{6})?$/i.test(color)) throw mistake(at, "a color such as '#FF8800' is expected");
  return color;
};

const calendarInput = object('calendar', {
  name: containerName,
  color: nullable(word(CALENDAR_COLORS)),
  hexColor,
  isDefaultCalendar: nullable(flag),
  defaultOnlineMeetingProvider: nullable(word(MEETING_PROVIDERS)),
  id: anyValue,
  changeKey: anyValue,
  canEdit: anyValue,
  canShare: anyValue,
  canViewPrivateItems: anyValue,
  isShared: anyValue,
  isSharedWithMe: anyValue,
  isTallyingResponses: anyValue,
  isRemovable: anyValue,
  calendarGroupId: anyValue,
  allowedOnlineMeetingProviders: anyValue,
  owner: anyValue,
});
type CalendarInput = ReturnType<typeof calendarInput>;

/** Creates a calendar in the group that the path names, or in the mailbox's default group. */
export function postCalendar(call: MailCall): Promise<Answer> {
  const input = calendarInput(call.json(), '');
  const { name } = input;
  if (name === undefined) throw mistake('name', 'it is required');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { calendarGroup } = call.place;
    const group = calendarGroup === undefined ? undefined : await groupNamed(writer.tx, call.mailbox, calendarGroup);
    await checkName(writer, name);
    const number = writer.nextNumber();
    const calendar: Calendar = {
      uid: etag(),
      mailbox: call.mailbox.id,
      group: group?.uid ?? call.mailbox.calendarGroup,
      name,
      color: input.color ?? 'auto',
      hexColor: input.hexColor ?? '',
      isDefault: false,
      number,
      createdNumber: number,
      permissions: [newOrganizationPermission()],
      defaultOnlineMeetingProvider: input.defaultOnlineMeetingProvider ?? 'teamsForBusiness',
    };
    await putCalendar(writer, calendar, 'created');
    return created(entity(call, calendar));
  });
}

export function patchCalendar(call: MailCall): Promise<Answer> {
  const input = calendarInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const before = await calendarNamed(call, writer.tx, call.params.calendar ?? '', call.place.calendarGroup);
    if (input.name !== undefined) await checkName(writer, input.name, before.uid);
    const isNewDefault = input.isDefaultCalendar === true && !before.isDefault;
    if (isNewDefault) await replaceDefault(writer, before);
    const calendar = await updateCalendar(writer, before, {
      ...changesOf(input),
      ...(isNewDefault && { isDefault: true }),
    });
    return ok(entity(call, calendar));
  });
}

const changesOf = (input: CalendarInput): Partial<Calendar> => ({
  ...(input.name !== undefined && { name: input.name }),
  ...(input.color !== undefined && { color: input.color ?? 'auto' }),
  ...(input.hexColor !== undefined && { hexColor: input.hexColor }),
  ...(input.defaultOnlineMeetingProvider && { defaultOnlineMeetingProvider: input.defaultOnlineMeetingProvider }),
});

/** A mailbox has one default calendar, so a new default replaces the former one. */
async function replaceDefault(writer: MailboxWriter, { uid }: Calendar): Promise<void> {
  const { tx, mailbox } = writer;
  const stored = await tx.get(mailboxes, mailbox.id);
  const former = stored && (await tx.get(calendars, writer.key(stored.value.calendar)))?.value;
  if (former) await updateCalendar(writer, former, { isDefault: false });
  if (stored) await tx.put(mailboxes, mailbox.id, { ...stored.value, calendar: uid });
}

/** Deletes the calendar with all of its events. Attendees are not notified: an organizer who wants that cancels the meetings first. */
export function deleteCalendar(call: MailCall): Promise<Answer> {
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const calendar = await calendarNamed(call, writer.tx, call.params.calendar ?? '', call.place.calendarGroup);
    if (calendar.isDefault) throw errors.ErrorDeleteDistinguishedFolder({ name: calendar.name });
    const filter = { op: 'eq', field: 'calendar', value: calendar.uid } as const;
    for await (const page of pagesOf(writer.tx, events, { filter, page: 100 }))
      for (const { value } of page) await removeEvent(writer, value);
    await removeCalendar(writer, calendar);
    return noContent();
  });
}

async function removeCalendar(writer: MailboxWriter, { uid, group, createdNumber }: Calendar): Promise<void> {
  const number = writer.nextNumber();
  await writer.removed({ uid, generation: 0, container: CALENDARS_CONTAINER, number, createdNumber });
  await writer.tx.delete(calendars, writer.key(uid));
  writer.note({ item: 'calendar', change: 'deleted', uid, generation: 0, container: group, number });
}

export async function updateCalendar(
  writer: MailboxWriter,
  before: Calendar,
  changed: Partial<Calendar>,
): Promise<Calendar> {
  const calendar = { ...before, ...changed, number: writer.nextNumber() };
  await putCalendar(writer, calendar, 'updated');
  return calendar;
}

async function putCalendar(writer: MailboxWriter, calendar: Calendar, change: 'created' | 'updated'): Promise<void> {
  const { uid, group: container, number } = calendar;
  await writer.tx.put(calendars, writer.key(uid), calendar);
  writer.note({ item: 'calendar', change, uid, generation: 0, container, number });
}

async function checkName({ tx, mailbox }: MailboxWriter, name: string, except?: string): Promise<void> {
  const { items } = await tx.query(calendars, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: mailbox.id },
        { op: 'eq', field: 'name', value: name.toLowerCase() },
      ],
    },
    limit: 2,
  });
  if (items.some(({ value }) => value.uid !== except)) throw errors.ErrorFolderExists({ name }, { target: 'name' });
}

const entity = (call: MailCall, calendar: Calendar): Record<string, unknown> => ({
  ...contextLine(call, 'calendars/$entity'),
  ...shownCalendar(call, calendar),
});
