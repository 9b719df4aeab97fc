import type { Reader } from '../../../../kernel/store/index.ts';
import { roleOf } from '../../access/sharing.ts';
import type { MailCall } from '../../api/request.ts';
import { calendars } from '../../collections.ts';
import { ensureMailbox, itemKey } from '../../mailbox/create.ts';
import type { Mailbox } from '../../mailbox/types.ts';
import { eventsWithin } from '../in-window.ts';
import { type Span, spanOf } from '../times.ts';
import type { CalendarEvent, CalendarRole, ShowAs } from '../types.ts';

/** Free/busy times from the default calendars of users, in the detail that the caller may see. */

/** How much of an event the caller may see. */
export type Detail = 'none' | 'times' | 'titles';

export interface Busy extends Span {
  readonly showAs: ShowAs;
  readonly event: CalendarEvent;
}

export interface Schedule {
  readonly mailbox: Mailbox;
  readonly detail: Detail;
}

/** The schedule of an address in the caller's organization; undefined for other addresses. */
export async function scheduleOf(call: MailCall, address: string): Promise<Schedule | undefined> {
  const { jar, caller } = call;
  const user = await jar.directory.findUser(address);
  const isKnown =
    user?.username.toLowerCase() === address.toLowerCase() &&
    user.tenantId.toLowerCase() === caller.tenantId.toLowerCase();
  const mailbox = user && isKnown ? await ensureMailbox(jar, user.id) : undefined;
  return mailbox && { mailbox, detail: await detailFor(call, jar.store, mailbox) };
}

const DETAILS: Readonly<Record<CalendarRole, Detail>> = {
  none: 'none',
  freeBusyRead: 'times',
  limitedRead: 'titles',
  custom: 'titles',
  read: 'titles',
  write: 'titles',
  delegateWithoutPrivateEventAccess: 'titles',
  delegateWithPrivateEventAccess: 'titles',
};

async function detailFor({ caller, mailbox: own }: MailCall, reader: Reader, mailbox: Mailbox): Promise<Detail> {
  if (caller.kind === 'application' || own.id === mailbox.id) return 'titles';
  const calendar = (await reader.get(calendars, itemKey(mailbox.id, mailbox.calendar)))?.value;
  return calendar ? DETAILS[roleOf(calendar, own.address)] : 'none';
}

/** Events of a mailbox's default calendar within a window, ordered by start. */
export async function busyWithin(reader: Reader, mailbox: Mailbox, window: Span): Promise<readonly Busy[]> {
  const where = { op: 'eq', field: 'calendar', value: mailbox.calendar } as const;
  const { zone } = mailbox.settings;
  const found = await eventsWithin(reader, where, window, zone);
  return found.map((event) => ({ ...spanOf(event, zone), showAs: event.showAs, event }));
}

/** A higher weight means less free. */
const WEIGHTS: Readonly<Record<ShowAs, number>> = {
  free: 0,
  workingElsewhere: 0,
  unknown: 0,
  tentative: 1,
  busy: 2,
  oof: 3,
};

export const weightOf = (showAs: ShowAs): number => WEIGHTS[showAs];

/** The highest weight in a span: 0 is free, 3 is out of office. */
export const weightWithin = (busy: readonly Busy[], { from, to }: Span): number =>
  busy.reduce(
    (highest, each) => (each.from < to && each.to > from ? Math.max(highest, WEIGHTS[each.showAs]) : highest),
    0,
  );

/** One digit for each interval of the window. */
export function availabilityView(busy: readonly Busy[], { from, to }: Span, intervalMs: number): string {
  const digits = new Array<number>(Math.ceil((to - from) / intervalMs)).fill(0);
  for (const each of busy) {
    const weight = WEIGHTS[each.showAs];
    const first = Math.max(0, Math.floor((each.from - from) / intervalMs));
    const end = Math.min(digits.length, Math.ceil((each.to - from) / intervalMs));
    for (let at = first; at < end; at++) digits[at] = Math.max(digits[at] ?? 0, weight);
  }
  return digits.join('');
}
