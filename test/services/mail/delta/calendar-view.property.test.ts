import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { applied, type DeltaRow, round } from './sync.ts';

const WINDOW = 'startDateTime=2026-03-05T00:00:00Z&endDateTime=2026-03-20T00:00:00Z';
const ME = '/v1.0/me';

const day = (n: number): string => `2026-03-${String(n).padStart(2, '0')}`;
const times = (n: number, hour: number) => ({
  start: { dateTime: `${day(n)}T${String(hour).padStart(2, '0')}:00:00`, timeZone: 'Europe/Berlin' },
  end: { dateTime: `${day(n)}T${String(hour).padStart(2, '0')}:30:00`, timeZone: 'Europe/Berlin' },
});
const recurrence = (n: number, interval: number, count: number) => ({
  recurrence: {
    pattern: { type: 'daily', interval },
    range: { type: 'numbered', startDate: day(n), numberOfOccurrences: count },
  },
});

interface Step {
  readonly does: 'single' | 'series' | 'pattern' | 'shift' | 'plain' | 'move' | 'cancel' | 'remove' | 'sync';
  /** Selects one of the existing events or occurrences. */
  readonly which: number;
  readonly day: number;
  readonly hour: number;
  readonly interval: number;
  readonly count: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    'single',
    'series',
    'series',
    'pattern',
    'pattern',
    'shift',
    'plain',
    'move',
    'move',
    'cancel',
    'remove',
    'sync',
  ),
  which: fc.nat(20),
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 22 }),
  interval: fc.integer({ min: 1, max: 5 }),
  count: fc.integer({ min: 1, max: 12 }),
});

onAnyStore('delta of a view of a calendar', (bench) => {
  const get = async (path: string): Promise<readonly DeltaRow[]> =>
    (await bench.call('GET', `${ME}/${path}`)).body.value;

  /** Some steps are rejected, such as an occurrence that would pass its neighbour: they change nothing. */
  const perform = async ({ does, which, day: n, hour, interval, count }: Step): Promise<void> => {
    const events = await get('events?$top=100&$orderby=createdDateTime');
    const shown = await get(`calendarView?${WINDOW}&$top=500`);
    const event = events[which % Math.max(1, events.length)]?.id;
    const occurrence = shown[which % Math.max(1, shown.length)]?.id;
    const patch = (id: string | undefined, body: object) =>
      id === undefined ? undefined : bench.call('PATCH', `${ME}/events/${id}`, { body });
    if (does === 'single') await bench.call('POST', `${ME}/events`, { body: times(n, hour) });
    if (does === 'series')
      await bench.call('POST', `${ME}/events`, { body: { ...times(n, hour), ...recurrence(n, interval, count) } });
    if (does === 'pattern') await patch(event, { ...times(n, hour), ...recurrence(n, interval, count) });
    if (does === 'shift') await patch(event, times(n, hour));
    if (does === 'plain') await patch(event, { recurrence: null });
    if (does === 'move') await patch(occurrence, times(n, hour));
    if (does === 'cancel' && occurrence !== undefined) await bench.call('DELETE', `${ME}/events/${occurrence}`);
    if (does === 'remove' && event !== undefined) await bench.call('DELETE', `${ME}/events/${event}`);
  };

  it('a client that applies every row has the content of the view, after any changes of series and their occurrences', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        await bench.jar.reset();
        let known = new Map<string, DeltaRow>();
        let link = `${ME}/calendarView/delta?${WINDOW}`;
        for (const each of [...steps, { does: 'sync' } as Step]) {
          if (each.does !== 'sync') {
            await perform(each);
            continue;
          }
          const next = await round(bench, link);
          known = applied(known, next.rows);
          link = next.link;
          const rows = [...known.values()].filter(({ type }) => type !== 'seriesMaster');
          const view = await get(`calendarView?${WINDOW}&$top=500`);
          const place = ({ id, type, start }: DeltaRow) => ({ id, type, start });
          const byId = (a: DeltaRow, b: DeltaRow) => (a.id < b.id ? -1 : 1);
          expect(rows.toSorted(byId).map(place)).toEqual(view.toSorted(byId).map(place));
        }
      }),
      { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 200 : 25 },
    );
  });
});
