import { DefaultInit, type GraphFI, graphfi } from '@pnp/graph';
import type { Calendar, CalendarGroups, Calendars, Events } from '@pnp/graph/calendars/index.js';
import '@pnp/graph/calendars/index.js';
import '@pnp/graph/users/index.js';
import { BrowserFetch, DefaultParse, InjectHeaders } from '@pnp/queryable';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const WINDOW = ['2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z'] as const;

/** Members that the package adds to its client; its own declarations need another module resolution. */
interface Me {
  readonly calendar: ReturnType<typeof Calendar>;
  readonly calendars: ReturnType<typeof Calendars>;
  readonly calendarGroups: ReturnType<typeof CalendarGroups>;
  readonly events: ReturnType<typeof Events>;
  calendarView(start: string, end: string): () => Promise<readonly { readonly id: string }[]>;
  reminderView(start: string, end: string): () => Promise<readonly object[]>;
  findMeetingTimes(asked: object): Promise<{ readonly meetingTimeSuggestions: readonly object[] }>;
}

onAnyStore('calendars by the client of the community', (bench) => {
  beforeEach(() => bench.jar.reset());

  const as = async (user: string) => {
    const authorization = `Bearer ${await bench.jar.token({ user })}`;
    const graph = graphfi().using(
      DefaultInit(`${bench.jar.httpsUrl}/v1.0`),
      BrowserFetch(),
      DefaultParse(),
      InjectHeaders({ authorization, 'content-type': 'application/json' }),
    );
    return (graph as GraphFI & { readonly me: Me }).me;
  };

  it('a meeting is created, forwarded, accepted, declined, answered tentatively and cancelled', async () => {
    const [ada, lin, dee, noa] = await Promise.all(['admin', 'licensed', 'delegated-admin', 'no-job-queue'].map(as));
    if (!ada || !lin || !dee || !noa) throw new Error('four people take part');
    const made = await ada.calendar.events.add({
      subject: 'Planning',
      start: at('2026-05-04T09:00:00'),
      end: at('2026-05-04T10:00:00'),
      attendees: [
        { emailAddress: { address: 'licensed@vendor.example' } },
        { emailAddress: { address: 'delegated-admin@vendor.example' } },
      ],
    });
    const id = made.id ?? '';
    await ada.events.getById(id).forward({
      Comment: 'You too',
      ToRecipients: [{ emailAddress: { address: 'no-job-queue@vendor.example' } }],
    });
    await bench.jar.settled();
    const own = async (me: Me) => (await me.calendarView(...WINDOW)())[0]?.id ?? '';
    await lin.events.getById(await own(lin)).accept('Gladly', true);
    await dee.events.getById(await own(dee)).decline('Sorry', true);
    await noa.events
      .getById(await own(noa))
      .tentativelyAccept('Perhaps', true, { start: at('2026-05-05T09:00:00'), end: at('2026-05-05T10:00:00') });
    await bench.jar.settled();
    const { attendees } = await ada.events.getById(id)();
    expect(attendees?.map(({ status }) => status?.response)).toEqual(['accepted', 'declined', 'tentativelyAccepted']);
    expect(await own(dee)).toBe('');
    await ada.events.getById(id).update({ subject: 'Review' });
    await ada.events.getById(id).cancel('Not needed');
    await bench.jar.settled();
    expect(await ada.events()).toEqual([]);
    expect((await lin.events())[0]).toMatchObject({ isCancelled: true, subject: 'Canceled: Review' });
  });

  it('calendars, groups, permissions, instances, reminders and schedules are read and written', async () => {
    const ada = await as('admin');
    const group = await ada.calendarGroups.add({ name: 'Teams' });
    const calendar = await ada.calendarGroups.getById(group.id ?? '').calendars.add({ name: 'Sales' });
    const sales = ada.calendars.getById(calendar.id ?? '');
    await sales.update({ name: 'Revenue' });
    expect((await ada.calendars()).map(({ name }) => name)).toEqual(['Calendar', 'Revenue']);
    await ada.calendar.calendarPermissions.add({ role: 'read', emailAddress: { address: 'licensed@vendor.example' } });
    expect(await ada.calendar.calendarPermissions()).toHaveLength(2);
    const series = await ada.calendar.events.add({
      start: at('2026-05-04T09:00:00'),
      end: at('2026-05-04T10:00:00'),
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: { type: 'numbered', startDate: '2026-05-04', numberOfOccurrences: 3 },
      },
    });
    const event = ada.events.getById(series.id ?? '');
    expect(await event.instances(...WINDOW)()).toHaveLength(3);
    expect(await ada.reminderView(...WINDOW)()).toHaveLength(3);
    await event.snoozeReminder(at('2026-05-04T08:59:00'));
    await event.dismissReminder();
    expect(await ada.reminderView(...WINDOW)()).toEqual([]);
    const schedules = await ada.calendar.getSchedule({
      schedules: ['admin@vendor.example'],
      startTime: at('2026-05-04T08:00:00'),
      endTime: at('2026-05-04T11:00:00'),
      availabilityViewInterval: 60,
    });
    expect(schedules).toMatchObject([{ availabilityView: '020' }]);
    const times = await ada.findMeetingTimes({ attendees: [{ emailAddress: { address: 'licensed@vendor.example' } }] });
    expect(times.meetingTimeSuggestions.length).toBeGreaterThan(0);
    await event.delete();
    await sales.delete();
    expect(await ada.calendars()).toHaveLength(1);
  });
});
