import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, type Reply } from '../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';
import {
  createPipeline,
  getPipeline,
  getUpdate,
  notebook,
  ORDERS,
  PIPELINES,
  scripted,
  settings,
  startUpdate,
  updatesOf,
} from './support.ts';

onAnyStore(
  'data platform: facts about pipelines (E22): updates',
  (bench) => {
    let ask: Ask;
    const advance = (by: string) => bench.jar.clock.advance(by);

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const invalid = (message: string) => ({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: expect.stringContaining(message),
    });
    const malformed = { status: 400, code: 'MALFORMED_REQUEST' };

    describe('updates', () => {
      it('the options of a request are shown; lists leave out the settings', async () => {
        await notebook(ask, ORDERS, '@dlt.table\ndef orders():\n  pass');
        const id = await createPipeline(ask, settings('a', { development: true }));
        const request = {
          full_refresh_selection: ['orders'],
          refresh_selection: ['others'],
          refresh_flow_selection: ['f'],
          validate_only: false,
          parameters: { a: 'b' },
        };
        const update = await startUpdate(ask, id, { ...request, cause: 'USER_ACTION' });
        const { config, ...shown } = await getUpdate(ask, id, update);
        expect(shown).toMatchObject({ update_id: update, pipeline_id: id, cause: 'USER_ACTION', ...request });
        expect(config).toMatchObject({ id, name: 'a' });
        expect(shown.creation_time).toBe(bench.jar.clock.now().valueOf());
        expect((await updatesOf(ask, id))[0]).not.toHaveProperty('config');
        const { latest_updates: latest } = await getPipeline(ask, id);
        expect(latest).toEqual([
          { update_id: update, state: 'CREATED', creation_time: bench.jar.clock.now().toISOString() },
        ]);
        await advance('90s');
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'RESETTING' });
        await advance('10s');
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'SETTING_UP_TABLES' });
      });

      it.each<[string, object, object]>([
        ['an unknown cause', { cause: 'BOREDOM' }, invalid('must be one of API_CALL')],
        ['a selection that is no list', { refresh_selection: 'a' }, malformed],
        [
          'a table in both',
          { refresh_selection: ['a'], full_refresh_selection: ['a'] },
          invalid("The table 'a' is in"),
        ],
        ['parameters that are no texts', { parameters: { a: 1 } }, malformed],
        ['full_refresh that is no boolean', { full_refresh: 'yes' }, malformed],
      ])('refuses %s', async (_what, body, expected) => {
        const id = await createPipeline(ask, scripted('a', 'exit 0'));
        expect(refusal(await ask('POST', `${PIPELINES}/${id}/updates`, body))).toMatchObject(expected);
      });

      it('an update that only validates ends before tables are set up', async () => {
        const id = await createPipeline(ask, scripted('a', 'exit 1'));
        const update = await startUpdate(ask, id, { validate_only: true });
        await advance('90s');
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'COMPLETED', validate_only: true });
      });

      it('sources that are missing fail the update for good, also in production', async () => {
        const id = await createPipeline(ask, settings('a', { libraries: [{ notebook: { path: '/Shared/none' } }] }));
        const update = await startUpdate(ask, id);
        await advance('1h');
        expect(await updatesOf(ask, id)).toHaveLength(1);
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'FAILED' });
        expect(await getPipeline(ask, id)).toMatchObject({
          state: 'FAILED',
          health: 'UNHEALTHY',
          cause: 'Unable to access the notebook or file "/Shared/none". It does not exist.',
        });
        const filter = encodeURIComponent("level='ERROR'");
        const { events } = await good(ask('GET', `${PIPELINES}/${id}/events?filter=${filter}`));
        expect(events).toMatchObject([
          {
            event_type: 'update_progress',
            error: { fatal: true, exceptions: [{ message: expect.stringContaining('/Shared/none') }] },
          },
        ]);
        const empty = await createPipeline(ask, { name: 'nothing' });
        await startUpdate(ask, empty);
        await advance('5m');
        expect(await getPipeline(ask, empty)).toMatchObject({ cause: expect.stringContaining('no source code') });
      });

      it('a folder of sources is read with the folders inside; the identity has to be allowed to', async () => {
        await good(ask('POST', '/workspace/mkdirs', { path: '/Shared/all/in' }));
        await notebook(ask, '/Shared/all/one', '# cloudjar: sleep 100\n@dlt.table\ndef one():\n  pass');
        await notebook(ask, '/Shared/all/in/two', 'CREATE OR REFRESH STREAMING TABLE two AS SELECT 1');
        const id = await createPipeline(ask, { name: 'g', libraries: [{ glob: { include: '/Shared/all/**' } }] });
        const update = await startUpdate(ask, id);
        await advance('3m');
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'RUNNING' });
        await advance('30s');
        expect(await getUpdate(ask, id, update)).toMatchObject({ state: 'COMPLETED' });
        const { events } = await good(ask('GET', `${PIPELINES}/${id}/events?order_by=timestamp%20asc`));
        const flows = events.filter(({ event_type: type }: { event_type: string }) => type === 'flow_progress');
        expect(flows.map(({ message }: { message: string }) => message)).toEqual([
          "Flow 'two' is RUNNING.",
          "Flow 'one' is RUNNING.",
          "Flow 'two' is COMPLETED.",
          "Flow 'one' is COMPLETED.",
        ]);
        await notebook(ask, '/Users/admin@vendor.example/own', 'x');
        const licensed = await person(bench, 'licensed');
        const libraries = [{ notebook: { path: '/Users/admin@vendor.example/own' } }];
        const theirs = await createPipeline(licensed, { name: 'theirs', libraries });
        await startUpdate(licensed, theirs);
        await advance('5m');
        expect((await getPipeline(licensed, theirs)).cause).toContain('may not run it');
      });

      it('the source that fails is named, its tables have failed, and those of later sources are left out', async () => {
        await notebook(ask, '/Shared/one', '@dlt.table\ndef one():\n  pass');
        await notebook(ask, '/Shared/two', '# cloudjar: echo "bad rows"; exit 2\n@dlt.table\ndef two():\n  pass');
        await notebook(ask, '/Shared/three', '# cloudjar: sleep 5\n@dlt.table\ndef three():\n  pass');
        const libraries = ['one', 'two', 'three'].map((name) => ({ notebook: { path: `/Shared/${name}` } }));
        const notifications = [{ email_recipients: ['admin@vendor.example'], alerts: ['on-flow-failure'] }];
        const id = await createPipeline(ask, { name: 'p', development: true, libraries, notifications });
        await startUpdate(ask, id);
        await advance('5m');
        expect(await getPipeline(ask, id)).toMatchObject({ cause: '/Shared/two: bad rows' });
        const { events } = await good(ask('GET', `${PIPELINES}/${id}/events?order_by=timestamp%20asc`));
        const flows = events.filter(({ event_type: type }: { event_type: string }) => type === 'flow_progress');
        expect(flows.slice(-3).map(({ message }: { message: string }) => message)).toEqual([
          "Flow 'one' is COMPLETED.",
          "Flow 'two' is FAILED.",
          "Flow 'three' is EXCLUDED.",
        ]);
        await bench.jar.settled();
        expect((await bench.jar.mailbox('admin').messages()).map(({ subject }) => subject)).toEqual([
          expect.stringContaining('failed in one of its flows'),
        ]);
        await startUpdate(ask, id, { refresh_selection: ['one'] });
        await advance('5m');
        const again = await good(ask('GET', `${PIPELINES}/${id}/events`));
        const chosen = again.events.filter(({ message }: { message: string }) => message.includes('is RUNNING'));
        expect(chosen[0].message).toContain('Update');
        expect(chosen[1].message).toBe("Flow 'one' is RUNNING.");
      });

      it('in production a failed update is tried again with back-off, five times; in development it is not', async () => {
        const notifications = [
          { email_recipients: ['admin@vendor.example'], alerts: ['on-update-failure', 'on-update-fatal-failure'] },
        ];
        const id = await createPipeline(
          ask,
          scripted('p', 'echo "no luck"; exit 1', { development: false, notifications }),
        );
        await startUpdate(ask, id);
        await advance('2m');
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'RECOVERING', health: 'UNHEALTHY' });
        await advance('1m');
        expect((await updatesOf(ask, id))[0]).toMatchObject({ cause: 'RETRY_ON_FAILURE' });
        await advance('1d');
        const all = await updatesOf(ask, id);
        expect(all.map(({ cause, state }) => `${cause} ${state}`)).toEqual([
          ...Array(5).fill('RETRY_ON_FAILURE FAILED'),
          'API_CALL FAILED',
        ]);
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'FAILED', cause: 'cloudjar: no luck' });
        await bench.jar.settled();
        const subjects = (await bench.jar.mailbox('admin').messages()).map(({ subject }) => subject);
        expect(subjects.filter((subject) => subject.endsWith(' failed'))).toHaveLength(6);
        expect(subjects.filter((subject) => subject.endsWith('failed and is not retried'))).toHaveLength(1);

        const twice = { 'pipelines.numUpdateRetryAttempts': '1', cloudjar: 'exit 1' };
        const few = await createPipeline(ask, { name: 'few', configuration: twice });
        await startUpdate(ask, few);
        const never = await createPipeline(ask, scripted('never', 'exit 1'));
        await startUpdate(ask, never);
        await advance('1d');
        expect(await updatesOf(ask, few)).toHaveLength(2);
        expect(await updatesOf(ask, never)).toHaveLength(1);
      });

      it('a script decides by the attempt; a retry that succeeds makes the pipeline healthy', async () => {
        const script = '[ $CLOUDJAR_ATTEMPT -ge 2 ] || exit 1';
        const id = await createPipeline(ask, scripted('third', script, { development: false }));
        await startUpdate(ask, id);
        await advance('1d');
        expect((await updatesOf(ask, id)).map(({ state }) => state)).toEqual(['COMPLETED', 'FAILED', 'FAILED']);
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'IDLE', health: 'HEALTHY' });
      });

      it('a retry that is due is cancelled by a stop, and by another update', async () => {
        const id = await createPipeline(ask, scripted('p', 'exit 1', { development: false }));
        await startUpdate(ask, id);
        await advance('2m');
        await good(ask('POST', `${PIPELINES}/${id}/stop`));
        await advance('1d');
        expect(await updatesOf(ask, id)).toHaveLength(1);
        await startUpdate(ask, id);
        await advance('2m');
        await startUpdate(ask, id, { validate_only: true });
        await advance('1d');
        expect(await updatesOf(ask, id)).toHaveLength(3);
      });

      it('stop of a pipeline without an active update does nothing', async () => {
        const id = await createPipeline(ask, settings('a'));
        expect(await good(ask('POST', `${PIPELINES}/${id}/stop`))).toEqual({});
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'IDLE' });
      });

      it('a continuous pipeline runs from its creation until it is stopped', async () => {
        const id = await createPipeline(ask, scripted('c', 'sleep 10', { continuous: true }));
        await advance('5m');
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'RUNNING' });
        await advance('30d');
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'RUNNING' });
        await good(ask('POST', `${PIPELINES}/${id}/stop`));
        await advance('1m');
        expect(await getPipeline(ask, id)).toMatchObject({ state: 'IDLE' });
        const other = await createPipeline(ask, scripted('d', 'sleep 10'));
        await good(ask('PUT', `${PIPELINES}/${other}`, scripted('d', 'sleep 10', { continuous: true })));
        expect(await getPipeline(ask, other)).toMatchObject({ state: 'DEPLOYING' });
      });

      it('a schedule starts updates; a firing during an update is skipped', async () => {
        const cron = { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'UTC' };
        const id = await createPipeline(ask, scripted('hourly', 'sleep 5000', { trigger: { cron } }));
        await advance('6h');
        const all = await updatesOf(ask, id);
        expect(all.length).toBe(3);
        const { events } = await good(
          ask('GET', `${PIPELINES}/${id}/events?filter=${encodeURIComponent("level='WARN'")}`),
        );
        expect(events[0].message).toContain('The scheduled update was skipped');
        await good(ask('PUT', `${PIPELINES}/${id}`, scripted('hourly', 'sleep 1')));
        await advance('6h');
        expect(await updatesOf(ask, id)).toHaveLength(3);
      });

      it('updates are listed from the newest on, until one of them, in pages both ways', async () => {
        const id = await createPipeline(ask, scripted('many', 'exit 0'));
        const made: string[] = [];
        for (let i = 0; i < 5; i++) {
          made.unshift(await startUpdate(ask, id));
          await advance('5m');
        }
        const ids = ({ updates }: Reply['body']) => updates.map((each: { update_id: string }) => each.update_id);
        const list = (query: string) => good(ask('GET', `${PIPELINES}/${id}/updates?${query}`));
        expect(ids(await list(`until_update_id=${made[2]}`))).toEqual(made.slice(0, 3));
        const first = await list('max_results=2');
        const second = await list(`max_results=2&page_token=${first.next_page_token}`);
        expect([ids(first), ids(second)]).toEqual([made.slice(0, 2), made.slice(2, 4)]);
        expect(ids(await list(`max_results=2&page_token=${second.prev_page_token}`))).toEqual(made.slice(0, 2));
        expect(refusal(await ask('GET', `${PIPELINES}/${id}/updates?max_results=101`))).toMatchObject(invalid(''));
        await advance('61d');
        expect((await list('')).updates).toEqual([]);
      });
    });
  },
  REAL_TIMES,
);
