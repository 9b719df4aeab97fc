import type { Answer } from '../../../../kernel/http/index.ts';
import type { ODataSet } from '../../../../kernel/odata/index.ts';
import type { Filter } from '../../../../kernel/store/index.ts';
import type { MailCall } from '../../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, pageAnswer } from '../../api/show.ts';
import { calendars } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { itemKey } from '../../mailbox/create.ts';
import { countAnswer } from '../count.ts';
import { findEvent } from '../find.ts';
import type { Calendar, CalendarGroup } from '../types.ts';
import { calendarNamed, groupNamed } from './find.ts';
import { calendarShape, groupShape } from './shape.ts';
import { shownCalendar, shownGroup } from './view.ts';

/** Reads of calendars and calendar groups, as lists and one by one. */

export const listCalendars = async (call: MailCall): Promise<Answer> => pageAnswer(call, await calendarSet(call));

export const countCalendars = async (call: MailCall): Promise<Answer> => countAnswer(call, await calendarSet(call));

export async function getCalendar(call: MailCall): Promise<Answer> {
  const calendar = await calendarNamed(call, call.jar.store, call.params.calendar ?? '', call.place.calendarGroup);
  return calendarAnswer(call, calendar);
}

/** `events/{event}/calendar` */
export async function getCalendarOfEvent(call: MailCall): Promise<Answer> {
  return calendarAnswer(call, await calendarOfEvent(call));
}

export async function calendarOfEvent(call: MailCall): Promise<Calendar> {
  const { event } = await findEvent(call);
  const calendar = (await call.jar.store.get(calendars, itemKey(call.mailbox.id, event.calendar)))?.value;
  if (!calendar) throw errors.ErrorItemNotFound();
  return calendar;
}

async function calendarAnswer(call: MailCall, value: Calendar): Promise<Answer> {
  const set = await calendarSet(call);
  return entityAnswer(call, set, { key: itemKey(value.mailbox, value.uid), etag: '', value });
}

async function calendarSet(call: MailCall): Promise<ODataSet<Calendar>> {
  const { mailbox, place, sharing, jar } = call;
  const group =
    place.calendarGroup === undefined ? undefined : await groupNamed(jar.store, mailbox, place.calendarGroup);
  const where: Filter[] = [{ op: 'eq', field: 'mailbox', value: mailbox.id }];
  if (group) where.push({ op: 'eq', field: 'group', value: group.uid });
  const inGroup = group ? `calendarGroups('${encodeURIComponent(place.calendarGroup ?? '')}')/` : '';
  return {
    shape: calendarShape,
    name: contextName(call, `${inGroup}calendars`),
    base: baseOf(call),
    // In another user's mailbox, only the calendars that are shared with the caller.
    prefix: `${mailbox.id}/`,
    filter: sharing
      ? { op: 'and', args: [...where, sharedFilter([...sharing.calendars.keys()])] }
      : { op: 'and', args: where },
    order: [{ field: 'isDefault', descending: true }, { field: 'number' }],
    view: ({ value }) => shownCalendar(call, value),
    navigations: [],
    always: ['id'],
    codeOf,
  };
}

const sharedFilter = (uids: readonly string[]): Filter => ({ op: 'in', field: 'uid', values: uids });

export const listGroups = (call: MailCall): Promise<Answer> => pageAnswer(call, groupSet(call));

export const countGroups = (call: MailCall): Promise<Answer> => countAnswer(call, groupSet(call));

export async function getGroup(call: MailCall): Promise<Answer> {
  const value = await groupNamed(call.jar.store, call.mailbox, call.params.group ?? '');
  return entityAnswer(call, groupSet(call), { key: itemKey(value.mailbox, value.uid), etag: '', value });
}

const ofMailbox = ({ mailbox }: MailCall): Filter => ({ op: 'eq', field: 'mailbox', value: mailbox.id });

const groupSet = (call: MailCall): ODataSet<CalendarGroup> => ({
  shape: groupShape,
  name: contextName(call, 'calendarGroups'),
  base: baseOf(call),
  filter: ofMailbox(call),
  order: [{ field: 'name' }],
  view: ({ value }) => shownGroup(value),
  navigations: [],
  always: ['id'],
  codeOf,
});
