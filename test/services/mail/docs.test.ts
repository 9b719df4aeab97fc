import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../../src/kernel/limits/table.ts';
import { settingErrors, settingsCalls } from '../../../src/kernel/settings/control.ts';
import { formatDuration } from '../../../src/kernel/time/index.ts';
import { MAIL_AUDIENCES } from '../../../src/services/mail/access/audiences.ts';
import { FULL_SCOPE, NEEDS } from '../../../src/services/mail/access/scopes.ts';
import type { Operation } from '../../../src/services/mail/api/request.ts';
import * as attachmentLimits from '../../../src/services/mail/attachments/limits.ts';
import { MOST_ITEMS } from '../../../src/services/mail/batch/read.ts';
import { CALENDAR_OPERATIONS } from '../../../src/services/mail/calendar/operations.ts';
import { CALENDAR_ROLES } from '../../../src/services/mail/calendar/types.ts';
import { DELTA_OPERATIONS } from '../../../src/services/mail/delta/operations.ts';
import { REMOVALS_KEPT_MS } from '../../../src/services/mail/delta/removals-work.ts';
import { errors } from '../../../src/services/mail/errors.ts';
import { EXTRA_OPERATIONS } from '../../../src/services/mail/extras/operations.ts';
import { LARGEST_REQUEST_BYTES, MAIL_FAMILY } from '../../../src/services/mail/family.ts';
import { FOLDER_OPERATIONS } from '../../../src/services/mail/folders/operations.ts';
import { CALENDAR_BOUNDS } from '../../../src/services/mail/ical/bounds.ts';
import { MAIL } from '../../../src/services/mail/index.ts';
import * as limits from '../../../src/services/mail/limits.ts';
import { WELL_KNOWN_FOLDERS } from '../../../src/services/mail/mailbox/types.ts';
import { MESSAGE_OPERATIONS } from '../../../src/services/mail/messages/operations.ts';
import { MEETING_MESSAGE_TYPES, MEETING_REQUEST_TYPES } from '../../../src/services/mail/messages/types.ts';
import { MAIL_BOUNDS } from '../../../src/services/mail/mime/bounds.ts';
import { SUBSCRIPTION_OPERATIONS } from '../../../src/services/mail/notifications/operations.ts';
import { OUTLOOK_OPERATIONS } from '../../../src/services/mail/outlook/operations.ts';
import { PATTERN_TYPES, RANGE_TYPES } from '../../../src/services/mail/recurrence/types.ts';
import { RULE_OPERATIONS } from '../../../src/services/mail/rules/operations.ts';
import { SENDING_OPERATIONS } from '../../../src/services/mail/sending/operations.ts';
import { SETTINGS_OPERATIONS } from '../../../src/services/mail/settings/operations.ts';
import { settingsRules } from '../../../src/services/mail/settings-schema.ts';
import { MAIL_SETTINGS } from '../../../src/services/mail/settings-table.ts';
import { DEFAULT_SMTP_LIMITS } from '../../../src/services/mail/smtp/limits.ts';
import { runTypeScript } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar, shownBy, typeScriptOf } from '../../docs/page-jar.ts';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const PAGE = 'docs/services/mail.md';
const page = read(PAGE);
const meetings = read('docs/services/mail-meetings.md');
const calendar = read('docs/services/mail-calendar.md');
const notifications = read('docs/services/mail-notifications.md');

/** The text below a heading of a page, up to the next heading of any level. */
const section = (text: string, heading: string): string => {
  const [, below = ''] = text.split(new RegExp(`^#+ ${heading}$`, 'm'));
  return below.split(/^#+ /m)[0] ?? '';
};
const counted = (count: number): string => count.toLocaleString('en');
const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

/** Codes of the kernel with their statuses. Bodies are bytes here, so unsupported types never occur. */
const KERNEL_STATUSES: Readonly<Record<Exclude<keyof typeof MAIL_FAMILY.codes, 'unsupportedMediaType'>, number>> = {
  malformedJson: 400,
  invalidBody: 400,
  invalidQuery: 400,
  bodyTooLarge: 413,
  notFound: 404,
  methodNotAllowed: 405,
  preconditionFailed: 412,
  internal: 500,
  unavailable: 503,
};
/** Created from mistakes in query options (`api/show.ts`). */
const OF_QUERIES = 'RequestBroker--ParseUri 400';

describe('the page about mail', () => {
  it('has every error with its status, and no other', () => {
    type Make = (values: object) => { readonly code: string; readonly status: number };
    const own = Object.values<Make>(errors as Record<string, Make>).map((make) => make({}));
    const kernel = Object.entries(KERNEL_STATUSES).map(([name, status]) => ({
      code: MAIL_FAMILY.codes[name as keyof typeof KERNEL_STATUSES],
      status,
    }));
    const expected = new Set([OF_QUERIES, ...[...own, ...kernel].map(({ code, status }) => `${code} ${status}`)]);
    const rows = [...section(page, 'Errors').matchAll(/^\| `([\w-]+)` \| (\d{3}) \| \S/gm)];
    expect(rows.map(([, code, status]) => `${code} ${status}`).sort()).toEqual([...expected].sort());
  });

  it.each((MAIL.limits ?? []).map((limit) => [limit.name, limit] as const))(
    'has the limit %s with its number, as the page of all limits has',
    (name, limit) => {
      const { limit: most = 0 } = numbersOf(limit);
      expect(section(page, 'Limits')).toContain(`\n| \`${name}\` | ${limit.kind} | ${counted(most)} | `);
      const ending = name.replace(/^mail\./, '').replace(/-of-application$/, '');
      expect(read('docs/reference/limits.md')).toMatch(new RegExp(`^\\| \`mail\\..*${ending}\``, 'm'));
    },
  );

  it('has the bounds that no limit is', () => {
    const bounds = section(page, 'Limits');
    expect(bounds).toContain(`| body of a request | ${megabytes(LARGEST_REQUEST_BYTES)},`);
    expect(read('docs/reference/requests.md')).toContain(`| mail and calendar | ${megabytes(LARGEST_REQUEST_BYTES)};`);
    expect(bounds).toContain(`attendees of an event | ${limits.MOST_RECIPIENTS} |`);
    expect(bounds).toContain(`| MIME of a message | ${megabytes(DEFAULT_SMTP_LIMITS.messageBytes)} by SMTP`);
    expect(bounds).toContain(
      `| ${counted(limits.MOST_FOLDERS)} and ${limits.MOST_SEARCH_FOLDERS}, ${limits.DEEPEST_FOLDER} levels deep,`,
    );
    expect(bounds).toContain(`| rules | ${limits.MOST_RULES}, which look for ${counted(limits.MOST_RULE_TEXTS)} texts`);
    expect(bounds).toContain(
      `| ${limits.MOST_CATEGORIES}, ${counted(limits.MOST_INFERENCE_OVERRIDES)} and ${counted(limits.MOST_BLOCKED_SENDERS)},`,
    );
    expect(bounds).toContain(`| attachments of an item | ${attachmentLimits.MOST_ATTACHMENTS} |`);
    expect(bounds).toContain(`| requests in a batch | ${MOST_ITEMS} |`);
    const attachments = section(page, 'Attachments');
    for (const bytes of [
      attachmentLimits.SMALLEST_UPLOAD_BYTES,
      attachmentLimits.LARGEST_UPLOAD_BYTES,
      attachmentLimits.LARGEST_RANGE_BYTES,
      attachmentLimits.MOST_SHOWN_BYTES,
    ])
      expect(attachments).toContain(megabytes(bytes));
    expect(attachments).toContain(`up to ${attachmentLimits.DEEPEST_ITEM} levels deep`);
  });

  it.each(Object.entries(MAIL_SETTINGS.defaults))(
    'has the setting %s with its default and its range',
    (name, value) => {
      const { kind, from, to } = MAIL_SETTINGS.rows[name] as Exclude<
        (typeof MAIL_SETTINGS.rows)[string],
        { kind: 'flag' }
      >;
      const shown = [value, from, to].map(kind === 'duration' ? formatDuration : counted);
      expect(section(page, 'Settings')).toContain(`\n| \`${name}\` | ${shown.join(' | ')} | `);
    },
  );

  it('has the settings that only the file can set, and every property of the relay', () => {
    const { relay, catchAll, ...changeable } = settingsRules.schema.properties;
    expect([relay, catchAll]).not.toContain(undefined);
    expect(Object.keys(changeable).sort()).toEqual(Object.keys(MAIL_SETTINGS.rows).sort());
    for (const name of ['relay', 'catchAll']) expect(section(page, 'Settings')).toContain(`\n| \`${name}\` | `);
    for (const name of ['host', 'port', 'tls', 'user', 'password', 'ca', 'name'])
      expect(section(meetings, 'Relay')).toContain(`\`${name}\``);
  });

  it.each(Object.values(settingsCalls(MAIL_SETTINGS)).map(({ method, path }) => [method, path]))(
    'has the call %s %s, which is among those of the control API',
    (method, path) => {
      expect(section(page, 'Control API')).toContain(`\n| \`${method} ${path}\` | `);
      expect(read('docs/reference/control.md')).toContain(path);
      for (const code of Object.keys(settingErrors)) expect(section(page, 'Settings')).toContain(`\`${code}\``);
    },
  );

  it('has the folders, audiences and delivery policies', () => {
    for (const name of WELL_KNOWN_FOLDERS) expect(section(page, 'Folders')).toContain(`\`${name}\``);
    for (const audience of MAIL_AUDIENCES) expect(section(page, 'Tokens and permissions')).toContain(`\`${audience}\``);
    expect(section(page, 'Tokens and permissions')).toContain(`\`${FULL_SCOPE}\``);
    for (const policy of MAIL.policies ?? []) expect(section(page, 'Control API')).toContain(`\`${policy}\``);
  });
});

describe('the operations', () => {
  const EVENT_EXTRAS = EXTRA_OPERATIONS.filter(({ path }) => path.startsWith('events/'));
  const MESSAGE_EXTRAS = EXTRA_OPERATIONS.filter((each) => !EVENT_EXTRAS.includes(each));

  it.each<[string, string, readonly Operation[]]>([
    [
      PAGE,
      page,
      [
        ...MESSAGE_OPERATIONS,
        ...SENDING_OPERATIONS,
        ...MESSAGE_EXTRAS,
        ...FOLDER_OPERATIONS,
        ...RULE_OPERATIONS,
        ...SETTINGS_OPERATIONS,
        ...OUTLOOK_OPERATIONS,
      ],
    ],
    ['docs/services/mail-calendar.md', calendar, [...CALENDAR_OPERATIONS, ...EVENT_EXTRAS]],
    ['docs/services/mail-notifications.md', notifications, DELTA_OPERATIONS],
  ])('are all in the tables of %s with what they need, and no others', (_name, text, operations) => {
    const rows = [...text.matchAll(/^\| (`[A-Z]+ \/[^|]*) \| \S[^|]* \|( `\w+\.[^|]*)\|$/gm)];
    expect(rows.map(([, address, needs]) => `${address}:${needs?.trimEnd()}`).sort()).toEqual(
      operations.map(operationRow).sort(),
    );
  });

  it('on subscriptions are all in their table', () => {
    for (const { method, path } of SUBSCRIPTION_OPERATIONS)
      expect(section(notifications, 'Operations')).toContain(`\n| \`${method} /${path}\` | `);
  });
});

function operationRow({ method, path, needs, isBeta }: Operation): string {
  const { delegated, application }: { readonly delegated: readonly string[]; readonly application: readonly string[] } =
    NEEDS[needs];
  const [user, app] = [delegated[0], application[0]];
  const scopes =
    app === undefined ? `\`${user}\`, users only` : app === user ? `\`${user}\`` : `\`${user}\` or \`${app}\``;
  const address = path === '' ? '`GET /me`, `GET /users/{user}`' : `\`${method} /${path}\``;
  return `${address}${isBeta ? ' (beta)' : ''}: ${scopes}`;
}

describe('the pages about meetings, calendars and notifications', () => {
  it('have the words of every enumeration', () => {
    for (const type of [...MEETING_MESSAGE_TYPES, ...MEETING_REQUEST_TYPES])
      expect(section(meetings, 'Properties of a meeting message')).toContain(`\`${type}\``);
    for (const type of [...PATTERN_TYPES, ...RANGE_TYPES])
      expect(section(calendar, 'Series')).toContain(`\n| \`${type}\` | `);
    for (const role of CALENDAR_ROLES) expect(section(calendar, 'Share a calendar')).toContain(`\`${role}\``);
  });

  it('have the bounds of SMTP, MIME and iCalendar', () => {
    const smtp = section(meetings, 'SMTP limits');
    const { recipients, connections, connectionsPerAddress, commands, mistakes } = DEFAULT_SMTP_LIMITS;
    const { idleMs, messageMs, progressBytes, messageBytes, textLineBytes, commandLineBytes } = DEFAULT_SMTP_LIMITS;
    for (const text of [
      `${megabytes(messageBytes)} (552); ${recipients} recipients`,
      `${textLineBytes / 1024} KB, ${counted(commandLineBytes)} bytes`,
      `${connections}, of which ${connectionsPerAddress} from one address`,
      `${idleMs / 60_000} minutes, ${messageMs / 60_000} minutes; ${progressBytes} bytes`,
      `| ${counted(commands)}, ${mistakes} |`,
    ])
      expect(smtp).toContain(text);
    const content = section(meetings, 'MIME and iCalendar limits');
    const { nesting, parts, headerBytes, headerLines, addresses } = MAIL_BOUNDS;
    expect(content).toContain(
      `${nesting} levels of parts, ${counted(parts)} parts, ${headerBytes / 1024} KB and ${counted(headerLines)} lines of header, ${counted(addresses)} addresses`,
    );
    const { bytes, lines, components, attendees, dates, zones } = CALENDAR_BOUNDS;
    expect(content).toContain(
      `a calendar of ${megabytes(bytes)}, ${counted(lines)} lines, ${counted(components)} components, ${counted(attendees)} attendees, ${counted(dates)} dates, ${zones} time zones`,
    );
    expect(section(notifications, 'Delta')).toContain(`kept for ${REMOVALS_KEPT_MS / 86_400_000} days`);
  });
});

describe.each([PAGE, 'docs/services/mail-calendar.md', 'docs/services/mail-notifications.md'])(
  'the example for a shell in %s',
  (name) => {
    it('does what it shows', async ({ skip }) => {
      needCurl(skip);
      await using opened = await PageJar.open();
      const { smtpPort } = opened.jar.jar.addresses;
      const code = (await markedCode(name)).replaceAll('smtp://127.0.0.1:7425', `smtp://127.0.0.1:${smtpPort}`);
      expect(await opened.shell(code)).toBe(await shownBy(name, 'console'));
    });
  },
);

it('the example with the official client does what it shows', async () => {
  const code = await typeScriptOf(PAGE);
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
  expect((await runTypeScript(code)).trimEnd().split('\n')).toEqual(promised);
});
