import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import {
  appleError,
  customProperties,
  device,
  event,
  exception,
  managedError,
  post,
  postBody,
  startSession,
} from '../sdk.ts';
import { administrator, makeApp } from '../support.ts';

const TODAY = 'start=2026-03-10';

/** Incompressible text. */
const odd = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000))).join('');

onBothStores(
  'logs that no SDK would send',
  (bench) => {
    const anApp = async () => {
      const owner = await administrator(bench);
      const name = `app-${randomUUID()}`;
      const app = await makeApp(owner, name);
      const ask = async (path: string) => (await owner.call('GET', `/apps/admin/${name}${path}`)).body;
      return { owner, name, app, ask };
    };

    it('are refused if they are nested too deeply, and do not reject others', async () => {
      const { app, ask } = await anApp();
      const headers = { 'app-secret': app.app_secret, 'install-id': randomUUID() };
      const deep = `{"type":"event","name":"Deep","device":{},"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      const refused = await postBody(bench, `{"logs":[${deep}]}`, headers);
      expect(refused).toMatchObject({ status: 400, body: { status: 'NoValidLogsFoundInLogContainer' } });
      const taken = await postBody(bench, `{"logs":[${deep},{"type":"event","name":"Flat","device":{}}]}`, headers);
      expect(taken.status).toBe(200);
      expect((await ask(`/analytics/events?${TODAY}`)).events).toMatchObject([{ name: 'Flat', count: 1 }]);
    });

    it('may have names as long as they like', async () => {
      const { app, ask } = await anApp();
      const long = device({ appVersion: odd(5000), appBuild: odd(5000), model: odd(5000) });
      const binary = { id: odd(5000), name: odd(5000), startAddress: '0x1', endAddress: '0xffffffffff' };
      const path = '/var/containers/Bundle/Application/Example.app/Example';
      const sent = [
        startSession({ device: long }),
        event(odd(5000), { [odd(5000)]: odd(5000) }, { device: long }),
        customProperties({ long: odd(5000) }),
        managedError({ device: long, userId: odd(5000), exception: exception(odd(5000), odd(5000)) }),
        appleError({ device: long, binaries: [{ ...binary, path }] }),
      ];
      const reply = await post(bench, app, randomUUID(), sent);
      expect(reply.status, reply.text).toBe(200);
      const { versions } = await ask(`/analytics/versions?${TODAY}`);
      expect(versions.map(({ version }: { version: string }) => version.length).sort()).toEqual([256, 3]);
      const { groups } = await ask('/diagnostics/symbol_groups?top=1');
      expect(groups[0].missing_symbols[0].symbol_id).toHaveLength(100);
    });

    it('count once even where there are thousands of them in a request', async () => {
      const { app, ask } = await anApp();
      const timestamp = '2026-03-10T11:00:00.000Z';
      const logs = Array.from({ length: 3000 }, (_, number) =>
        event('Many', { [`p${number}`]: 'x', all: String(number) }, { device: device(), timestamp }),
      );
      const headers = { 'app-secret': app.app_secret, 'install-id': randomUUID(), 'content-encoding': 'gzip' };
      const body = gzipSync(JSON.stringify({ logs }));
      for (const _ of [1, 2]) expect((await postBody(bench, body, headers)).status).toBe(200);
      expect((await ask(`/analytics/events?${TODAY}`)).events).toMatchObject([{ count: 3000 }]);
      // The number of properties is limited.
      expect((await ask('/analytics/events/Many/properties')).event_properties).toHaveLength(200);
      expect((await ask(`/analytics/events/Many/properties/all/counts?${TODAY}`)).total).toBe(500);
    });

    it('have invalid numbers, which match no audience', async () => {
      const { app, owner, name, ask } = await anApp();
      const headers = { 'app-secret': app.app_secret, 'install-id': randomUUID() };
      const properties = '[{"name":"age","type":"number","value":1e999},{"name":"level","type":"number","value":3}]';
      await postBody(bench, `{"logs":[{"type":"customProperties","device":{},"properties":${properties}}]}`, headers);
      expect(await ask('/analytics/audiences/metadata/custom_properties')).toEqual({ values: { level: 'number' } });
      const made = await owner.call('PUT', `/apps/admin/${name}/analytics/audiences/some`, {
        definition: 'level gt 2',
      });
      expect(made.body.estimated_count).toBe(1);
    });

    it('may tell of an exception with more causes than can be read', async () => {
      const { app, ask } = await anApp();
      const stackTrace = Array.from({ length: 50 }, (_, line) => `  at java.lang.Thing.m(Thing.java:${line})`).join(
        '\n',
      );
      const cause = { type: 'Cause', message: 'why', stackTrace };
      const crash = managedError({
        exception: { type: 'Top', stackTrace, innerExceptions: Array.from({ length: 500 }, () => cause) },
        threads: [],
      });
      await post(bench, app, randomUUID(), [crash]);
      const [group] = (await ask(`/errors/errorGroups?${TODAY}`)).errorGroups;
      const trace = await ask(`/errors/errorGroups/${group.errorGroupId}/stacktrace`);
      expect(trace.threads).toHaveLength(49);
      expect(trace.threads[48].frames).toHaveLength(50);
    });

    it('leave nothing behind of an app that is deleted while they come', async () => {
      const { app, owner, name } = await anApp();
      const sending = Array.from({ length: 12 }, () =>
        post(bench, app, randomUUID(), [startSession(), event('Late', { a: 'b' }), managedError()]),
      );
      const deleted = owner.call('DELETE', `/apps/admin/${name}`);
      for (const { status } of await Promise.all(sending)) expect([200, 401]).toContain(status);
      expect((await deleted).status).toBe(204);
      await bench.jar.settled();
      const again = await makeApp(owner, name);
      await post(bench, again, randomUUID(), [event('New')]);
      const { events } = (await owner.call('GET', `/apps/admin/${name}/analytics/events?${TODAY}`)).body;
      expect(events).toMatchObject([{ name: 'New', count: 1 }]);
    });
  },
  { clockStart: '2026-03-10T12:00:00.000Z' },
);
