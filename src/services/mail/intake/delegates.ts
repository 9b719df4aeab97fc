import type { CalendarRole } from '../calendar/types.ts';
import { calendars, events } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { itemKey } from '../mailbox/create.ts';
import type { DelegateDelivery, Mailbox } from '../mailbox/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address, MeetingMessage } from '../messages/types.ts';
import type { Invitation } from '../mime/invitation.ts';
import type { IncomingMail } from './incoming.ts';
import { mailboxOf } from './recipients.ts';

/** Users who handle the meetings of another mailbox, the principal's: they have a delegate role on the principal's default calendar. */

export interface Delegate {
  readonly mailbox: Mailbox;
  readonly maySeePrivate: boolean;
}

/** A delegate whose mailbox is written in the transaction of the mail. */
export interface WritingDelegate extends Pick<Delegate, 'maySeePrivate'> {
  readonly writer: MailboxWriter;
}

const DELEGATES: Partial<Record<CalendarRole, { readonly maySeePrivate: boolean }>> = {
  delegateWithoutPrivateEventAccess: { maySeePrivate: false },
  delegateWithPrivateEventAccess: { maySeePrivate: true },
};

/** Empty for mail without a calendar, which most mail is. */
export async function delegatesFor(
  jar: MailJar,
  { id, tenantId, calendar }: Mailbox,
  { parsed }: IncomingMail,
): Promise<readonly Delegate[]> {
  if (parsed.calendars.length === 0) return [];
  const permissions = (await jar.store.get(calendars, itemKey(id, calendar)))?.value.permissions ?? [];
  const found: Delegate[] = [];
  for (const { role, address } of permissions) {
    const right = DELEGATES[role];
    const mailbox = right && address ? await mailboxOf(jar, address.address) : undefined;
    if (right && mailbox && mailbox.id !== id && mailbox.tenantId === tenantId) found.push({ mailbox, ...right });
  }
  return found;
}

/** The delegates who get the messages of a meeting; for a private meeting, only those who may see it. */
export async function delegatesOfMeeting(
  { tx, mailbox }: MailboxWriter,
  { calendar }: Invitation,
  { event }: MeetingMessage,
  delegates: readonly WritingDelegate[],
): Promise<readonly MailboxWriter[]> {
  if (delegates.length === 0) return [];
  const stored = event === undefined ? undefined : (await tx.get(events, itemKey(mailbox.id, event)))?.value;
  const isPrivate =
    stored?.sensitivity === 'private' ||
    stored?.sensitivity === 'confidential' ||
    calendar.components.some(({ classification }) => /^(PRIVATE|CONFIDENTIAL)$/.test(classification));
  return delegates.filter(({ maySeePrivate }) => maySeePrivate || !isPrivate).map(({ writer }) => writer);
}

/** The principal's copy of a meeting message that delegates handle; undefined if the principal gets none. */
export function principalsCopy(meeting: MeetingMessage, delivery: DelegateDelivery): MeetingMessage | undefined {
  switch (delivery) {
    case 'sendToDelegateOnly':
      return undefined;
    case 'sendToDelegateAndPrincipal':
      return meeting;
    case 'sendToDelegateAndInformationToPrincipal': {
      const { request } = meeting;
      if (!request) return meeting;
      const type = meeting.isOutOfDate ? request.type : ('principalWantsCopy' as const);
      return { ...meeting, isDelegated: true, request: { ...request, type } };
    }
  }
}

export const delegatesCopy = (meeting: MeetingMessage, principal: Mailbox): MeetingMessage => ({
  ...meeting,
  isDelegated: true,
  principal: principal.id,
});

/** Recipients in a delegate's message: the delegate replaces the principal. */
export function delegatedTo(people: readonly Address[], principal: Mailbox, delegate: Mailbox): readonly Address[] {
  const own = { name: delegate.displayName, address: delegate.address };
  const isPrincipal = ({ address }: Address): boolean => address.toLowerCase() === principal.address.toLowerCase();
  const replaced = people.map((each) => (isPrincipal(each) ? own : each));
  const key = ({ address }: Address): string => address.toLowerCase();
  return [...new Map(replaced.map((each) => [key(each), each])).values()];
}
