import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import type { DeltaRow } from '../delta/sync.ts';

const ME = '/beta/me';
const OWNER = '/beta/users/admin@vendor.example';
const LIN = 'licensed@vendor.example';
const HOUR = {
  start: { dateTime: '2026-05-04T10:00:00', timeZone: 'UTC' },
  end: { dateTime: '2026-05-04T11:00:00', timeZone: 'UTC' },
};
const VIEW = 'calendarView/delta?startDateTime=2026-05-01T00:00:00Z&endDateTime=2026-06-01T00:00:00Z';
const FILE = {
  '@odata.type': '#microsoft.graph.fileAttachment',
  name: 'agenda.txt',
  contentBytes: Buffer.from('Agenda').toString('base64'),
};

onBothStores('delta and attachments of a calendar that another has shared', (bench) => {
  let open: string;
  let secret: string;
  let other: string;
  let elsewhere: string;

  const own = async (path: string, body: object) => (await bench.call('POST', `${ME}/${path}`, { body })).body.id;

  beforeEach(async () => {
    await bench.jar.reset();
    open = await own('events', { ...HOUR, subject: 'Open' });
    secret = await own('events', { ...HOUR, subject: 'Secret', sensitivity: 'private' });
    other = await own('calendars', { name: 'Other' });
    elsewhere = await own(`calendars/${other}/events`, { ...HOUR, subject: 'Elsewhere' });
    for (const event of [open, secret]) await own(`events/${event}/attachments`, FILE);
  });

  const share = (role: string, calendar = 'calendar') =>
    own(`${calendar}/calendarPermissions`, { role, emailAddress: { address: LIN } });
  const as = async (scope: string) => {
    const token = await bench.jar.token({ user: 'licensed', scope });
    return (method: string, path: string, body?: object) =>
      bench.call(method, path.startsWith('http') ? path : `${OWNER}/${path}`, { token, ...(body && { body }) });
  };
  const subjects = (rows: readonly DeltaRow[]) => rows.map(({ subject }) => subject).toSorted();

  it('delta has only the events of shared calendars, private events without their content', async () => {
    await share('read');
    const lin = await as('Calendars.Read.Shared');
    const view = await lin('GET', VIEW);
    expect(subjects(view.body.value)).toEqual(['Open', 'Private Appointment']);
    const list = await lin('GET', 'events/delta');
    expect(list.body.value.map(({ id }: DeltaRow) => id).toSorted()).toEqual([open, secret].toSorted());
    expect((await lin('GET', `calendars/${other}/${VIEW}`)).status).toBe(403);
    const calendars = await lin('GET', 'calendars/delta?$select=name');
    expect(calendars.body.value).toMatchObject([{ name: 'Calendar' }]);

    await bench.call('DELETE', `${ME}/events/${elsewhere}`);
    await bench.call('PATCH', `${ME}/events/${open}`, { body: { subject: 'Still open' } });
    await bench.call('DELETE', `${ME}/events/${secret}`);
    const next = (await lin('GET', view.body['@odata.deltaLink'])).body.value;
    expect(next).toMatchObject([
      { id: open, subject: 'Still open' },
      { id: secret, '@removed': {} },
    ]);
    const listed = (await lin('GET', list.body['@odata.deltaLink'])).body.value;
    expect(listed.map(({ id }: DeltaRow) => id)).toEqual([open, secret]);
  });

  it('delta starts over if the shared calendars change, and ends with the permission', async () => {
    const permission = await share('limitedRead');
    const lin = await as('Calendars.Read.Shared');
    const link = async () => (await lin('GET', 'events/delta')).body['@odata.deltaLink'] as string;
    const ofOwner = (await bench.call('GET', `${OWNER}/events/delta`)).body['@odata.deltaLink'];
    expect(await lin('GET', ofOwner)).toMatchObject({ status: 410, body: { error: { code: 'SyncStateNotFound' } } });
    const first = await link();
    await share('read', `calendars/${other}`);
    const expired = await lin('GET', first);
    expect(expired).toMatchObject({ status: 410, body: { error: { code: 'SyncStateNotFound' } } });
    expect((await lin('GET', String(expired.headers.get('location')))).body.value).toHaveLength(3);
    const second = await link();
    await bench.call('PATCH', `${ME}/calendar/calendarPermissions/${permission}`, { body: { role: 'read' } });
    expect((await lin('GET', second)).status).toBe(410);
    const third = await link();
    await bench.call('DELETE', `${ME}/calendar/calendarPermissions/${permission}`);
    expect((await lin('GET', third)).status).toBe(410);
    expect((await lin('GET', VIEW)).status).toBe(403);
  });

  it('attachments are read with the role to read and changed with the role to write; those of private events stay hidden', async () => {
    await share('read');
    const lin = await as('Calendars.ReadWrite.Shared');
    const { value } = (await lin('GET', `events/${open}/attachments`)).body;
    expect(value).toMatchObject([{ name: 'agenda.txt', contentBytes: FILE.contentBytes }]);
    expect((await lin('GET', `events/${open}/attachments/${value[0].id}/$value`)).text).toBe('Agenda');
    expect((await lin('GET', `events/${secret}/attachments`)).status).toBe(403);
    expect((await lin('POST', `events/${open}/attachments`, FILE)).status).toBe(403);
    const expanded = (await lin('GET', 'events?$expand=attachments($select=name)')).body.value;
    const names = new Map(expanded.map((each: { id: string; attachments: object[] }) => [each.id, each.attachments]));
    expect(names.get(open)).toMatchObject([{ name: 'agenda.txt' }]);
    expect(names.get(secret)).toEqual([]);

    await share('write');
    expect((await lin('POST', `events/${open}/attachments`, FILE)).status).toBe(201);
    expect((await lin('DELETE', `events/${open}/attachments/${value[0].id}`)).status).toBe(204);
    expect((await lin('POST', `events/${secret}/attachments`, FILE)).status).toBe(403);
    expect((await lin('POST', `events/${elsewhere}/attachments`, FILE)).status).toBe(404);
    expect((await bench.call('GET', `${ME}/events/${open}/attachments`)).body.value).toHaveLength(1);

    await share('limitedRead');
    expect((await lin('GET', `events/${open}/attachments`)).status).toBe(403);
    expect((await lin('GET', `events/${open}?$expand=attachments`)).body.attachments).toEqual([]);
  });
});
