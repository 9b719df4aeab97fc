import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { device, event, managedError, post, startService, startSession } from '../sdk.ts';
import { makeApp, person } from '../support.ts';

onBothStores(
  'the logs of an app',
  (bench) => {
    it('are taken from devices, and answer every question about the use of the app', async () => {
      const owner = await person(bench, 'nora');
      const app = await makeApp(owner, 'shop');
      const reader = await person(bench, 'nora', 'viewer');
      const ask = async (path: string) => {
        const reply = await reader.call('GET', `/apps/nora/shop/analytics${path}`);
        expect(reply.status, reply.text).toBe(200);
        return reply.body;
      };
      const [phone, tablet] = [randomUUID(), randomUUID()];
      const morning = randomUUID();

      const taken = await post(bench, app, phone, [
        startService(),
        startSession({ sid: morning }),
        event('Bought', { what: 'book', paid: 'card' }, { sid: morning }),
        event('Bought', { what: 'pen' }, { sid: morning }),
      ]);
      expect(taken.status, taken.text).toBe(200);
      expect(taken.body).toEqual({
        status: 'Success',
        validDiagnosticsIds: [],
        throttledDiagnosticsIds: [],
        correlationId: expect.any(String),
      });
      await bench.jar.clock.advance('45s');
      await post(bench, app, phone, [event('Looked', {}, { sid: morning })], { gzip: true });
      await bench.jar.clock.advance('1s');
      const french = device({
        model: 'Tab S8',
        osVersion: '12',
        locale: 'fr_FR',
        carrierCountry: 'fr',
        appVersion: '2.0',
        appBuild: '7',
      });
      await post(bench, app, tablet, [
        startSession({ device: french }),
        event('Bought', { what: 'book' }, { device: french }),
      ]);

      const today = `start=${bench.jar.clock.now().toISOString().slice(0, 10)}`;
      const midnight = `${bench.jar.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
      const counts = (...all: [string, number][]) => all.map(([name, count]) => ({ name, count, previous_count: 0 }));
      expect(await ask(`/versions?${today}`)).toEqual({
        total: 2,
        versions: [
          { version: '1.0', count: 1, previous_count: 0 },
          { version: '2.0', count: 1, previous_count: 0 },
        ],
      });
      expect((await ask(`/oses?${today}`)).oses.map((each: { os_name: string }) => each.os_name)).toEqual([
        'Android 12',
        'Android 13',
      ]);
      expect((await ask(`/models?${today}&versions=2.0`)).models).toEqual([
        { model_name: 'Tab S8', count: 1, previous_count: 0 },
      ]);
      expect((await ask(`/languages?${today}&$top=1`)).languages).toEqual([
        { language_name: 'en', count: 1, previous_count: 0 },
      ]);
      expect((await ask(`/places?${today}`)).places.map((each: { code: string }) => each.code)).toEqual(['FR', 'US']);
      const one = [{ datetime: midnight, count: 2 }];
      expect(await ask(`/active_device_counts?${today}`)).toEqual({ daily: one, weekly: one, monthly: one });
      expect(await ask(`/session_counts?${today}&interval=P1D`)).toEqual(one);
      expect(await ask(`/sessions_per_device?${today}&interval=P1W`)).toEqual({
        average_sessions_per_user: 1,
        previous_average_sessions_per_user: 0,
        total_count: 2,
        previous_total_count: 0,
        sessions_per_user: [{ datetime: midnight, count: 1 }],
      });
      expect(await ask(`/session_durations_distribution?${today}`)).toEqual({
        distribution: [
          { bucket: '0-30s', count: 1 },
          { bucket: '30s-1min', count: 1 },
          { bucket: '1-30min', count: 0 },
          { bucket: '30min-1h', count: 0 },
          { bucket: '>1h', count: 0 },
        ],
        average_duration: 'PT23S',
        previous_average_duration: 'PT0S',
      });
      const { events, total, total_devices } = await ask(`/events?${today}&$inlinecount=allpages`);
      expect({ total, total_devices }).toEqual({ total: 2, total_devices: 2 });
      expect(events[0]).toEqual({
        id: expect.any(String),
        name: 'Bought',
        device_count: 2,
        previous_device_count: 0,
        count: 3,
        previous_count: 0,
        count_per_device: 1.5,
        count_per_session: 1.5,
      });
      expect(await ask(`/events/Bought/event_count?${today}&versions=1.0`)).toEqual({
        total_count: 2,
        previous_total_count: 0,
        count: [{ datetime: midnight, count: 2 }],
      });
      expect(await ask(`/events/Bought/device_count?${today}`)).toMatchObject({
        total_devices: 2,
        total_devices_with_event: 2,
      });
      expect(await ask(`/events/Looked/count_per_device?${today}`)).toMatchObject({ avg_count_per_device: 1 });
      expect(await ask(`/events/Looked/count_per_session?${today}`)).toMatchObject({ avg_count_per_session: 0.5 });
      expect(await ask('/events/Bought/properties')).toEqual({ event_properties: ['what', 'paid'] });
      expect(await ask(`/events/Bought/properties/what/counts?${today}`)).toEqual({
        total: 3,
        values: counts(['book', 2], ['pen', 1]),
      });

      const { logs, ...flow } = await ask('/generic_log_flow');
      expect(flow).toEqual({
        exceeded_max_limit: false,
        last_received_log_timestamp: bench.jar.clock.now().toISOString(),
      });
      expect(logs.map((each: { type: string }) => each.type)).toEqual([
        'start_service',
        'start_session',
        'event',
        'event',
        'event',
        'start_session',
        'event',
      ]);
      expect(logs[2]).toMatchObject({ event_name: 'Bought', session_id: morning, properties: { what: 'book' } });
      const since = encodeURIComponent(flow.last_received_log_timestamp);
      expect((await ask(`/log_flow?start=${since}`)).logs).toEqual([]);
    });

    it('of devices that report at the same time all count', async () => {
      const owner = await person(bench, 'olaf');
      const app = await makeApp(owner, 'crowd');
      const devices = Array.from({ length: 12 }, () => randomUUID());
      const replies = await Promise.all(
        devices.flatMap((phone, number) => [
          post(bench, app, phone, [startSession(), event('Common', { who: 'all' }), event(`Of ${number % 4}`)]),
          post(bench, app, phone, [event('Common', { who: 'all' }), managedError()]),
        ]),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      const ask = async (path: string) => (await owner.call('GET', `/apps/olaf/crowd/analytics${path}`)).body;
      const today = `start=${bench.jar.clock.now().toISOString().slice(0, 10)}`;
      const { events } = await ask(`/events?${today}`);
      expect(
        events.map(({ name, count, device_count }: Record<string, unknown>) => [name, count, device_count]),
      ).toEqual([
        ['Common', 24, 12],
        ['Of 0', 3, 3],
        ['Of 1', 3, 3],
        ['Of 2', 3, 3],
        ['Of 3', 3, 3],
      ]);
      expect(await ask(`/events/Common/properties/who/counts?${today}`)).toMatchObject({ total: 24 });
      expect(await ask(`/session_counts?${today}&interval=P1D`)).toMatchObject([{ count: 12 }]);
      expect(await ask(`/crash_counts?${today}`)).toMatchObject({ count: 12 });
    });
  },
  { clockStart: '2026-03-10T12:00:00.000Z' },
);
