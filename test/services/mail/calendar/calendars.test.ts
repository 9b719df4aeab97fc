import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';

const ME = '/beta/me';
const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const HOUR = { start: at('2026-05-04T10:00:00'), end: at('2026-05-04T11:00:00') };
const LIN = 'licensed@vendor.example';

onBothStores('calendars and their groups', (bench) => {
  beforeEach(() => bench.jar.reset());

  const call = (method: string, path: string, body?: object) =>
    bench.call(method, `${ME}/${path}`, { ...(body && { body }) });

  it('every mailbox has one calendar, and may have more in groups', async () => {
    const first = (await call('GET', 'calendar')).body;
    expect(first).toMatchObject({
      name: 'Calendar',
      color: 'auto',
      hexColor: '',
      isDefaultCalendar: true,
      isRemovable: false,
      isTallyingResponses: true,
      canEdit: true,
      canShare: true,
      canViewPrivateItems: true,
      isShared: false,
      isSharedWithMe: false,
      allowedOnlineMeetingProviders: ['teamsForBusiness'],
      defaultOnlineMeetingProvider: 'teamsForBusiness',
      owner: { name: 'Ada Admin', address: 'admin@vendor.example' },
    });
    expect(first['@odata.context']).toMatch(/\$metadata#users\('[^']+'\)\/calendars\/\$entity$/);
    expect((await bench.call('GET', '/v1.0/me/calendar')).body).not.toHaveProperty('isShared');
    const group = (await call('POST', 'calendarGroups', { name: 'Teams' })).body;
    expect(group).toMatchObject({ name: 'Teams', classId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const made = await call('POST', `calendarGroups/${group.id}/calendars`, { name: 'Sales', color: 'lightBlue' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Sales',
        color: 'lightBlue',
        isDefaultCalendar: false,
        isRemovable: true,
        calendarGroupId: group.id,
      },
    });
    expect((await call('GET', 'calendars')).body.value).toMatchObject([{ id: first.id }, { id: made.body.id }]);
    expect((await call('GET', `calendarGroups/${group.id}/calendars`)).body.value).toMatchObject([{ name: 'Sales' }]);
    expect((await call('GET', 'calendars/$count')).text).toBe('2');
    expect((await call('GET', "calendars?$filter=name eq 'sales'")).body.value).toHaveLength(1);
    expect((await call('GET', 'calendarGroups')).body.value).toMatchObject([
      { name: 'My Calendars' },
      { name: 'Teams' },
    ]);
    const changed = await call('PATCH', `calendars/${made.body.id}`, { name: 'Revenue', hexColor: '#FF8800' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Revenue', hexColor: '#FF8800', color: 'lightBlue' } });
    expect(changed.body.changeKey).not.toBe(made.body.changeKey);

    const event = (await call('POST', `calendars/${made.body.id}/events`, { ...HOUR, subject: 'Deal' })).body;
    expect(event['@odata.context']).toMatch(/calendars\('[\w-]+'\)\/events\/\$entity$/);
    expect((await call('GET', `calendarGroups/${group.id}/calendars/${made.body.id}/events/${event.id}`)).status).toBe(
      200,
    );
    expect((await call('GET', `calendars/${first.id}/events/${event.id}`)).status).toBe(404);
    expect((await call('GET', `events/${event.id}/calendar`)).body.id).toBe(made.body.id);
    expect((await call('GET', 'events')).body.value).toMatchObject([{ subject: 'Deal' }]);
    expect((await call('GET', 'calendar/events')).body.value).toEqual([]);

    expect((await call('DELETE', `calendarGroups/${group.id}`)).body.error.code).toBe('ErrorInvalidRequest');
    expect((await call('DELETE', `calendars/${made.body.id}`)).status).toBe(204);
    expect((await call('GET', `events/${event.id}`)).status).toBe(404);
    expect((await call('GET', `calendars/${made.body.id}`)).status).toBe(404);
    expect((await call('DELETE', `calendarGroups/${group.id}`)).status).toBe(204);
  });

  it('another calendar can be the default one', async () => {
    const { id } = (await call('POST', 'calendars', { name: 'Second' })).body;
    await call('PATCH', `calendars/${id}`, { isDefaultCalendar: true });
    expect((await call('GET', 'calendar')).body.id).toBe(id);
    expect((await call('GET', 'calendars?$filter=isDefaultCalendar eq true')).body.value).toMatchObject([{ id }]);
    await call('POST', 'events', HOUR);
    expect((await call('GET', `calendars/${id}/events`)).body.value).toHaveLength(1);
  });

  it('a calendar is shared by permissions', async () => {
    const path = 'calendar/calendarPermissions';
    const [organization] = (await call('GET', path)).body.value;
    expect(organization).toMatchObject({
      role: 'freeBusyRead',
      isRemovable: false,
      isInsideOrganization: true,
      allowedRoles: ['none', 'freeBusyRead', 'limitedRead', 'read', 'write'],
      emailAddress: { name: 'My Organization', address: null },
    });
    const made = await call('POST', path, { emailAddress: { name: 'Lin', address: LIN }, role: 'read' });
    expect(made).toMatchObject({ status: 201, body: { role: 'read', isRemovable: true, isInsideOrganization: true } });
    expect((await call('GET', 'calendar')).body.isShared).toBe(true);
    expect((await call('PATCH', `${path}/${made.body.id}`, { role: 'write' })).body.role).toBe('write');
    const again = await call('POST', path, { emailAddress: { address: LIN }, role: 'limitedRead' });
    expect([again.body.id, again.body.role]).toEqual([made.body.id, 'limitedRead']);
    const event = (await call('POST', 'events', HOUR)).body;
    expect((await call('GET', `events/${event.id}/calendar/calendarPermissions`)).body.value).toHaveLength(2);
    expect((await call('DELETE', `${path}/${made.body.id}`)).status).toBe(204);
    expect((await call('GET', `${path}/${made.body.id}`)).status).toBe(404);
  });
});

onAnyStore('what calendars refuse', (bench) => {
  beforeEach(() => bench.jar.reset());

  const PERMISSIONS = 'calendar/calendarPermissions';

  it.each<[string, string, string, object | undefined, number, string]>([
    ['a calendar without a name', 'POST', 'calendars', {}, 400, 'RequestBodyRead'],
    ['an empty name', 'POST', 'calendars', { name: ' ' }, 400, 'RequestBodyRead'],
    ['a name that is taken, in any case', 'POST', 'calendars', { name: 'CALENDAR' }, 409, 'ErrorFolderExists'],
    ['a color that there is not', 'POST', 'calendars', { name: 'x', color: 'pink' }, 400, 'RequestBodyRead'],
    ['the deletion of the default calendar', 'DELETE', 'calendar', undefined, 400, 'ErrorDeleteDistinguishedFolder'],
    ['a group whose name is taken', 'POST', 'calendarGroups', { name: 'My calendars' }, 409, 'ErrorFolderExists'],
    ['a calendar that there is not', 'GET', 'calendars/nonsense', undefined, 400, 'ErrorInvalidIdMalformed'],
    ['a permission without an address', 'POST', PERMISSIONS, { role: 'read' }, 400, 'RequestBodyRead'],
    [
      'a role that there is not',
      'POST',
      PERMISSIONS,
      { role: 'king', emailAddress: { address: LIN } },
      400,
      'RequestBodyRead',
    ],
    [
      'a writer from outside',
      'POST',
      PERMISSIONS,
      { role: 'write', emailAddress: { address: 'a@b.example' } },
      400,
      'ErrorInvalidRequest',
    ],
    [
      'a custom role',
      'POST',
      PERMISSIONS,
      { role: 'custom', emailAddress: { address: LIN } },
      400,
      'ErrorInvalidRequest',
    ],
    [
      'a permission for oneself',
      'POST',
      PERMISSIONS,
      { role: 'read', emailAddress: { address: 'admin@vendor.example' } },
      400,
      'ErrorInvalidRequest',
    ],
  ])('%s', async (_, method, path, body, status, code) => {
    const answer = await bench.call(method, `/v1.0/me/${path}`, { ...(body && { body }) });
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });

  it('the permission of the organization stays, and the group that every mailbox has', async () => {
    const [{ id }] = (await bench.call('GET', `/v1.0/me/${PERMISSIONS}`)).body.value;
    expect((await bench.call('DELETE', `/v1.0/me/${PERMISSIONS}/${id}`)).body.error.code).toBe('ErrorInvalidRequest');
    const [group] = (await bench.call('GET', '/v1.0/me/calendarGroups')).body.value;
    const deleted = await bench.call('DELETE', `/v1.0/me/calendarGroups/${group.id}`);
    expect(deleted.body.error.code).toBe('ErrorDeleteDistinguishedFolder');
  });
});

onAnyStore('a calendar that another has shared', (bench) => {
  const OWNER = '/beta/users/admin@vendor.example';
  let open: string;
  let secret: string;
  let elsewhere: string;

  beforeEach(async () => {
    await bench.jar.reset();
    const post = async (path: string, body: object) => (await bench.call('POST', `${ME}/${path}`, { body })).body.id;
    const event = { ...HOUR, body: { content: 'Details' }, location: { displayName: 'Room 1' }, attendees: [] };
    open = await post('events', { ...event, subject: 'Open' });
    secret = await post('events', { ...event, subject: 'Secret', sensitivity: 'private' });
    const other = await post('calendars', { name: 'Other' });
    elsewhere = await post(`calendars/${other}/events`, { ...event, subject: 'Elsewhere' });
  });

  const share = (role: string) =>
    bench.call('POST', `${ME}/calendar/calendarPermissions`, { body: { role, emailAddress: { address: LIN } } });
  const as = async (scope: string) => {
    const token = await bench.jar.token({ user: 'licensed', scope });
    return (method: string, path: string, body?: object) =>
      bench.call(method, `${OWNER}/${path}`, { token, ...(body && { body }) });
  };

  describe('roles', () => {
    it.each<[role: string, read: number, write: number, subject: string | undefined]>([
      ['freeBusyRead', 403, 403, undefined],
      ['limitedRead', 200, 403, 'Private Appointment'],
      ['read', 200, 403, 'Private Appointment'],
      ['write', 200, 200, 'Private Appointment'],
      ['delegateWithoutPrivateEventAccess', 200, 200, 'Private Appointment'],
      ['delegateWithPrivateEventAccess', 200, 200, 'Secret'],
    ])('%s', async (role, read, write, subject) => {
      await share(role);
      const lin = await as('Calendars.ReadWrite.Shared');
      const seen = await lin('GET', `events/${open}`);
      expect(seen.status).toBe(read);
      if (read === 200) {
        expect(seen.body).toMatchObject({ subject: 'Open', bodyPreview: role === 'limitedRead' ? '' : 'Details' });
        const hidden = (await lin('GET', `events/${secret}`)).body;
        expect([hidden.subject, hidden.location.displayName]).toEqual([subject, subject === 'Secret' ? 'Room 1' : '']);
        expect((await lin('GET', 'calendar')).body).toMatchObject({
          isSharedWithMe: true,
          canShare: false,
          canEdit: write === 200,
        });
        const listed = (await lin('GET', 'events')).body.value;
        expect(listed.map((each: { subject: string }) => each.subject).sort()).toEqual(['Open', subject].sort());
        expect((await lin('GET', 'calendars')).body.value).toHaveLength(1);
        expect((await lin('GET', `events/${elsewhere}`)).status).toBe(404);
        const window = 'startDateTime=2026-05-04&endDateTime=2026-05-05';
        expect((await lin('GET', `calendar/calendarView?${window}`)).body.value).toHaveLength(2);
      }
      expect((await lin('PATCH', `events/${open}`, { subject: 'Changed' })).status).toBe(write);
      const inOwners = await lin('POST', 'calendar/events', HOUR);
      expect(inOwners.status).toBe(write === 200 ? 201 : 403);
      if (write === 200) expect(inOwners.body.organizer.emailAddress.address).toBe('admin@vendor.example');
      const isTrusted = role === 'delegateWithPrivateEventAccess';
      expect((await lin('PATCH', `events/${secret}`, { subject: 'x' })).status).toBe(isTrusted ? 200 : 403);
    });
  });

  it("needs a permission for shared calendars in the token, and the owner's other data stays private", async () => {
    await share('delegateWithPrivateEventAccess');
    const plain = await as('Calendars.ReadWrite');
    expect((await plain('GET', `events/${open}`)).body.error.code).toBe('ErrorAccessDenied');
    const reader = await as('Calendars.Read.Shared');
    expect((await reader('GET', `events/${open}`)).status).toBe(200);
    expect((await reader('PATCH', `events/${open}`, { subject: 'x' })).status).toBe(403);
    const writer = await as('Calendars.ReadWrite.Shared');
    for (const [method, path, body] of [
      ['POST', 'calendars', { name: 'Mine' }],
      ['DELETE', 'calendar', undefined],
      ['GET', 'calendar/calendarPermissions', undefined],
      ['GET', 'calendarGroups', undefined],
      ['GET', `events/${open}/extensions`, undefined],
      ['POST', `events/${open}/attachments/createUploadSession`, {}],
      ['GET', "reminderView(startDateTime='2026-05-04',endDateTime='2026-05-05')", undefined],
    ] as const)
      expect([path, [400, 403].includes((await writer(method, path, body)).status)]).toEqual([path, true]);
    expect((await writer('GET', `events/${open}?$expand=extensions`)).status).toBe(400);
  });
});
