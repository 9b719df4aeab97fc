import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AzuriteServer } from '../../../support/azurite.ts';
import { onBothStores, type Reply } from '../../../support/jars.ts';
import { StorageGate } from '../../../support/storage-gate.ts';
import { stopAzuriteAfterwards, useAzurite } from '../../../support/use-azurite.ts';
import { errorAttachment, event, handledError, managedError, post, startSession } from '../sdk.ts';
import { administrator, makeApp, type Person } from '../support.ts';
import { emptyStorage, signedConnection, writtenOf } from './storage.ts';

stopAzuriteAfterwards();

let azurite: AzuriteServer;
let gate: StorageGate;

beforeEach(async (context) => {
  if (gate) return;
  azurite = await useAzurite(context);
  gate = await StorageGate.before(azurite);
});
afterAll(() => gate?.close());

const OPTIONS = { allowHttpLoopback: true, clockStart: '2026-03-01T12:00:10Z' } as object;

const folderOf = (time: Date): string => time.toISOString().slice(0, 16).replaceAll(/[-T:]/g, '/');
const names = (records: readonly { EventName?: string }[]): (string | undefined)[] =>
  records.map((each) => each.EventName);

onBothStores(
  'exports',
  (bench) => {
    let owner: Person;
    let app: Reply['body'];
    let path: string;
    let id: string;
    const device = randomUUID();
    const tell = (...logs: Parameters<typeof post>[3]) => post(bench, app, device, logs);
    const shown = async () => (await owner.call('GET', `${path}/${id}`)).body;
    const eventsWritten = async () =>
      (await writtenOf(azurite, app)).flatMap(({ records }) => names(records)).filter((name) => name !== undefined);

    test('logs from before the export are written too, minute by minute, as the real service writes them', async () => {
      // The other store's jar has used the same minutes.
      await emptyStorage(azurite);
      owner = await administrator(bench);
      app = await makeApp(owner, `exported-${randomUUID().slice(0, 8)}`);
      path = `/apps/admin/${app.name}/export_configurations`;
      const session = startSession();
      const firstMinute = bench.jar.clock.now();
      await tell(session, event('early', { colour: 'blue' }, { sid: session.sid, userId: 'u1' }));
      await bench.jar.clock.advance('1m');
      await tell(event('later'), managedError());

      const body = { type: 'blob_storage_connection_string', connection_string: gate.connectionString() };
      const made = await owner.call('POST', path, body);
      expect(made.status).toBe(202);
      expect(made.body).toMatchObject({
        export_type: 'BlobStorage',
        state: 'Pending',
        export_entities: [],
        resource_name: 'devstoreaccount1',
        export_configuration: { type: body.type, backfill: true, blob_path_format_kind: 'WithoutAppId' },
      });
      expect(made.text).not.toContain('Account');
      id = made.body.id;
      await bench.jar.settled();
      expect(await shown()).toMatchObject({ state: 'Enabled' });

      // Logs of the current minute are not exported yet.
      const [first, ...others] = await writtenOf(azurite, app);
      expect(others).toEqual([]);
      expect(first?.name).toBe(`${folderOf(firstMinute)}/logs.v1.data`);
      expect(first?.records).toEqual([
        expect.objectContaining({ MessageType: 'StartSessionLog', InstallId: device, SessionId: session.sid }),
        {
          AppId: app.id,
          Timestamp: firstMinute.toISOString(),
          IngressTimestamp: firstMinute.toISOString(),
          InstallId: device,
          MessageType: 'EventLog',
          MessageId: expect.any(String),
          EventId: expect.any(String),
          EventName: 'early',
          CorrelationId: expect.any(String),
          IsTestMessage: 'False',
          SdkName: 'appcenter.android',
          SdkVersion: '5.0.4',
          Model: 'Pixel 6',
          OemName: 'Google',
          OsName: 'Android',
          OsVersion: '13',
          OsBuild: 'TQ3A.230901.001',
          OsApiLevel: '33',
          Locale: 'en_US',
          TimeZoneOffset: 'PT1H',
          ScreenSize: '1080x2400',
          AppVersion: '1.0',
          AppBuild: '1',
          AppNamespace: 'com.example.app',
          CarrierName: 'Example Mobile',
          CarrierCountry: 'us',
          CountryCode: 'US',
          Properties: '{"colour":"blue"}',
          SessionId: session.sid,
          UserId: 'u1',
        },
      ]);
      await bench.jar.clock.advance('1m');
      expect(await eventsWritten()).toEqual(['early', 'later']);
      expect((await shown()).last_run_time).toBe('2026-03-01T12:02:00.000Z');
    });

    test('crashes, errors and attachments are written if requested, under the name of the app', async () => {
      const changes = { export_entities: ['crashes', 'errors', 'attachments'], blob_path_format_kind: 'WithAppId' };
      const changed = await owner.call('PATCH', `${path}/${id}`, changes);
      expect([changed.status, changed.body.state, changed.body.export_entities]).toEqual([
        200,
        'Enabled',
        changes.export_entities,
      ]);
      const crash = managedError();
      const folder = `${app.id}/${folderOf(bench.jar.clock.now())}`;
      await tell(event('third'), crash, handledError({ step: '2' }), errorAttachment(String(crash.id), 'notes'));
      await bench.jar.clock.advance('1m');
      const written = (await writtenOf(azurite, app)).filter(({ name }) => name.startsWith(folder));
      expect(written.map(({ name }) => name.slice(folder.length + 1)).sort()).toEqual([
        'attachments.v1.json',
        'crashes.v1.json',
        'errors.v1.json',
        'logs.v1.data',
      ]);
      const crashes = written.find(({ name }) => name.includes('crashes'))?.records;
      expect(crashes).toMatchObject([{ MessageType: 'ManagedErrorLog', MessageId: crash.id, Log: { fatal: true } }]);
      const errors = written.find(({ name }) => name.includes('errors'))?.records;
      expect(errors).toMatchObject([{ MessageType: 'HandledErrorLog', Properties: '{"step":"2"}' }]);

      await owner.call('PATCH', `${path}/${id}`, {
        export_entities: ['no_logs'],
        blob_path_format_kind: 'WithoutAppId',
      });
      await tell(event('nobody wants'), managedError());
      await bench.jar.clock.advance('1m');
      await owner.call('PATCH', `${path}/${id}`, { export_entities: [] });
      expect(await eventsWritten()).toEqual(expect.not.arrayContaining(['nobody wants']));
    });

    test('a storage account that does not respond, or whose responses are lost, eventually gets everything exactly once', async () => {
      const before = await eventsWritten();
      gate.mood = 'refuse';
      await tell(event('while down'));
      await bench.jar.clock.advance('1m');
      expect(await shown()).toMatchObject({
        state: 'Enabled',
        state_info: expect.stringContaining('ServerBusy (503)'),
      });
      const asked = gate.seen.length;
      await bench.jar.clock.advance('30s');
      expect(gate.seen.length, 'it waits before it tries again').toBe(asked);

      gate.mood = 'swallow';
      await bench.jar.clock.advance('30s');
      expect(await shown()).toMatchObject({ state_info: expect.stringContaining('could not be reached') });
      await tell(event('while deaf'));
      await bench.jar.clock.advance('1m');

      gate.mood = 'work';
      await bench.jar.clock.advance('10m');
      expect((await eventsWritten()).sort()).toEqual([...before, 'while down', 'while deaf'].sort());
      const healthy = await shown();
      expect([healthy.state, healthy.state_info]).toEqual(['Enabled', undefined]);
    });

    test('logs received while an export is disabled are written after it is enabled again', async () => {
      const before = await eventsWritten();
      expect((await owner.call('POST', `${path}/${id}/disable`, {})).status).toBe(200);
      expect((await owner.call('POST', `${path}/${id}/disable`, {})).status).toBe(200);
      await tell(event('while disabled'));
      await bench.jar.clock.advance('1h');
      expect([(await shown()).state, await eventsWritten()]).toEqual(['Disabled', before]);

      expect((await owner.call('POST', `${path}/${id}/enable`, {})).status).toBe(200);
      await bench.jar.settled();
      expect((await shown()).state).toBe('Enabled');
      expect((await eventsWritten()).sort()).toEqual([...before, 'while disabled'].sort());
    });

    test('two apps that write to the same minute of one account take nothing from each other', async () => {
      const second = await makeApp(owner, `second-${randomUUID().slice(0, 8)}`);
      const body = {
        type: 'blob_storage_connection_string',
        connection_string: gate.connectionString(),
        backfill: false,
      };
      await post(bench, second, device, [event('before it was wanted')]);
      const made = await owner.call('POST', `/apps/admin/${second.name}/export_configurations`, body);
      expect(made.status).toBe(202);
      await bench.jar.clock.advance('1m');
      await tell(event('of the first'));
      await post(bench, second, device, [event('of the second')]);
      await bench.jar.clock.advance('1m');
      expect(await eventsWritten()).toContain('of the first');
      const ofSecond = await writtenOf(azurite, second);
      expect(ofSecond.flatMap(({ records }) => names(records))).toEqual(['of the second']);
    });

    test('an account that refuses its key makes the export invalid, until the key is changed', async () => {
      const wrong = gate.connectionString(Buffer.from('not the key').toString('base64'));
      const changed = await owner.call('PATCH', `${path}/${id}`, { connection_string: wrong });
      expect(changed.body.state).toBe('Pending');
      await bench.jar.settled();
      const invalid = await shown();
      expect(invalid).toMatchObject({ state: 'Invalid', state_info: expect.stringContaining('(403)') });
      await tell(event('while invalid'));
      await bench.jar.clock.advance('1m');

      await owner.call('PATCH', `${path}/${id}`, { connection_string: gate.connectionString() });
      await bench.jar.clock.advance('1m');
      expect(await shown()).toMatchObject({ state: 'Enabled' });
      expect(await eventsWritten()).toContain('while invalid');
    });

    test('an account that is unreachable for a day makes the export invalid', async () => {
      gate.mood = 'refuse';
      await tell(event('too late'));
      await bench.jar.clock.advance('20h');
      expect((await shown()).state).toBe('Enabled');
      await bench.jar.clock.advance('6h');
      expect(await shown()).toMatchObject({
        state: 'Invalid',
        state_info: expect.stringContaining('Abandoned after a day'),
      });
      gate.mood = 'work';
      await owner.call('POST', `${path}/${id}/enable`, {});
      await bench.jar.settled();
      expect(await eventsWritten()).toContain('too late');
    });

    test('tokens for reading see exports and touch none; a deleted one is gone, and writes no more', async () => {
      const readOnly = (await owner.call('POST', '/api_tokens', { scope: ['viewer'] })).body.api_token;
      const asReader = { headers: { 'x-api-token': readOnly } };
      expect((await owner.call('GET', path, undefined, asReader)).body).toMatchObject({ values: [{ id }], total: 1 });
      expect((await owner.call('POST', path, {}, asReader)).status).toBe(403);
      expect((await owner.call('DELETE', `${path}/${id}`, undefined, asReader)).status).toBe(403);

      await tell(event('never'));
      expect((await owner.call('DELETE', `${path}/${id}`)).status).toBe(200);
      await bench.jar.clock.advance('1h');
      expect((await owner.call('GET', `${path}/${id}`)).status).toBe(404);
      expect((await owner.call('DELETE', `${path}/${id}`)).status).toBe(404);
      expect((await owner.call('GET', path)).body).toEqual({ values: [], total: 0 });
      expect(await eventsWritten()).not.toContain('never');
    });

    test('an account is written to by a shared access signature as well as by its key', async () => {
      const signed = await makeApp(owner, `signed-${randomUUID().slice(0, 8)}`);
      const body = { type: 'blob_storage_connection_string', connection_string: signedConnection(gate) };
      const made = await owner.call('POST', `/apps/admin/${signed.name}/export_configurations`, body);
      expect(made.text).not.toContain('sig=');
      await post(bench, signed, device, [event('signed')]);
      await bench.jar.clock.advance('1m');
      const written = await writtenOf(azurite, signed);
      expect(written.flatMap(({ records }) => names(records))).toEqual(['signed']);
    });

    test('logs that are not exported within thirty days are deleted', async () => {
      await tell(event('of last month'));
      await bench.jar.clock.advance('32d');
      await tell(event('of this month'));
      const body = { type: 'blob_storage_connection_string', connection_string: gate.connectionString() };
      await owner.call('POST', path, body);
      await bench.jar.clock.advance('1m');
      const written = await eventsWritten();
      expect(written).toContain('of this month');
      expect(written).not.toContain('of last month');
    });
  },
  OPTIONS,
);
