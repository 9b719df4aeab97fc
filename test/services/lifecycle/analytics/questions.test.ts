import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { device, event, handledError, managedError, page, post, type SentLog, startSession } from '../sdk.ts';
import { administrator, makeApp, type Person } from '../support.ts';

const PHONE = '0a0a0a0a-0000-4000-8000-00000000000a';
const TABLET = '0b0b0b0b-0000-4000-8000-00000000000b';
const WATCH = '0c0c0c0c-0000-4000-8000-00000000000c';

interface Count {
  readonly datetime: string;
  readonly count: number;
}
const numbers = (counts: readonly Count[]): number[] => counts.map(({ count }) => count);
const on = (day: string, given: SentLog = {}): SentLog => ({ timestamp: `2026-03-${day}T08:00:00Z`, ...given });

withJar(
  (bench) => {
    const anApp = async () => {
      const owner: Person = await administrator(bench);
      const name = `app-${randomUUID()}`;
      const app = await makeApp(owner, name);
      const call = (method: string, path: string, body?: unknown) =>
        owner.call(method, `/apps/admin/${name}/analytics${path}`, body);
      const ask = async (path: string) => {
        const reply = await call('GET', path);
        expect(reply.status, reply.text).toBe(200);
        return reply.body;
      };
      const send = (installId: string, ...logs: SentLog[]) => post(bench, app, installId, logs);
      return { app, call, ask, send };
    };

    describe('the period of a question', () => {
      it('is of whole days, and is compared with as many before it', async () => {
        const { ask, send } = await anApp();
        await send(PHONE, event('E', {}, on('05')), event('E', {}, on('07')), event('E', {}, on('08')));
        await send(TABLET, event('E', {}, on('06')), event('E', {}, on('08')));
        const story = await ask('/events/E/event_count?start=2026-03-07T23:00:00Z&end=2026-03-09T00:00:00Z');
        expect(story).toEqual({
          total_count: 3,
          previous_total_count: 2,
          count: [
            { datetime: '2026-03-07T00:00:00.000Z', count: 1 },
            { datetime: '2026-03-08T00:00:00.000Z', count: 2 },
          ],
        });
        const [row] = (await ask('/events?start=2026-03-07&end=2026-03-09')).events;
        expect(row).toMatchObject({ count: 3, previous_count: 2, device_count: 2, previous_device_count: 2 });
        expect(await ask('/events/E/device_count?start=2026-03-07&end=2026-03-09')).toMatchObject({
          total_devices: 2,
          total_devices_with_event: 2,
          previous_total_devices_with_event: 2,
        });
        const { models } = await ask('/models?start=2026-03-08&end=2026-03-09');
        expect(models).toEqual([{ model_name: 'Pixel 6', count: 2, previous_count: 1 }]);
      });

      it('begins no earlier than the retention and ends no later than now', async () => {
        const { ask, send } = await anApp();
        await send(PHONE, event('E', {}, on('09')));
        const { count } = await ask('/events/E/event_count?start=1970-01-01&end=2999-01-01');
        expect(count).toHaveLength(91);
        expect(count.at(-1).datetime).toBe('2026-03-10T00:00:00.000Z');
        expect((await ask('/events/E/event_count?start=2026-05-01&end=2026-05-02')).count).toEqual([]);
        expect(await ask('/active_device_counts?start=2026-05-01')).toEqual({ daily: [], weekly: [], monthly: [] });
        // A zone with an unencoded plus sign.
        expect((await ask('/events/E/event_count?start=2026-03-10T01:00:00+02:00')).count).toHaveLength(2);
      });

      it.each([
        ['/versions', "The query parameter 'start' is required."],
        [
          '/versions?start=today',
          "The parameter 'start' must be an ISO 8601 date, with or without a time, not 'today'.",
        ],
        ['/versions?start=2026-02-31T25:00:00Z', /'start' must be/],
        ['/versions?start=2026-03-10&end=2026-03-09', "The parameter 'end' must not be before 'start'."],
        ['/versions?start=2026-03-10&$top=2001', /'\$top'/],
        ['/versions?start=2026-03-10&$top=-1', /'\$top'/],
        ['/session_counts?start=2026-03-10', "The query parameter 'interval' is required."],
        ['/session_counts?start=2026-03-10&interval=PT1H', /'interval' must be "P1D" or "P1W" or "P30D"/],
        ['/events?start=2026-03-10&$orderby=age', /'\$orderby' must be one of name, count/],
        ['/events?start=2026-03-10&$inlinecount=some', /'\$inlinecount' must be/],
        ['/log_flow?start=2026-03-09T23:59:59Z', /within the current day of UTC, which is 2026-03-10/],
      ])('is refused in %s', async (path, message) => {
        const { call } = await anApp();
        const reply = await call('GET', path);
        expect(reply.status).toBe(400);
        expect(reply.body).toEqual({
          error: { code: 400, message: typeof message === 'string' ? message : expect.stringMatching(message) },
        });
      });
    });

    it('active devices are counted by the day, and over the seven and thirty days that end with it', async () => {
      const { ask, send } = await anApp();
      const older = (day: number) => ({ timestamp: new Date(Date.UTC(2026, 1, day)).toISOString() });
      await send(PHONE, page('P', on('01')), page('P', on('03')), page('P', on('10')));
      await send(TABLET, page('P', on('03', { device: device({ appVersion: '2.0', appBuild: '20' }) })));
      await send(WATCH, page('P', older(9)));
      const counts = await ask('/active_device_counts?start=2026-03-01');
      expect(numbers(counts.daily)).toEqual([1, 0, 2, 0, 0, 0, 0, 0, 0, 1]);
      expect(numbers(counts.weekly)).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, 1]);
      expect(numbers(counts.monthly)).toEqual([2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
      const ofBuild = await ask('/active_device_counts?start=2026-03-01&app_build=20');
      expect(numbers(ofBuild.daily)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
      const ofVersion = await ask('/active_device_counts?start=2026-03-09&versions=2.0|3.0&app_build=2.0');
      expect(numbers(ofVersion.weekly)).toEqual([1, 0]);
    });

    it('sessions are counted in intervals that begin with the period', async () => {
      const { ask, send } = await anApp();
      await send(PHONE, ...['01', '01', '02', '08', '10'].map((day) => startSession(on(day))));
      await send(TABLET, startSession(on('09')));
      expect(numbers(await ask('/session_counts?start=2026-03-01&interval=P1W'))).toEqual([3, 3]);
      expect(numbers(await ask('/session_counts?start=2026-03-01&interval=P30D'))).toEqual([6]);
      const perDevice = await ask('/sessions_per_device?start=2026-03-08&interval=P1D');
      expect(perDevice).toMatchObject({
        average_sessions_per_user: 1.5,
        previous_average_sessions_per_user: 0,
        total_count: 3,
        previous_total_count: 0,
      });
      expect(numbers(perDevice.sessions_per_user)).toEqual([1, 1, 1]);
    });

    it('a device that changes its version counts for both, and once in all', async () => {
      const { ask, send } = await anApp();
      await send(PHONE, page('P'), page('P', { device: device({ appVersion: '1.1', locale: 'de' }) }));
      expect(await ask('/versions?start=2026-03-10')).toMatchObject({
        total: 1,
        versions: [{ count: 1 }, { count: 1 }],
      });
      expect((await ask('/languages?start=2026-03-10&versions=1.1')).languages).toMatchObject([
        { language_name: 'de' },
      ]);
      expect(numbers((await ask('/active_device_counts?start=2026-03-10')).daily)).toEqual([1]);
    });

    it('events are listed as asked, a page at a time', async () => {
      const { ask, send } = await anApp();
      await send(PHONE, ...['A', 'B', 'B', 'C', 'C', 'C'].map((name) => event(name)));
      await send(TABLET, event('A'));
      const names = async (query: string) => {
        const { events, ...rest } = await ask(`/events?start=2026-03-10${query}`);
        return { names: events.map(({ name }: { name: string }) => name).join(''), ...rest };
      };
      expect(await names('')).toEqual({ names: 'CAB', total_devices: 2 });
      expect(await names('&$orderby=name asc&$inlinecount=allpages&$top=1&$skip=1')).toEqual({
        names: 'B',
        total: 3,
        total_devices: 2,
      });
      expect((await names('&$orderby=device_count desc')).names).toBe('ABC');
      expect((await names('&event_name=B|A|Z')).names).toBe('AB');
      expect((await names('&$top=0')).names).toBe('CAB');
    });

    it('an event with any name is asked for by it', async () => {
      const { ask, send } = await anApp();
      const name = 'Straße / 100 % + ümlaut? #1';
      await send(PHONE, event(name, { 'a/b': 'ja' }));
      const path = `/events/${encodeURIComponent(name)}`;
      expect(await ask(`${path}/event_count?start=2026-03-10`)).toMatchObject({ total_count: 1 });
      expect(await ask(`${path}/properties/${encodeURIComponent('a/b')}/counts?start=2026-03-10`)).toMatchObject({
        total: 1,
      });
      expect(await ask('/events/unknown/event_count?start=2026-03-10')).toMatchObject({ total_count: 0 });
      expect(await ask('/events/unknown/properties')).toEqual({ event_properties: [] });
      expect(await ask('/events/unknown/properties/p/counts?start=2026-03-10')).toEqual({ total: 0, values: [] });
    });

    it('a deleted event begins anew, and one whose logs are deleted keeps its id', async () => {
      const { ask, send, call } = await anApp();
      const listed = async () => (await ask('/events?start=2026-03-10')).events;
      await send(PHONE, event('E', { p: 'x' }), event('F'));
      const [e] = await listed();
      expect((await call('DELETE', '/event_logs/E')).status).toBe(200);
      expect(await listed()).toMatchObject([{ name: 'F' }]);
      expect(await ask('/events/E/properties/p/counts?start=2026-03-10')).toEqual({ total: 0, values: [] });
      await send(PHONE, event('E'));
      expect(await listed()).toMatchObject([{ name: 'E', count: 1, id: e.id }, { name: 'F' }]);
      expect((await call('DELETE', '/events/E')).status).toBe(200);
      expect((await call('DELETE', '/events/E')).status).toBe(200);
      expect(await listed()).toMatchObject([{ name: 'F' }]);
      await send(PHONE, event('E'));
      const [again] = await listed();
      expect(again).toMatchObject({ name: 'E', count: 1 });
      expect(again.id).not.toBe(e.id);
    });

    it('downloads of releases are always zero', async () => {
      const { call } = await anApp();
      const reply = await call('POST', '/distribution/release_counts', {
        releases: [{ release: '1', distribution_group: 'g' }, { release: '2' }],
      });
      expect(reply.body).toEqual({
        total: 0,
        counts: [
          { release_id: '1', distribution_group: 'g', unique_count: 0, total_count: 0 },
          { release_id: '2', unique_count: 0, total_count: 0 },
        ],
      });
      const refused = await call('POST', '/distribution/release_counts', { releases: {} });
      expect(refused.body.error.code).toBe(400);
    });

    it('crashes are related to usage', async () => {
      const { ask, send, call, app } = await anApp();
      await send(
        PHONE,
        startSession(on('09')),
        managedError(on('09')),
        managedError(on('10')),
        handledError({}, on('10')),
      );
      await send(TABLET, startSession(on('09')), startSession(on('10')));
      expect(await ask('/crash_counts?start=2026-03-08')).toMatchObject({ count: 2 });
      expect(numbers((await ask('/crash_counts?start=2026-03-08')).crashes)).toEqual([0, 1, 1]);
      expect((await ask('/crash_counts?start=2026-03-08&versions=9.9')).count).toBe(0);
      expect(await ask('/crashfree_device_percentages?start=2026-03-08&version=1.0')).toEqual({
        average_percentage: 50,
        daily_percentages: [
          { datetime: '2026-03-08T00:00:00.000Z', percentage: 100 },
          { datetime: '2026-03-09T00:00:00.000Z', percentage: 50 },
          { datetime: '2026-03-10T00:00:00.000Z', percentage: 50 },
        ],
      });
      const admin = await administrator(bench);
      const groups = await admin.call(
        'GET',
        `/apps/admin/${app.name}/errors/errorGroups?start=2026-03-01&errorType=unhandledError`,
      );
      const id: string = groups.body.errorGroups[0].errorGroupId;
      expect(await ask(`/crash_groups/${id}/overall?version=1.0`)).toEqual({ crash_count: 2, device_count: 1 });
      expect(await ask(`/crash_groups/${id}/overall?version=7`)).toEqual({ crash_count: 0, device_count: 0 });
      expect(numbers((await ask(`/crash_groups/${id}/crash_counts?start=2026-03-10`)).crashes)).toEqual([1]);
      expect(await ask(`/crash_groups/${id}/operating_systems`)).toEqual({
        crash_count: 2,
        operating_systems: [{ operating_system_name: 'Android 13', crash_count: 2 }],
      });
      expect(await ask(`/crash_groups/${id}/models?version=1.0`)).toEqual({
        crash_count: 2,
        models: [{ model_name: 'Pixel 6', crash_count: 2 }],
      });
      const totals = await call('POST', '/crash_groups', {
        crash_groups: [{ crash_group_id: id, app_version: '1.0' }, { crash_group_id: randomUUID() }],
      });
      expect(totals.body).toEqual([
        { crash_group_id: id, app_version: '1.0', overall: { crash_count: 2, device_count: 1 } },
      ]);
      expect((await call('GET', `/crash_groups/${randomUUID()}/overall`)).body.error.code).toBe(404);
    });

    it('the latest hundred logs of today are shown, and that there were more', async () => {
      const { ask, send } = await anApp();
      await send(PHONE, ...Array.from({ length: 60 }, (_, i) => event(`a${i % 3}`)));
      await bench.jar.clock.advance('1s');
      await send(PHONE, ...Array.from({ length: 60 }, (_, i) => event(`b${i % 3}`)));
      const { logs, exceeded_max_limit } = await ask('/log_flow');
      expect(logs).toHaveLength(100);
      expect(exceeded_max_limit).toBe(true);
      expect(logs.at(-1)).toMatchObject({
        type: 'event',
        install_id: PHONE,
        event_name: 'b2',
        device: { sdk_name: 'appcenter.android', os_api_level: 33, app_version: '1.0' },
      });
    });
  },
  { clockStart: '2026-03-10T12:00:00.000Z' },
);
