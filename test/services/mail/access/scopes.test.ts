import { describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

/** Ids of a mailbox that does not exist: a request that passes the permission check is answered with 400 or 404, never 403. */
const M = 'messages/AAMkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const E = 'events/AAMkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const WINDOW = 'startDateTime=2026-01-01T00:00:00Z&endDateTime=2026-01-02T00:00:00Z';

interface Row {
  /** The least sufficient permission of a user's token, and an insufficient one. */
  readonly delegated: readonly [least: string, less: string];
  /** The same for an application; null if applications cannot call it. */
  readonly application: readonly [least: string, less: string] | null;
  readonly calls: readonly string[];
}

const same = (least: string, less: string): Pick<Row, 'delegated' | 'application'> => ({
  delegated: [least, less],
  application: [least, less],
});

const ROWS: readonly Row[] = [
  {
    ...same('Calendars.ReadBasic', 'Mail.ReadWrite'),
    calls: [
      'GET events',
      `GET ${E}`,
      'GET events/$count',
      `GET calendarView?${WINDOW}`,
      `GET ${E}/instances?${WINDOW}`,
      'GET calendars',
      'GET calendar',
      'GET calendarGroups',
      "GET reminderView(startDateTime='2026-01-01',endDateTime='2026-01-02')",
      'POST calendar/getSchedule',
      `GET calendarView/delta?${WINDOW}`,
      'GET events/delta',
    ],
  },
  {
    ...same('Calendars.Read', 'Calendars.ReadBasic'),
    calls: [
      `GET ${E}/attachments`,
      `GET ${E}/attachments/AAMl`,
      `GET ${E}/extensions`,
      `POST ${E}/forward`,
      'GET calendars/delta',
      'GET calendar/calendarPermissions',
    ],
  },
  {
    ...same('Calendars.ReadWrite', 'Calendars.Read'),
    calls: [
      'POST events',
      `PATCH ${E}`,
      `DELETE ${E}`,
      ...[
        'cancel',
        'accept',
        'decline',
        'tentativelyAccept',
        'snoozeReminder',
        'dismissReminder',
        'permanentDelete',
      ].map((action) => `POST ${E}/${action}`),
      `POST ${E}/attachments`,
      `DELETE ${E}/attachments/AAMl`,
      `POST ${E}/attachments/createUploadSession`,
      'POST calendars',
      'PATCH calendar',
      'POST calendarGroups',
      'POST calendar/calendarPermissions',
    ],
  },
  {
    delegated: ['Calendars.Read.Shared', 'Calendars.ReadWrite'],
    application: null,
    calls: ['POST findMeetingTimes'],
  },
  {
    delegated: ['Mail.ReadBasic', 'Mail.Send'],
    application: ['Mail.ReadBasic.All', 'Mail.Send'],
    calls: [
      'GET messages',
      `GET ${M}`,
      'GET messages/$count',
      'GET mailFolders',
      'GET mailFolders/inbox',
      'GET mailFolders/inbox/childFolders',
      'GET mailFolders/inbox/messages/delta',
      'GET mailFolders/delta',
    ],
  },
  {
    delegated: ['Mail.Read', 'Mail.ReadBasic'],
    application: ['Mail.Read', 'Mail.ReadBasic.All'],
    calls: [`GET ${M}/attachments`, `GET ${M}/$value`, `GET ${M}/extensions`, `GET ${M}/mentions`],
  },
  {
    ...same('Mail.ReadWrite', 'Mail.Read'),
    calls: [
      'POST messages',
      `PATCH ${M}`,
      `DELETE ${M}`,
      ...[
        'move',
        'copy',
        'createReply',
        'createReplyAll',
        'createForward',
        'permanentDelete',
        'recall',
        'markAsJunk',
      ].map((action) => `POST ${M}/${action}`),
      `POST ${M}/attachments`,
      `POST ${M}/attachments/createUploadSession`,
      'POST mailFolders',
      'PATCH mailFolders/AAMl',
      'DELETE mailFolders/AAMl',
    ],
  },
  {
    ...same('Mail.Send', 'Mail.ReadWrite'),
    calls: ['POST sendMail', ...['send', 'reply', 'replyAll', 'forward'].map((action) => `POST ${M}/${action}`)],
  },
  {
    ...same('MailboxSettings.Read', 'Mail.ReadWrite'),
    calls: ['GET mailboxSettings', 'GET mailFolders/inbox/messageRules', 'GET outlook/masterCategories'],
  },
  {
    ...same('MailboxSettings.ReadWrite', 'MailboxSettings.Read'),
    calls: ['PATCH mailboxSettings', 'POST mailFolders/inbox/messageRules', 'POST outlook/masterCategories'],
  },
  {
    delegated: ['User.Read', 'MailboxSettings.ReadWrite'],
    application: null,
    calls: ['GET outlook/supportedTimeZones'],
  },
  {
    delegated: ['User.ReadBasic.All', 'Mail.ReadWrite'],
    application: null,
    calls: ['POST translateExchangeIds'],
  },
];

onAnyStore('permissions of tokens', (bench) => {
  const ask = async (line: string, user: string, scope: string) => {
    const [method = '', path = ''] = line.split(/ (.*)/s);
    const token = await bench.jar.token({ user, scope });
    const root = user === 'app' ? 'users/admin@vendor.example' : 'me';
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    return bench.call(method, `/beta/${root}/${path}`, { token, ...body });
  };

  describe.each(ROWS)('$delegated.0', ({ delegated, application, calls }) => {
    it.each(calls)('%s', async (line) => {
      expect((await ask(line, 'admin', delegated[0])).status).not.toBe(403);
      expect(await ask(line, 'admin', delegated[1])).toMatchObject({
        status: 403,
        body: { error: { code: 'ErrorAccessDenied' } },
      });
      if (application) {
        expect((await ask(line, 'app', application[0])).status).not.toBe(403);
        expect((await ask(line, 'app', application[1])).body.error.code).toBe('ErrorAccessDenied');
      } else expect([400, 403]).toContain((await ask(line, 'app', delegated[0])).status);
    });
  });

  it('roles of an application can be a text in its claims, and without them it may do everything', async () => {
    const path = '/v1.0/users/admin@vendor.example/messages';
    const token = (claims?: Record<string, string>) => bench.jar.token({ user: 'app', ...(claims && { claims }) });
    const status = async (roles?: string) =>
      (await bench.call('GET', path, { token: await token(roles === undefined ? undefined : { roles }) })).status;
    expect(await status()).toBe(200);
    expect(await status('Calendars.Read Mail.Read')).toBe(200);
    expect(await status('Calendars.Read')).toBe(403);
    expect(await status('')).toBe(403);
  });
});

onAnyStore('a basic permission', (bench) => {
  let mail: string;
  let calendar: string;

  const get = (path: string, token: string) => bench.call('GET', `/v1.0/me/${path}`.replaceAll(' ', '%20'), { token });
  const tokens = async () => {
    mail ??= await bench.jar.token({ scope: 'Mail.ReadBasic' });
    calendar ??= await bench.jar.token({ scope: 'Calendars.ReadBasic' });
  };

  it.each([
    "messages?$filter=contains(bodyPreview,'x')",
    "messages?$filter=contains(body/content,'x')",
    "messages?$filter=singleValueExtendedProperties/any(p: p/id eq 'Integer 0x4001' and p/value eq '1')",
    "messages/$count?$filter=contains(bodyPreview,'x')",
    'messages?$orderby=bodyPreview',
    'messages?$expand=attachments',
    'messages?$search=%22x%22',
  ])('does not tell content by %s', async (path) => {
    await tokens();
    expect(await get(path, mail)).toMatchObject({ status: 403, body: { error: { code: 'ErrorAccessDenied' } } });
  });

  it('allows queries on other properties, whatever quoted strings contain', async () => {
    await tokens();
    expect((await get("messages?$filter=subject eq 'body and attachments'", mail)).status).toBe(200);
    expect((await get('messages?$filter=hasAttachments eq true', mail)).status).toBe(200);
    expect((await get("events?$filter=contains(bodyPreview,'x')", calendar)).status).toBe(403);
    expect((await get("events?$filter=extensions/any(e: e/id eq 'x')", calendar)).status).toBe(403);
  });

  it('shows a meeting message in lists, and not by itself', async () => {
    await tokens();
    await bench.jar.mailbox('admin').send({ subject: 'Review', meeting: { start: '2031-01-06T09:00:00Z' } });
    await bench.jar.mailbox('admin').send({ subject: 'Lunch', text: 'At noon?' });
    const { value } = (await get('messages', mail)).body;
    expect(value.map(({ subject }: { subject: string }) => subject)).toEqual(['Lunch', 'Review']);
    const [lunch, review] = value;
    expect((await get(`messages/${lunch.id}`, mail)).status).toBe(200);
    expect(await get(`messages/${review.id}`, mail)).toMatchObject({
      status: 403,
      body: { error: { code: 'ErrorAccessDenied' } },
    });
    const client = await graphClient(bench, { scopes: ['Mail.Read'] });
    expect((await client.api(`/me/messages/${review.id}`).get()).meetingMessageType).toBe('meetingRequest');
  });
});
