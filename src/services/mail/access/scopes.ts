/** Permissions for each need. The first permission is the least; each of the others includes more. */

export interface Need {
  readonly delegated: readonly string[];
  /** Empty if applications cannot call it. */
  readonly application: readonly string[];
  /** If the token has only one of these, answers leave out content: bodies, previews, attachments, extensions. */
  readonly basic?: readonly string[];
}

const MAIL_READ = ['Mail.Read', 'Mail.ReadWrite'];
const MAIL_SHARED = ['Mail.Read.Shared', 'Mail.ReadWrite.Shared'];
const CALENDARS_READ = ['Calendars.Read', 'Calendars.ReadWrite'];
const CALENDARS_SHARED = ['Calendars.Read.Shared', 'Calendars.ReadWrite.Shared'];
const MAIL_BASIC = ['Mail.ReadBasic', 'Mail.ReadBasic.All', 'Mail.ReadBasic.Shared'];
const CALENDARS_BASIC = ['Calendars.ReadBasic', 'Calendars.ReadBasic.All'];

const both = (scopes: readonly string[], shared: readonly string[] = []): Need => ({
  delegated: [...scopes, ...shared],
  application: scopes,
});

export const NEEDS = {
  none: { delegated: [], application: [] },
  mailBasic: {
    delegated: ['Mail.ReadBasic', 'Mail.ReadBasic.Shared', ...MAIL_READ, ...MAIL_SHARED],
    application: ['Mail.ReadBasic.All', 'Mail.ReadBasic', ...MAIL_READ],
    basic: MAIL_BASIC,
  },
  mailRead: both(MAIL_READ, MAIL_SHARED),
  mailWrite: both(['Mail.ReadWrite'], ['Mail.ReadWrite.Shared']),
  mailSend: both(['Mail.Send'], ['Mail.Send.Shared']),
  calendarBasic: {
    delegated: ['Calendars.ReadBasic', ...CALENDARS_READ, ...CALENDARS_SHARED],
    application: ['Calendars.ReadBasic', 'Calendars.ReadBasic.All', ...CALENDARS_READ],
    basic: CALENDARS_BASIC,
  },
  calendarRead: both(CALENDARS_READ, CALENDARS_SHARED),
  calendarReadShared: { delegated: CALENDARS_SHARED, application: [] },
  calendarWrite: both(['Calendars.ReadWrite'], ['Calendars.ReadWrite.Shared']),
  // Write permissions do not include subscribing, and shared mailboxes cannot be subscribed to.
  subscribeMessages: {
    delegated: ['Mail.ReadBasic', 'Mail.Read'],
    application: ['Mail.ReadBasic', 'Mail.ReadBasic.All', 'Mail.Read'],
    basic: MAIL_BASIC,
  },
  subscribeEvents: { delegated: ['Calendars.Read'], application: ['Calendars.Read'] },
  settingsRead: both(['MailboxSettings.Read', 'MailboxSettings.ReadWrite']),
  settingsWrite: both(['MailboxSettings.ReadWrite']),
  userRead: {
    delegated: ['User.Read', 'User.ReadWrite', 'User.ReadBasic.All', 'User.Read.All', 'Directory.Read.All'],
    application: ['User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All'],
  },
  usersRead: {
    delegated: ['User.ReadBasic.All', 'User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All'],
    application: ['User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All'],
  },
  placesRead: both(['Place.Read.All', 'Place.ReadWrite.All']),
  zonesRead: { delegated: ['User.Read', 'User.ReadBasic.All', 'User.Read.All'], application: [] },
  idsTranslate: { delegated: ['User.ReadBasic.All', 'User.Read', 'User.Read.All'], application: [] },
} as const satisfies Record<string, Need>;

export type NeedName = keyof typeof NEEDS;

/** The scope that the older endpoints' `.default` means; tokens of the control API have it. */
export const FULL_SCOPE = 'user_impersonation';
