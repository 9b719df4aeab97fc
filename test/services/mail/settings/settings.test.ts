import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

onBothStores('settings of a mailbox', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  it('are those of a new mailbox at first, as a whole and one by one', async () => {
    const archive = await client.api('/me/mailFolders/archive').get();
    const all = await client.api('/me/mailboxSettings').get();
    expect(all).toMatchObject({
      archiveFolder: archive.id,
      timeZone: 'UTC',
      delegateMeetingMessageDeliveryOptions: 'sendToDelegateOnly',
      dateFormat: 'M/d/yyyy',
      timeFormat: 'h:mm tt',
      userPurpose: 'user',
      language: { locale: 'en-US', displayName: 'English (United States)' },
      workingHours: {
        daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        startTime: '08:00:00.0000000',
        endTime: '17:00:00.0000000',
        timeZone: { name: 'UTC' },
      },
      automaticRepliesSetting: { status: 'disabled', externalAudience: 'all' },
    });
    expect(all['@odata.context']).toMatch(/#users\('[0-9a-f-]{36}'\)\/mailboxSettings$/);
    const zone = await client.api('/me/mailboxSettings/timeZone').get();
    expect(zone).toEqual({ '@odata.context': expect.stringMatching(/\/mailboxSettings\/timeZone$/), value: 'UTC' });
    expect(await client.api('/me/mailboxSettings/Language').get()).toMatchObject({ locale: 'en-US' });
    const some = await client.api('/me/mailboxSettings').select('timeZone,userPurpose').get();
    expect(some).toEqual({ '@odata.context': expect.any(String), timeZone: 'UTC', userPurpose: 'user' });
  });

  it('are changed one by one, and the answer has what was changed', async () => {
    const changed = await client.api('/me/mailboxSettings').patch({
      timeZone: 'America/Los_Angeles',
      language: { locale: 'de-DE' },
      dateFormat: 'dd.MM.yyyy',
    });
    expect(changed).toEqual({
      '@odata.context': expect.any(String),
      timeZone: 'Pacific Standard Time',
      language: { locale: 'de-DE', displayName: 'German (Germany)' },
      dateFormat: 'dd.MM.yyyy',
    });
    expect(await client.api('/me/mailboxSettings').get()).toMatchObject({ ...changed, timeFormat: 'h:mm tt' });
    await client
      .api('/me/mailboxSettings')
      .patch({ workingHours: { endTime: '18:30', daysOfWeek: ['Monday', 'SUNDAY'] } });
    expect(await client.api('/me/mailboxSettings/workingHours').get()).toMatchObject({
      daysOfWeek: ['monday', 'sunday'],
      startTime: '08:00:00.0000000',
      endTime: '18:30:00.0000000',
      timeZone: { name: 'UTC' },
    });
  });

  it('automatic replies are scheduled in any zone and shown in UTC', async () => {
    const tomorrow = new Date(bench.jar.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    const later = new Date(bench.jar.clock.now().getTime() + 9 * 86_400_000).toISOString().slice(0, 10);
    const { automaticRepliesSetting } = await client.api('/me/mailboxSettings').patch({
      automaticRepliesSetting: {
        status: 'Scheduled',
        scheduledStartDateTime: { dateTime: `${tomorrow}T18:00:00.0000000`, timeZone: 'UTC' },
        scheduledEndDateTime: { dateTime: `${later}T18:00:00`, timeZone: 'Tokyo Standard Time' },
        internalReplyMessage: '<p>Away</p>',
      },
    });
    expect(automaticRepliesSetting).toMatchObject({
      status: 'scheduled',
      externalAudience: 'all',
      scheduledStartDateTime: { dateTime: `${tomorrow}T18:00:00.0000000`, timeZone: 'UTC' },
      scheduledEndDateTime: { dateTime: `${later}T09:00:00.0000000`, timeZone: 'UTC' },
      internalReplyMessage: '<p>Away</p>',
    });
    await client.api('/me/mailboxSettings').patch({ automaticRepliesSetting: { status: 'disabled' } });
    expect(await client.api('/me/mailboxSettings/automaticRepliesSetting').get()).toMatchObject({
      status: 'disabled',
      internalReplyMessage: '<p>Away</p>',
    });
  });

  it('working hours can have a zone without a name', async () => {
    const custom = {
      '@odata.type': '#microsoft.graph.customTimeZone',
      bias: -300,
      name: 'Customized Time Zone',
      standardOffset: { time: '02:00:00.0000000', dayOccurrence: 2, dayOfWeek: 'Sunday', month: 10, year: 0 },
      daylightOffset: {
        daylightBias: 100,
        time: '02:00:00.0000000',
        dayOccurrence: 4,
        dayOfWeek: 'Sunday',
        month: 5,
        year: 0,
      },
    };
    const { workingHours } = await client.api('/me/mailboxSettings').patch({ workingHours: { timeZone: custom } });
    expect(workingHours.timeZone).toEqual({
      ...custom,
      standardOffset: { ...custom.standardOffset, dayOfWeek: 'sunday' },
      daylightOffset: { ...custom.daylightOffset, dayOfWeek: 'sunday' },
    });
    const back = await client
      .api('/me/mailboxSettings')
      .patch({ workingHours: { timeZone: { name: 'Europe/Berlin' } } });
    expect(back.workingHours.timeZone).toEqual({ name: 'W. Europe Standard Time' });
  });
});

onAnyStore('what is refused of settings', (bench) => {
  beforeEach(() => bench.jar.reset());
  const patch = (body: unknown) => bench.call('PATCH', '/v1.0/me/mailboxSettings', { body });
  const range = (start: string, end: string) => ({
    automaticRepliesSetting: {
      status: 'scheduled',
      scheduledStartDateTime: { dateTime: start, timeZone: 'UTC' },
      scheduledEndDateTime: { dateTime: end, timeZone: 'UTC' },
    },
  });

  it.each([
    [{ workingHours: { startTime: '08' } }, 'RequestBodyRead'],
    [{ workingHours: { startTime: '24:00:00' } }, 'RequestBodyRead'],
    [{ workingHours: { endTime: 8 } }, 'RequestBodyRead'],
    [{ workingHours: { startTime: '18:00:00', endTime: '09:00:00' } }, 'ErrorInvalidTimeSettings'],
    [{ workingHours: { startTime: '17:30' } }, 'ErrorInvalidTimeSettings'],
    [{ workingHours: { daysOfWeek: ['RandomDay'] } }, 'InvalidArguments'],
    [{ workingHours: { timeZone: { name: 'Nowhere' } } }, 'InvalidTimeZone'],
    [{ workingHours: { timeZone: {} } }, 'RequestBodyRead'],
    [{ workingHours: { timeZone: { '@odata.type': '#microsoft.graph.customTimeZone' } } }, 'RequestBodyRead'],
    [{ timeZone: 'Middle Earth Standard Time' }, 'InvalidTimeZone'],
    [{ timeZone: null }, 'RequestBodyRead'],
    [{ language: { locale: 'no locale' } }, 'RequestBodyRead'],
    [{ dateFormat: '' }, 'RequestBodyRead'],
    [{ delegateMeetingMessageDeliveryOptions: 'sendToNobody' }, 'RequestBodyRead'],
    [{ userPurpose: 'room' }, 'ErrorInvalidPropertySet'],
    [{ archiveFolder: 'inbox' }, 'ErrorInvalidPropertySet'],
    [{ color: 'red' }, 'RequestBodyRead'],
    [{ automaticRepliesSetting: { status: 'sometimes' } }, 'RequestBodyRead'],
    [{ automaticRepliesSetting: { status: 'scheduled' } }, 'ErrorInvalidTimeSettings'],
    [range('2000-01-01T00:00:00', '2000-01-02T00:00:00'), 'ErrorInvalidTimeSettings'],
    [range('2999-01-02T00:00:00', '2999-01-01T00:00:00'), 'ErrorInvalidTimeSettings'],
    [range('2999-01-32T00:00:00', '2999-02-01T00:00:00'), 'RequestBodyRead'],
  ])('%j', async (body, code) => {
    const before = (await bench.call('GET', '/v1.0/me/mailboxSettings')).body;
    expect(await patch({ dateFormat: 'yyyy', ...body })).toMatchObject({ status: 400, body: { error: { code } } });
    expect((await bench.call('GET', '/v1.0/me/mailboxSettings')).body).toEqual(before);
  });

  it('may be sent back as they were shown', async () => {
    const { body } = await bench.call('GET', '/v1.0/me/mailboxSettings');
    expect((await patch(body)).body).toEqual(body);
  });

  it('an unknown setting is an unknown path, and $select rejects it', async () => {
    expect((await bench.call('GET', '/v1.0/me/mailboxSettings/color')).status).toBe(400);
    expect((await bench.call('GET', '/v1.0/me/mailboxSettings?$select=color')).body.error.code).toBe(
      'RequestBroker--ParseUri',
    );
  });

  it('of another mailbox are for an application with the permission', async () => {
    const path = '/v1.0/users/licensed@vendor.example/mailboxSettings';
    expect((await bench.call('GET', path)).status).toBe(403);
    const application = (roles?: string) => bench.jar.token({ user: 'app', ...(roles && { claims: { roles } }) });
    expect((await bench.call('GET', path, { token: await application() })).status).toBe(200);
    expect((await bench.call('PATCH', path, { token: await application(), body: { timeZone: 'UTC' } })).status).toBe(
      200,
    );
  });
});
