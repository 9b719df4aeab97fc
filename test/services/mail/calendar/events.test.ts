import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';

const EVENTS = '/v1.0/me/events';
const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const HOUR = { start: at('2026-05-04T10:00:00'), end: at('2026-05-04T11:00:00') };

onBothStores('events of a calendar', (bench) => {
  beforeEach(() => bench.jar.reset());

  const post = (body: object, path = EVENTS) => bench.call('POST', path, { body });
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await bench.call('GET', path, { headers })).body;
  const subjects = async (query: string) =>
    (await get(`${EVENTS}?$select=subject&${query}`)).value.map(({ subject }: { subject: string }) => subject);

  it('an event that says nothing but its time has the defaults of the API', async () => {
    const { status, body, headers } = await post(HOUR);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      allowNewTimeProposals: true,
      attendees: [],
      body: { contentType: 'html', content: '' },
      bodyPreview: '',
      categories: [],
      end: { dateTime: '2026-05-04T11:00:00.0000000', timeZone: 'UTC' },
      hasAttachments: false,
      hideAttendees: false,
      importance: 'normal',
      isAllDay: false,
      isCancelled: false,
      isDraft: false,
      isOnlineMeeting: false,
      isOrganizer: true,
      isReminderOn: true,
      location: { displayName: '', locationType: 'default', uniqueIdType: 'unknown', address: {}, coordinates: {} },
      locations: [],
      onlineMeeting: null,
      onlineMeetingProvider: 'unknown',
      onlineMeetingUrl: null,
      organizer: { emailAddress: { name: 'Ada Admin', address: 'admin@vendor.example' } },
      originalEndTimeZone: 'UTC',
      originalStartTimeZone: 'UTC',
      recurrence: null,
      reminderMinutesBeforeStart: 15,
      responseRequested: true,
      responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
      sensitivity: 'normal',
      seriesMasterId: null,
      showAs: 'busy',
      start: { dateTime: '2026-05-04T10:00:00.0000000', timeZone: 'UTC' },
      subject: '',
      transactionId: null,
      type: 'singleInstance',
    });
    expect(body).not.toHaveProperty('originalStart');
    expect(body).not.toHaveProperty('uid');
    expect(body.iCalUId).toMatch(/^040000008200E00074C5B7101A82E00800000000[0-9A-F]{72}$/);
    expect(body['@odata.etag']).toBe(`W/"${body.changeKey}"`);
    expect(body.webLink).toBe(
      `${bench.jar.url}/owa/?itemid=${encodeURIComponent(body.id)}&exvsurl=1&path=/calendar/item`,
    );
    expect(body.createdDateTime).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7}Z$/);
    expect(body['@odata.context']).toMatch(/\/v1\.0\/\$metadata#users\('[0-9a-f-]{36}'\)\/events\/\$entity$/);
    expect(body['calendar@odata.navigationLink']).toMatch(/\/calendars\('[\w-]+'\)$/);
    expect(headers.get('location')).toContain(`/events('${body.id}')`);
    expect(await get(`/beta/me/events/${body.id}`)).toMatchObject({ uid: body.iCalUId, occurrenceId: null });
  });

  it('an event keeps every property that can be written', async () => {
    const sent = {
      Subject: 'Review',
      body: { contentType: 'HTML', content: '<p>All <b>figures</b></p>' },
      start: at('2026-05-04T09:00:00', 'Pacific Standard Time'),
      end: at('2026-05-04T10:00:00', 'America/Los_Angeles'),
      importance: 'High',
      sensitivity: 'private',
      showAs: 'workingElsewhere',
      categories: ['Red', 'Blue', 'Red'],
      isReminderOn: false,
      reminderMinutesBeforeStart: 99,
      responseRequested: false,
      allowNewTimeProposals: false,
      hideAttendees: true,
      location: { displayName: 'Room 1', locationType: 'conferenceRoom', address: { city: 'Oslo' } },
      isDraft: true,
      organizer: { emailAddress: { address: 'somebody@else.example' } },
      transactionId: 'once',
    };
    const { body } = await post(sent);
    expect(body).toMatchObject({
      subject: 'Review',
      bodyPreview: 'All figures',
      importance: 'high',
      sensitivity: 'private',
      showAs: 'workingElsewhere',
      categories: ['Red', 'Blue'],
      isReminderOn: false,
      reminderMinutesBeforeStart: 99,
      responseRequested: false,
      allowNewTimeProposals: false,
      hideAttendees: true,
      location: { displayName: 'Room 1', locationType: 'conferenceRoom', address: { city: 'Oslo' } },
      locations: [{ displayName: 'Room 1' }],
      originalStartTimeZone: 'Pacific Standard Time',
      originalEndTimeZone: 'America/Los_Angeles',
      start: { dateTime: '2026-05-04T16:00:00.0000000', timeZone: 'UTC' },
      isDraft: false,
      organizer: { emailAddress: { address: 'admin@vendor.example' } },
      transactionId: 'once',
    });
    expect(body.body.content).toMatch(/^<html><head>[\s\S]*<body>[\s\S]*<p>All <b>figures<\/b><\/p>[\s\S]*<\/html>/);
    const changed = await bench.call('PATCH', `${EVENTS}/${body.id}`, {
      body: { locations: [{ displayName: 'Room 1' }, { displayName: 'Room 2' }], importance: 'low', showAs: 'oof' },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        location: { displayName: 'Room 1; Room 2', uniqueIdType: 'private' },
        importance: 'low',
        showAs: 'oof',
        subject: 'Review',
      },
    });
    const pacific = await get(`${EVENTS}/${body.id}`, {
      prefer: 'outlook.timezone="Pacific Standard Time", outlook.body-content-type="text"',
    });
    expect(pacific).toMatchObject({
      start: { dateTime: '2026-05-04T09:00:00.0000000', timeZone: 'Pacific Standard Time' },
      body: { contentType: 'text' },
    });
    const immutable = await get(`${EVENTS}/${body.id}`, { prefer: 'IdType="ImmutableId"' });
    expect(immutable.id).not.toBe(body.id);
    expect((await get(`${EVENTS}/${immutable.id}`)).id).toBe(body.id);
  });

  it('lists are filtered, ordered, selected, counted and paged', async () => {
    await post({ ...HOUR, subject: 'Alpha', categories: ['Red'], isAllDay: false });
    await post({
      subject: 'beta',
      start: at('2026-05-05T00:00:00', 'Europe/Berlin'),
      end: at('2026-05-06T00:00:00', 'Europe/Berlin'),
      isAllDay: true,
      sensitivity: 'private',
    });
    await post({
      subject: 'Gamma',
      start: at('2026-05-06T09:00:00', 'Europe/Berlin'),
      end: at('2026-05-06T09:30:00', 'Europe/Berlin'),
      recurrence: { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate: '2026-05-06' } },
    });
    const gamma = (await get(`${EVENTS}?$filter=subject eq 'gamma'`)).value[0];
    expect(await subjects("$filter=start/dateTime ge '2026-05-06T07:00'")).toEqual(['Gamma']);
    expect(await subjects("$filter=start/dateTime lt '2026-05-05'")).toEqual(['Alpha']);
    expect(await subjects("$filter=end/dateTime le '2026-05-06T00:00:00Z'")).toEqual(['Alpha', 'beta']);
    expect(await subjects("$filter=type eq 'seriesMaster'")).toEqual(['Gamma']);
    expect(await subjects("$filter=startswith(subject,'AL') or contains(subject,'et')")).toEqual(['Alpha', 'beta']);
    expect(await subjects("$filter=categories/any(c:c eq 'Red')")).toEqual(['Alpha']);
    expect(await subjects('$filter=isAllDay eq true and isCancelled eq false')).toEqual(['beta']);
    expect(await subjects("$filter=sensitivity eq 'private'")).toEqual(['beta']);
    expect(await subjects("$filter=organizer/emailAddress/address eq 'Admin@vendor.example'&$top=2")).toHaveLength(2);
    expect(await subjects(`$filter=iCalUId eq '${gamma.iCalUId}'`)).toEqual(['Gamma']);
    expect(await subjects('$filter=lastModifiedDateTime ge 2020-01-01T00:00:00Z&$orderby=subject desc')).toEqual([
      'Gamma',
      'beta',
      'Alpha',
    ]);
    expect(await subjects('$orderby=start/dateTime desc')).toEqual(['Gamma', 'beta', 'Alpha']);
    const page = await get(`${EVENTS}?$top=2&$count=true&$select=subject`);
    expect(page['@odata.count']).toBe(3);
    expect(page['@odata.context']).toMatch(/events\(subject\)$/);
    expect(page['@odata.nextLink']).toContain('$skip=2');
    expect((await get(page['@odata.nextLink'])).value).toMatchObject([{ subject: 'Gamma' }]);
    expect((await bench.call('GET', `${EVENTS}/$count?$filter=isAllDay eq false`)).text).toBe('2');
    const expanded = await get(`${EVENTS}?$expand=calendar($select=name)&$top=1`);
    expect(expanded.value[0].calendar).toMatchObject({ name: 'Calendar' });
    for (const bad of ["recurrence eq 'x'", "attendees/any(a:a/type eq 'required')", "transactionId eq 'x'"])
      expect(await bench.call('GET', `${EVENTS}?$filter=${encodeURIComponent(bad)}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'ErrorInvalidUrlQueryFilter' } },
      });
    for (const path of [EVENTS, '/v1.0/me/calendar/events'])
      expect(await bench.call('GET', `${path}?$search="x"`)).toMatchObject({
        status: 400,
        body: { error: { code: 'SearchEvents' } },
      });
  });

  it('a request with an outdated etag changes nothing', async () => {
    const { body } = await post({ ...HOUR, subject: 'Before' });
    const headers = { 'if-match': 'W/"AAAA"' };
    for (const method of ['PATCH', 'DELETE'])
      expect(
        await bench.call(method, `${EVENTS}/${body.id}`, {
          headers,
          ...(method === 'PATCH' && { body: { subject: 'After' } }),
        }),
      ).toMatchObject({ status: 412, body: { error: { code: 'ErrorIrresolvableConflict' } } });
    expect(await get(`${EVENTS}/${body.id}`)).toMatchObject({ subject: 'Before' });
    const changed = await bench.call('PATCH', `${EVENTS}/${body.id}`, {
      headers: { 'if-match': body['@odata.etag'] },
      body: { subject: 'After' },
    });
    expect(changed.body.changeKey).not.toBe(body.changeKey);
  });
});

onAnyStore('what an event may be', (bench) => {
  beforeEach(() => bench.jar.reset());

  const PACIFIC = 'Pacific Standard Time';
  const DAILY = { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate: '2026-05-04' } };
  const failure = 'ErrorPropertyValidationFailure';

  describe('refusals', () => {
    it.each<[string, object, string]>([
      ['no start', { end: HOUR.end }, 'RequestBodyRead'],
      ['no end', { start: HOUR.start }, 'RequestBodyRead'],
      [
        'an unknown zone',
        { ...HOUR, start: at('2026-05-04T10:00:00', 'Nowhere/Land') },
        'TimeZoneNotSupportedException',
      ],
      [
        'an offset as a zone',
        { ...HOUR, start: at('2026-05-04T10:00:00', 'GMT+6:30') },
        'TimeZoneNotSupportedException',
      ],
      ['an end before the start', { ...HOUR, end: at('2026-05-04T09:59:59') }, failure],
      ['no date', { ...HOUR, start: at('soon') }, 'RequestBodyRead'],
      ['an all-day event that does not start at midnight', { ...HOUR, isAllDay: true }, failure],
      [
        'an all-day event of less than a day',
        { start: at('2026-05-04T00:00:00'), end: at('2026-05-04T00:00:00'), isAllDay: true },
        failure,
      ],
      [
        'an all-day event in two zones',
        { start: at('2026-05-04T00:00:00'), end: at('2026-05-05T00:00:00', PACIFIC), isAllDay: true },
        failure,
      ],
      ['a subject of 256 characters', { ...HOUR, subject: 'x'.repeat(256) }, 'RequestBodyRead'],
      ['a property that there is not', { ...HOUR, colour: 'red' }, 'RequestBodyRead'],
      ['an attendee without an address', { ...HOUR, attendees: [{ type: 'required' }] }, 'RequestBodyRead'],
      [
        'a line break in a name',
        { ...HOUR, attendees: [{ emailAddress: { address: 'a@b.example', name: 'A\r\nBcc: x@y.example' } }] },
        'RequestBodyRead',
      ],
      [
        '501 attendees',
        {
          ...HOUR,
          attendees: Array.from({ length: 501 }, (_, n) => ({ emailAddress: { address: `n${n}@b.example` } })),
        },
        'ErrorExceededMaxRecipientLimit',
      ],
      ['a recurrence without a range', { ...HOUR, recurrence: { pattern: DAILY.pattern } }, 'ErrorInvalidRequest'],
      [
        'a recurrence that starts on another day',
        { ...HOUR, recurrence: { ...DAILY, range: { type: 'noEnd', startDate: '2026-05-05' } } },
        failure,
      ],
      [
        'occurrences that are longer than the time between them',
        { start: at('2026-05-04T10:00:00'), end: at('2026-05-05T10:00:01'), recurrence: DAILY },
        'ErrorOccurrenceTimeSpanTooBig',
      ],
    ])('%s is refused', async (_, body, code) => {
      const { status, body: answer } = await bench.call('POST', EVENTS, { body });
      expect([status, answer.error?.code]).toEqual([400, code]);
      expect((await bench.call('GET', EVENTS)).body.value).toEqual([]);
    });
  });

  describe('times', () => {
    it.each<[string, object, string, string]>([
      [
        'without a zone they are in UTC',
        { start: { dateTime: '2026-05-04T10:00:00' }, end: { dateTime: '2026-05-04T11:00:00' } },
        '2026-05-04T10:00',
        '2026-05-04T11:00',
      ],
      [
        'an offset wins over the zone',
        { start: at('2026-05-04T10:00:00+02:00', PACIFIC), end: at('2026-05-04T11:00:00Z', PACIFIC) },
        '2026-05-04T08:00',
        '2026-05-04T11:00',
      ],
      ['an event may last no time', { start: HOUR.start, end: HOUR.start }, '2026-05-04T10:00', '2026-05-04T10:00'],
      [
        'a time that the clocks skip has the offset of before',
        { start: at('2026-03-29T02:30:00', 'Europe/Berlin'), end: at('2026-03-29T04:00:00', 'Europe/Berlin') },
        '2026-03-29T01:30',
        '2026-03-29T02:00',
      ],
      [
        'of a time that comes twice it is the first',
        { start: at('2026-10-25T02:30:00', 'Europe/Berlin'), end: at('2026-10-25T04:00:00', 'Europe/Berlin') },
        '2026-10-25T00:30',
        '2026-10-25T03:00',
      ],
      [
        'days of all-day events stay the same days',
        { start: at('2026-05-04T00:00:00', PACIFIC), end: at('2026-05-05T00:00:00', PACIFIC), isAllDay: true },
        '2026-05-04T00:00',
        '2026-05-05T00:00',
      ],
    ])('%s', async (_, body, start, end) => {
      const created = await bench.call('POST', EVENTS, { body });
      expect(created.status).toBe(201);
      expect([created.body.start.dateTime.slice(0, 16), created.body.end.dateTime.slice(0, 16)]).toEqual([start, end]);
    });

    it('days of all-day events are not shifted into the zone that the client prefers', async () => {
      const body = { start: at('2026-05-04T00:00:00'), end: at('2026-05-05T00:00:00'), isAllDay: true };
      const { id } = (await bench.call('POST', EVENTS, { body })).body;
      const shown = await bench.call('GET', `${EVENTS}/${id}`, {
        headers: { prefer: `outlook.timezone="${PACIFIC}"` },
      });
      expect(shown.body.start).toEqual({ dateTime: '2026-05-04T00:00:00.0000000', timeZone: PACIFIC });
    });

    it('an event becomes an all-day event together with its times only', async () => {
      const { id } = (await bench.call('POST', EVENTS, { body: HOUR })).body;
      const path = `${EVENTS}/${id}`;
      expect(await bench.call('PATCH', path, { body: { isAllDay: true } })).toMatchObject({
        status: 400,
        body: { error: { code: failure } },
      });
      const days = { isAllDay: true, start: at('2026-05-04T00:00:00'), end: at('2026-05-06T00:00:00') };
      expect(await bench.call('PATCH', path, { body: days })).toMatchObject({ status: 200, body: { isAllDay: true } });
    });
  });

  describe('identity', () => {
    it('the same transactionId creates one event, for each application', async () => {
      const body = { ...HOUR, subject: 'Once', transactionId: 'key-1' };
      const first = await bench.call('POST', EVENTS, { body });
      const again = await bench.call('POST', EVENTS, { body: { ...body, subject: 'Twice' } });
      expect([again.status, again.body.id, again.body.subject]).toEqual([201, first.body.id, 'Once']);
      const other = (await bench.call('POST', '/v1.0/me/calendars', { body: { name: 'Other' } })).body;
      expect(await bench.call('POST', `/v1.0/me/calendars/${other.id}/events`, { body })).toMatchObject({
        status: 409,
        body: { error: { code: 'ErrorDuplicateTransactionId' } },
      });
      const path = `${EVENTS}/${first.body.id}`;
      expect((await bench.call('PATCH', path, { body: { transactionId: 'key-1' } })).status).toBe(200);
      expect((await bench.call('PATCH', path, { body: { transactionId: 'key-2' } })).body.error.code).toBe(
        'ErrorInvalidRequest',
      );
      await bench.call('DELETE', path);
      expect((await bench.call('POST', EVENTS, { body })).body.id).not.toBe(first.body.id);
    });

    it('occurrences have UIDs of their own by their date, and share that of their series', async () => {
      const master = (await bench.call('POST', '/beta/me/events', { body: { ...HOUR, recurrence: DAILY } })).body;
      const window = 'startDateTime=2026-05-05T00:00:00Z&endDateTime=2026-05-06T00:00:00Z';
      const [occurrence] = (await bench.call('GET', `/beta/me/events/${master.id}/instances?${window}`)).body.value;
      expect(occurrence.uid).toBe(master.uid);
      expect(occurrence.iCalUId).toBe(`${master.uid.slice(0, 32)}07EA0505${master.uid.slice(40)}`);
      expect(occurrence).toMatchObject({
        type: 'occurrence',
        seriesMasterId: master.id,
        recurrence: null,
        originalStart: '2026-05-05T10:00:00Z',
        occurrenceId: `OID.${master.id}.2026-05-05`,
      });
      for (const key of [occurrence.id, occurrence.occurrenceId])
        expect((await bench.call('GET', `/beta/me/events/${key}`)).body.id).toBe(occurrence.id);
      expect((await bench.call('GET', `/v1.0/me/events/${occurrence.occurrenceId}`)).body.error.code).toBe(
        'ErrorInvalidIdMalformed',
      );
      expect((await bench.call('GET', `/beta/me/events/OID.${master.id}.2026-05-03`)).status).toBe(404);
    });

    it('an online meeting has an address to join, stays online and keeps its provider', async () => {
      const body = { ...HOUR, isOnlineMeeting: true, body: { contentType: 'text', content: 'Hello' } };
      const made = (await bench.call('POST', EVENTS, { body })).body;
      expect(made).toMatchObject({ isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' });
      expect(made.onlineMeeting.joinUrl).toContain('://');
      expect(made.onlineMeeting.conferenceId).toMatch(/^\d{9}$/);
      expect(made.body.content).toContain(made.onlineMeeting.joinUrl);
      const off = { isOnlineMeeting: false, onlineMeetingProvider: 'skypeForBusiness' };
      const changed = (await bench.call('PATCH', `${EVENTS}/${made.id}`, { body: off })).body;
      expect(changed).toMatchObject({ isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' });
      expect(changed.onlineMeeting).toEqual(made.onlineMeeting);
    });

    it('files can be sent with an event', async () => {
      const file = {
        '@odata.type': '#microsoft.graph.fileAttachment',
        name: 'agenda.txt',
        contentBytes: Buffer.from('1. Welcome').toString('base64'),
      };
      const made = (await bench.call('POST', EVENTS, { body: { ...HOUR, attachments: [file] } })).body;
      expect(made.hasAttachments).toBe(true);
      const shown = (await bench.call('GET', `${EVENTS}/${made.id}?$expand=attachments`)).body;
      expect(shown.attachments).toMatchObject([{ name: 'agenda.txt', contentBytes: file.contentBytes }]);
    });
  });

  it('a basic permission shows no content, and ids of others are not found', async () => {
    const { id } = (await bench.call('POST', EVENTS, { body: { ...HOUR, body: { content: 'Secret' } } })).body;
    const token = await bench.jar.token({ scope: 'Calendars.ReadBasic' });
    const shown = (await bench.call('GET', `${EVENTS}/${id}`, { token })).body;
    expect(shown).toHaveProperty('subject');
    expect(shown).not.toHaveProperty('body');
    expect(shown).not.toHaveProperty('bodyPreview');
    expect((await bench.call('DELETE', `${EVENTS}/${id}`, { token })).body.error.code).toBe('ErrorAccessDenied');
    const other = await bench.jar.token({ user: 'licensed' });
    expect((await bench.call('GET', `${EVENTS}/${id}`, { token: other })).body.error.code).toBe('ErrorItemNotFound');
    expect((await bench.call('GET', `${EVENTS}/nonsense`)).body.error.code).toBe('ErrorInvalidIdMalformed');
  });
});
