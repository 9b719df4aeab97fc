import { etag } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { newOrganizationPermission } from '../calendar/calendars/organization.ts';
import type { Calendar, CalendarGroup } from '../calendar/types.ts';
import {
  calendarGroups,
  calendars,
  categories,
  folders,
  mailAddresses,
  mailboxes,
  mailboxStates,
} from '../collections.ts';
import type { Folder } from '../folders/types.ts';
import type { MailJar } from '../jar.ts';
import { firstCategories } from '../outlook/first-categories.ts';
import type { Category } from '../outlook/types.ts';
import { type Mailbox, type MailboxSettings, WELL_KNOWN_FOLDERS, type WellKnownFolder } from './types.ts';

/** Folders of a new mailbox: display name, parent, and whether the folder is hidden. */
const FOLDERS: Readonly<Record<WellKnownFolder, readonly [name: string, parent?: WellKnownFolder, hidden?: 'hidden']>> =
  {
    msgfolderroot: ['Top of Information Store'],
    inbox: ['Inbox', 'msgfolderroot'],
    drafts: ['Drafts', 'msgfolderroot'],
    sentitems: ['Sent Items', 'msgfolderroot'],
    deleteditems: ['Deleted Items', 'msgfolderroot'],
    junkemail: ['Junk Email', 'msgfolderroot'],
    archive: ['Archive', 'msgfolderroot'],
    outbox: ['Outbox', 'msgfolderroot'],
    conversationhistory: ['Conversation History', 'msgfolderroot'],
    clutter: ['Clutter', 'msgfolderroot', 'hidden'],
    scheduled: ['Scheduled', 'msgfolderroot', 'hidden'],
    syncissues: ['Sync Issues', 'msgfolderroot', 'hidden'],
    conflicts: ['Conflicts', 'syncissues', 'hidden'],
    localfailures: ['Local Failures', 'syncissues', 'hidden'],
    serverfailures: ['Server Failures', 'syncissues', 'hidden'],
    searchfolders: ['Search Folders', undefined, 'hidden'],
    recoverableitemsdeletions: ['Deletions', undefined, 'hidden'],
  };

const SETTINGS: MailboxSettings = {
  zone: 'UTC',
  locale: 'en-US',
  dateFormat: 'M/d/yyyy',
  timeFormat: 'h:mm tt',
  workingHours: {
    daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    startTime: '08:00:00.0000000',
    endTime: '17:00:00.0000000',
    zone: 'UTC',
  },
  automaticReplies: {
    status: 'disabled',
    externalAudience: 'all',
    from: 0,
    until: 0,
    internalReplyMessage: '',
    externalReplyMessage: '',
  },
  delegateMeetingMessageDeliveryOptions: 'sendToDelegateOnly',
};

export const itemKey = (mailbox: string, uid: string): string => `${mailbox}/${uid}`;

/** The mailbox of a user, created on first use. Undefined if the user does not exist. */
export async function ensureMailbox(jar: MailJar, userId: string): Promise<Mailbox | undefined> {
  const id = userId.toLowerCase();
  const known = await jar.store.cached(mailboxes, id);
  if (known) return known.value;
  const user = await jar.directory.user(id);
  if (!user) return undefined;
  return jar.store.transact(async (tx) => {
    // The lock lets only one of two concurrent requests create the mailbox.
    await tx.lock(`mail.mailbox:${id}`);
    const made = await tx.get(mailboxes, id);
    if (made) return made.value;
    const mailbox = newMailbox(id, user.tenantId, user.username, user.displayName, jar.clock.now());
    await putMailbox(tx, mailbox);
    return mailbox;
  });
}

function newMailbox(id: string, tenantId: string, address: string, displayName: string, createdAt: number): Mailbox {
  const wellKnown = Object.fromEntries(WELL_KNOWN_FOLDERS.map((name) => [name, etag()])) as Mailbox['wellKnown'];
  return {
    id,
    tenantId,
    address,
    displayName,
    createdAt,
    wellKnown,
    calendar: etag(),
    calendarGroup: etag(),
    settings: SETTINGS,
  };
}

async function putMailbox(tx: Tx, mailbox: Mailbox): Promise<void> {
  const { id, wellKnown } = mailbox;
  await tx.put(mailboxes, id, mailbox);
  await tx.put(mailAddresses, mailbox.address.toLowerCase(), { mailbox: id });
  await tx.put(mailboxStates, id, { number: WELL_KNOWN_FOLDERS.length, subscriptions: 0, rules: 0 });
  await tx.put(calendarGroups, itemKey(id, mailbox.calendarGroup), firstGroup(mailbox));
  await tx.put(calendars, itemKey(id, mailbox.calendar), firstCalendar(mailbox));
  await tx.putAll(
    categories,
    firstCategories(id).map((category): [string, Category] => [itemKey(id, category.id), category]),
  );
  await tx.putAll(
    folders,
    WELL_KNOWN_FOLDERS.map((name, at): [string, Folder] => {
      const [displayName, parent, hidden] = FOLDERS[name];
      const children = WELL_KNOWN_FOLDERS.filter((each) => FOLDERS[each][1] === name && FOLDERS[each][2] === hidden);
      const folder: Folder = {
        uid: wellKnown[name],
        mailbox: id,
        displayName,
        ...(parent && { parent: wellKnown[parent] }),
        wellKnown: name,
        isHidden: hidden === 'hidden',
        total: 0,
        unread: 0,
        children: children.length,
        // Delta requires unique numbers within a kind.
        number: at + 1,
        createdNumber: at + 1,
      };
      return [itemKey(id, folder.uid), folder];
    }),
  );
}

/** The class id of every mailbox's default calendar group. */
const MY_CALENDARS = '0006f0b7-0000-0000-c000-000000000046';

const firstGroup = ({ id, calendarGroup }: Mailbox): CalendarGroup => ({
  uid: calendarGroup,
  mailbox: id,
  name: 'My Calendars',
  classId: MY_CALENDARS,
  isDefault: true,
  number: 1,
  createdNumber: 1,
});

/** It has the permission of the owner's organization from the start. */
const firstCalendar = ({ id, calendar, calendarGroup }: Mailbox): Calendar => ({
  uid: calendar,
  mailbox: id,
  group: calendarGroup,
  name: 'Calendar',
  color: 'auto',
  hexColor: '',
  isDefault: true,
  number: 1,
  createdNumber: 1,
  permissions: [newOrganizationPermission()],
  defaultOnlineMeetingProvider: 'teamsForBusiness',
});
