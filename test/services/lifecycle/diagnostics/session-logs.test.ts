import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { event, handledError, managedError, page, post, type SentLog, startService, startSession } from '../sdk.ts';
import { administrator, makeApp } from '../support.ts';

const CRASHED_AT = '2026-03-10T11:50:00.000Z';
const START = 'start=2026-01-01';

onBothStores(
  'the logs of a session',
  (bench) => {
    const anApp = async () => {
      const owner = await administrator(bench);
      const name = `app-${randomUUID()}`;
      const app = await makeApp(owner, name);
      const get = async (path: string) => {
        const reply = await owner.call('GET', `/apps/admin/${name}${path}`);
        expect(reply.status, reply.text).toBe(200);
        return reply.body;
      };
      const shown = async (crash: SentLog, query = '') =>
        (await get(`/errors/${crash.id}/sessionLogs${query}`)).logs.map(
          (each: Record<string, unknown>) => each.event_name ?? each.type,
        );
      const listed = async (): Promise<Record<string, unknown>[]> => {
        const [group] = (await get(`/errors/errorGroups?${START}&errorType=unhandledError`)).errorGroups;
        return (await get(`/errors/errorGroups/${group.errorGroupId}/errors?${START}`)).errors;
      };
      return { owner, name, app, get, shown, listed };
    };

    it('are shown with the crash that ended it, up to the crash, in whatever order they arrived', async () => {
      const { app, get, shown, listed } = await anApp();
      const [phone, sid] = [randomUUID(), randomUUID()];
      const at = (timestamp: string) => ({ sid, timestamp });
      const crash = managedError({ ...at(CRASHED_AT), sid: sid.toUpperCase() });
      await post(bench, app, phone, [
        startService([], { timestamp: '2026-03-10T11:00:00Z' }),
        startSession(at('2026-03-10T11:00:00Z')),
        event('Opened', { what: 'cart' }, at('2026-03-10T11:10:00Z')),
      ]);
      // The crash is reported at the next start of the app, possibly before the remaining logs.
      await post(bench, app, phone, [crash, startSession({ timestamp: '2026-03-10T11:55:00Z' })]);
      await post(bench, app, phone, [
        handledError({}, at('2026-03-10T11:40:00Z')),
        event('Paid', {}, at('2026-03-10T11:45:00Z')),
        event('Later', {}, at('2026-03-10T11:50:00.001Z')),
      ]);
      // The same session id on another device or in another app is a different session.
      await post(bench, app, randomUUID(), [event('Elsewhere', {}, at('2026-03-10T11:20:00Z'))]);
      const other = await anApp();
      await post(bench, other.app, phone, [event('Other app', {}, at('2026-03-10T11:20:00Z'))]);

      const { logs, ...rest } = await get(`/errors/${crash.id}/sessionLogs`);
      expect(rest).toEqual({ exceeded_max_limit: false, last_received_log_timestamp: expect.any(String) });
      expect(logs.map((each: { type: string }) => each.type)).toEqual(['start_session', 'event', 'error', 'event']);
      expect(logs[1]).toMatchObject({
        timestamp: '2026-03-10T11:10:00.000Z',
        install_id: phone,
        session_id: sid,
        event_name: 'Opened',
        properties: { what: 'cart' },
        device: { sdk_name: 'appcenter.android', app_version: '1.0', time_zone_offset: 60 },
      });
      expect((await get(`/crashes/${crash.id}/session_logs`)).logs).toEqual(logs);
      expect(await shown(crash, '?date=2026-03-10T23:00:00Z')).toHaveLength(4);
      expect(await shown(crash, '?date=2026-03-09')).toEqual([]);
      const errors = await listed();
      expect(errors.find(({ errorId }) => errorId === crash.id)).toMatchObject({ hasBreadcrumbs: true });
      const search = await get(`/errors/search?filter=errorId eq '${crash.id}'`);
      expect(search.errors).toMatchObject([{ errorId: crash.id, hasBreadcrumbs: true }]);
      const [group] = (await get(`/errors/errorGroups?${START}&errorType=unhandledError`)).errorGroups;
      const path = `/errors/errorGroups/${group.errorGroupId}/errors/${crash.id}`;
      expect(await get(path)).toMatchObject({ hasBreadcrumbs: true });
    });

    it('are empty if the crash names no session, or the session has no other logs', async () => {
      const { app, owner, name, shown, listed } = await anApp();
      const phone = randomUUID();
      const [homeless, lonely] = [managedError(), managedError({ sid: randomUUID() })];
      await post(bench, app, phone, [event('Free', {}), homeless, lonely]);
      expect(await shown(homeless)).toEqual([]);
      expect(await shown(lonely)).toEqual([]);
      expect(await listed()).toMatchObject([{ hasBreadcrumbs: false }, { hasBreadcrumbs: false }]);
      const call = (path: string) => owner.call('GET', `/apps/admin/${name}${path}`);
      expect((await call(`/errors/${randomUUID()}/sessionLogs`)).status).toBe(404);
      expect((await call(`/errors/${lonely.id}/sessionLogs?date=soon`)).status).toBe(400);
    });

    it('are the last hundred, and gone when the app is', async () => {
      const { app, owner, name, get, shown } = await anApp();
      const [phone, sid] = [randomUUID(), randomUUID()];
      const minutes = (from: number) =>
        Array.from({ length: 30 }, (_, i) => {
          const timestamp = new Date(Date.parse('2026-03-09T23:00:00Z') + (from + i) * 60_000).toISOString();
          return page(`p${from + i}`, { sid, timestamp });
        });
      const crash = managedError({ sid, timestamp: CRASHED_AT });
      for (const from of [0, 30, 60, 90]) await post(bench, app, phone, minutes(from));
      await post(bench, app, phone, [crash]);
      const { logs, exceeded_max_limit } = await get(`/errors/${crash.id}/sessionLogs`);
      expect(exceeded_max_limit).toBe(true);
      expect(logs).toHaveLength(100);
      expect(logs[0].timestamp).toBe('2026-03-09T23:20:00.000Z');
      expect(await shown(crash, '?date=2026-03-09')).toHaveLength(60);
      expect((await owner.call('DELETE', `/apps/admin/${name}`)).status).toBe(204);
      await bench.jar.settled();
    });
  },
  { clockStart: '2026-03-10T12:00:00.000Z' },
);
