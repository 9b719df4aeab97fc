import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const ADA = 'admin@vendor.example';
const LIN = 'licensed@vendor.example';

onAnyStore('schedules', (bench) => {
  let lin: string;

  beforeEach(async () => {
    await bench.jar.reset();
    lin = await bench.jar.token({ user: 'licensed' });
  });

  const add = (hours: string, more: object = {}, token = lin) => {
    const [from, to] = hours.split('-');
    return bench.call('POST', '/v1.0/me/events', {
      token,
      body: { start: at(`2026-05-04T${from}:00`), end: at(`2026-05-04T${to}:00`), ...more },
    });
  };
  const getSchedule = (body: object) => bench.call('POST', '/v1.0/me/calendar/getSchedule', { body });
  const MORNING = { startTime: at('2026-05-04T08:00:00'), endTime: at('2026-05-04T12:00:00') };

  it('has a digit for every interval, of which the highest counts', async () => {
    await add('08:30-09:00', { showAs: 'tentative' });
    await add('09:00-10:30');
    await add('10:00-10:15', { showAs: 'oof' });
    await add('10:30-11:00', { showAs: 'workingElsewhere' });
    await add('11:30-11:45', { showAs: 'free' });
    const { status, body } = await getSchedule({ schedules: [LIN], ...MORNING });
    expect(status).toBe(200);
    expect(body['@odata.context']).toMatch(/\$metadata#Collection\(microsoft\.graph\.scheduleInformation\)$/);
    expect(body.value).toMatchObject([
      {
        scheduleId: LIN,
        availabilityView: '01223000',
        workingHours: {
          daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
          startTime: '08:00:00.0000000',
          timeZone: { name: 'UTC' },
        },
      },
    ]);
    expect(body.value[0].scheduleItems).toHaveLength(5);
    const hours = await getSchedule({ schedules: [LIN], ...MORNING, availabilityViewInterval: 60 });
    expect(hours.body.value[0].availabilityView).toBe('1230');
  });

  it('shows as much as the role on the calendar allows, and only the time of private events', async () => {
    await add('09:00-10:00', { subject: 'Review', location: { displayName: 'Room 1' } });
    await add('10:00-11:00', { subject: 'Doctor', sensitivity: 'private' });
    const items = async () => (await getSchedule({ schedules: [LIN], ...MORNING })).body.value[0].scheduleItems;
    expect((await items())[0]).toEqual({
      status: 'busy',
      start: { dateTime: '2026-05-04T09:00:00.0000000', timeZone: 'UTC' },
      end: { dateTime: '2026-05-04T10:00:00.0000000', timeZone: 'UTC' },
    });
    const path = '/v1.0/me/calendar/calendarPermissions';
    await bench.call('POST', path, { token: lin, body: { role: 'read', emailAddress: { address: ADA } } });
    expect(await items()).toMatchObject([
      { subject: 'Review', location: 'Room 1', isPrivate: false },
      { isPrivate: true },
    ]);
    expect((await items())[1]).not.toHaveProperty('subject');
    const [{ id }] = (await bench.call('GET', path, { token: lin })).body.value;
    await bench.call('PATCH', `${path}/${id}`, { token: lin, body: { role: 'none' } });
    const dee = await bench.jar.token({ user: 'delegated-admin' });
    const answer = await bench.call('POST', '/v1.0/me/calendar/getSchedule', {
      token: dee,
      body: { schedules: [LIN], ...MORNING },
    });
    expect(answer.body.value[0].error.responseCode).toBe('ErrorNoFreeBusyAccess');
  });

  it('an unknown address is an error only in its own row', async () => {
    const { status, body } = await getSchedule({
      schedules: [ADA, 'nobody@vendor.example', 'other@other.example', 'admin'],
      ...MORNING,
    });
    expect(status).toBe(200);
    expect(body.value.map(({ error }: { error?: { responseCode: string } }) => error?.responseCode)).toEqual([
      undefined,
      ...Array.from({ length: 3 }, () => 'ErrorMailRecipientNotFound'),
    ]);
  });

  it.each<[string, object, string]>([
    ['no start', { startTime: undefined }, 'RequestBodyRead'],
    ['the end before the start', { endTime: MORNING.startTime }, 'ErrorInvalidParameter'],
    ['63 days', { endTime: at('2026-07-06T08:00:01') }, 'ErrorTimeIntervalTooBig'],
    ['an interval of 4 minutes', { availabilityViewInterval: 4 }, 'RequestBodyRead'],
    ['an interval of more than a day', { availabilityViewInterval: 1441 }, 'RequestBodyRead'],
    ['nobody', { schedules: [] }, 'ErrorInvalidParameter'],
    ['21 people', { schedules: Array.from({ length: 21 }, () => ADA) }, 'ErrorInvalidParameter'],
  ])('%s is refused', async (_, more, code) => {
    const { status, body } = await getSchedule({ schedules: [ADA], ...MORNING, ...more });
    expect([status, body.error?.code]).toEqual([400, code]);
  });

  describe('meeting times', () => {
    const invitee = (address: string) => ({ type: 'required', emailAddress: { address } });
    const DAY = { timeSlots: [{ start: at('2026-05-04T00:00:00'), end: at('2026-05-05T00:00:00') }] };
    const find = async (body: object) =>
      (await bench.call('POST', '/v1.0/me/findMeetingTimes', { body: { timeConstraint: DAY, ...body } })).body;
    const starts = (found: { meetingTimeSuggestions: { meetingTimeSlot: { start: { dateTime: string } } }[] }) =>
      found.meetingTimeSuggestions.map(({ meetingTimeSlot }) => meetingTimeSlot.start.dateTime.slice(11, 16));

    it('are times within working hours at which all attendees are free', async () => {
      await add('08:00-12:00');
      await add('12:00-16:00', {}, await bench.jar.token());
      const found = await find({ attendees: [invitee(LIN)], meetingDuration: 'PT1H', returnSuggestionReasons: true });
      expect(found['@odata.context']).toMatch(/#microsoft\.graph\.meetingTimeSuggestionsResult$/);
      expect(found).toMatchObject({
        emptySuggestionsReason: '',
        meetingTimeSuggestions: [
          {
            confidence: 100,
            order: 1,
            organizerAvailability: 'free',
            suggestionReason: expect.stringContaining('all attendees'),
            meetingTimeSlot: { start: at('2026-05-04T16:00:00.0000000'), end: at('2026-05-04T17:00:00.0000000') },
            attendeeAvailability: [
              { availability: 'free', attendee: { type: 'required', emailAddress: { address: LIN } } },
            ],
            locations: [],
          },
        ],
      });
    });

    it('weigh free as 100, unknown as 49 and busy as 0', async () => {
      await add('08:00-17:00');
      const people = [invitee(LIN), invitee('nobody@vendor.example')];
      const low = await find({ attendees: people, minimumAttendeePercentage: 20, maxCandidates: 1 });
      expect(low.meetingTimeSuggestions).toMatchObject([{ confidence: 24.5 }]);
      expect(await find({ attendees: people })).toMatchObject({
        emptySuggestionsReason: 'attendeesUnavailableOrUnknown',
        meetingTimeSuggestions: [],
      });
      expect((await find({ attendees: [invitee(LIN)] })).emptySuggestionsReason).toBe('attendeesUnavailable');
    });

    it('need the organizer, unless the organizer is optional', async () => {
      await add('00:00-23:59', {}, await bench.jar.token());
      expect((await find({ attendees: [invitee(LIN)] })).emptySuggestionsReason).toBe('organizerUnavailable');
      const without = await find({ attendees: [invitee(LIN)], isOrganizerOptional: true, maxCandidates: 2 });
      expect(starts(without)).toEqual(['08:00', '08:30']);
    });

    it('are on working days unless the domain says otherwise', async () => {
      const weekend = { timeSlots: [{ start: at('2026-05-09T00:00:00'), end: at('2026-05-10T00:00:00') }] };
      const within = async (activityDomain: string) =>
        starts(await find({ timeConstraint: { activityDomain, ...weekend }, maxCandidates: 1 }))[0];
      expect([await within('work'), await within('personal'), await within('unrestricted')]).toEqual([
        undefined,
        '08:00',
        '00:00',
      ]);
    });

    it('need a free room if one is required', async () => {
      await add('08:00-16:30');
      const locations = [{ displayName: 'Room 1', locationEmailAddress: LIN, resolveAvailability: true }];
      const found = await find({ locationConstraint: { isRequired: true, locations }, maxCandidates: 5 });
      expect(starts(found)).toEqual(['16:30']);
      expect(found.meetingTimeSuggestions[0]).toMatchObject({
        locations: [{ displayName: 'Room 1', locationEmailAddress: LIN }],
      });
    });

    it('without any constraint are within the next days', async () => {
      const { status, body } = await bench.call('POST', '/v1.0/me/findMeetingTimes', { body: {} });
      expect(status).toBe(200);
      expect(body.meetingTimeSuggestions.length).toBeGreaterThan(0);
      expect(
        (await bench.call('POST', '/v1.0/me/findMeetingTimes', { body: { meetingDuration: 'soon' } })).status,
      ).toBe(400);
      const token = await bench.jar.token({ scope: 'Calendars.ReadWrite' });
      expect((await bench.call('POST', '/v1.0/me/findMeetingTimes', { token, body: {} })).status).toBe(403);
    });
  });
});
