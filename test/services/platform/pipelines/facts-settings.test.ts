import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';
import { createPipeline, getPipeline, ORDERS, PIPELINES, settings } from './support.ts';

onAnyStore(
  'data platform: facts about pipelines (E22): settings',
  (bench) => {
    let ask: Ask;

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

    describe('create', () => {
      it('a name is used once unless allow_duplicate_names', async () => {
        const id = await createPipeline(ask, settings('one'));
        expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        expect(refusal(await ask('POST', PIPELINES, settings('one')))).toEqual({
          status: 409,
          code: 'RESOURCE_CONFLICT',
          message:
            "The pipeline name 'one' is already used by another pipeline. This check can be skipped by setting `allow_duplicate_names = true` in the request.",
        });
        await createPipeline(ask, { ...settings('one'), allow_duplicate_names: true });
        await createPipeline(ask, { libraries: [] });
        await createPipeline(ask, { libraries: [] });
      });

      it('a dry run shows the settings and makes nothing', async () => {
        const { effective_settings: effective, ...rest } = await good(
          ask('POST', PIPELINES, { ...settings('dry'), dry_run: true, run_as: { user_name: 'admin@vendor.example' } }),
        );
        expect(rest).toEqual({});
        expect(effective).toEqual({
          name: 'dry',
          libraries: [{ notebook: { path: ORDERS } }],
          channel: 'CURRENT',
          edition: 'ADVANCED',
          continuous: false,
          development: false,
          photon: false,
        });
        expect(await good(ask('GET', PIPELINES))).toEqual({ statuses: [] });
      });

      it('every setting is kept and shown', async () => {
        const all = {
          name: 'all',
          budget_policy_id: 'b',
          catalog: 'main',
          schema: 'sales_1',
          channel: 'PREVIEW',
          edition: 'PRO',
          clusters: [
            { label: 'default', num_workers: 2, spark_conf: { a: 'b' }, node_type_id: 'n' },
            { label: 'maintenance', autoscale: { min_workers: 1, max_workers: 2, mode: 'LEGACY' } },
          ],
          configuration: { key: 'value' },
          continuous: false,
          deployment: { kind: 'BUNDLE', metadata_file_path: '/x' },
          development: true,
          environment: { dependencies: ['a==1'] },
          event_log: { catalog: 'main', schema: 'logs', name: 'events' },
          filters: { include: ['a'], exclude: ['b'] },
          libraries: [
            { notebook: { path: '/a' } },
            { file: { path: '/b.py' } },
            { jar: 'dbfs:/x.jar' },
            { whl: '/w.whl' },
            { maven: { coordinates: 'g:a:1' } },
          ],
          notifications: [{ email_recipients: ['a@vendor.example'], alerts: ['on-update-failure', 'on-flow-failure'] }],
          parameters: { day: 'monday' },
          photon: true,
          restart_window: { start_hour: 3, days_of_week: ['MONDAY'], time_zone_id: 'UTC' },
          root_path: '/Shared',
          tags: { team: 'data' },
          trigger: { manual: {} },
        };
        const id = await createPipeline(ask, all);
        const { spec, effective_budget_policy_id: budget } = await getPipeline(ask, id);
        expect(spec).toEqual({ id, ...all });
        expect(budget).toBe('b');
        const gateway = {
          connection_name: 'c',
          gateway_storage_catalog: 'main',
          gateway_storage_schema: 's',
        };
        const more = { name: 'gateway', gateway_definition: gateway, serverless: true, target: 't' };
        const other = await createPipeline(ask, more);
        expect((await getPipeline(ask, other)).spec).toMatchObject({ ...more, storage: `dbfs:/pipelines/${other}` });
        const ingestion = { name: 'ingestion', ingestion_definition: { connection_name: 'c', objects: [] } };
        expect((await getPipeline(ask, await createPipeline(ask, ingestion))).spec).toMatchObject(ingestion);
      });

      const library = { notebook: { path: '/a' } };
      it.each<[string, object, object]>([
        [
          'a target with other signs',
          { target: 'a-b' },
          invalid("'target' may contain only letters, digits and underscores"),
        ],
        [
          'a schema with other signs',
          { schema: 'a.b' },
          invalid("'schema' may contain only letters, digits and underscores"),
        ],
        ['schema and target', { schema: 'a', target: 'b' }, invalid("Only one of the fields 'schema' and 'target'")],
        ['catalog and storage', { catalog: 'a', storage: '/b' }, invalid("Only one of the fields 'catalog'")],
        ['an unknown edition', { edition: 'BEST' }, invalid("'edition' must be one of ADVANCED, CORE, PRO")],
        ['an unknown channel', { channel: 'BETA' }, invalid("'channel' must be one of CURRENT, PREVIEW")],
        ['an empty library', { libraries: [{}] }, invalid("'libraries[0]' must have exactly one of notebook, file")],
        ['two in one library', { libraries: [{ ...library, jar: 'x' }] }, invalid('must have exactly one')],
        ['a notebook without a path', { libraries: [{ notebook: {} }] }, invalid('libraries[0].notebook.path')],
        ['a glob among notebooks', { libraries: [library, { glob: { include: '/x/**' } }] }, invalid("'glob' or")],
        ['ingestion with libraries', { libraries: [library], ingestion_definition: {} }, invalid("with 'libraries'")],
        ['an unknown label', { clusters: [{ label: 'x' }] }, invalid('must be one of default, maintenance')],
        ['a label twice', { clusters: [{}, {}] }, invalid("the label 'default' twice")],
        [
          'two sizes',
          { clusters: [{ num_workers: 1, autoscale: { min_workers: 1, max_workers: 2 } }] },
          invalid('one of num_workers and autoscale'),
        ],
        [
          'an autoscale the wrong way round',
          { clusters: [{ autoscale: { min_workers: 3, max_workers: 2 } }] },
          invalid('more min_workers than max_workers'),
        ],
        [
          'an unknown mode of autoscale',
          { clusters: [{ autoscale: { min_workers: 1, max_workers: 2, mode: 'FAST' } }] },
          invalid('must be one of ENHANCED, LEGACY'),
        ],
        ['clusters of serverless', { serverless: true, clusters: [{}] }, invalid('cannot provide cluster settings')],
        ['an unknown alert', { notifications: [{ alerts: ['on-x'] }] }, invalid('on-update-success')],
        ['a bad address', { notifications: [{ email_recipients: ['x'] }] }, invalid('not an e-mail address')],
        [
          'a bad schedule',
          { trigger: { cron: { quartz_cron_schedule: 'x', timezone_id: 'UTC' } } },
          invalid('not a valid Quartz cron expression'),
        ],
        [
          'an unknown time zone',
          { trigger: { cron: { quartz_cron_schedule: '0 0 8 * * ?', timezone_id: 'x' } } },
          invalid("There is no time zone 'x'"),
        ],
        [
          'a schedule of a continuous pipeline',
          { continuous: true, trigger: { cron: { quartz_cron_schedule: '0 0 8 * * ?', timezone_id: 'UTC' } } },
          invalid('A continuous pipeline'),
        ],
        ['an hour too late', { restart_window: { start_hour: 24 } }, invalid('restart_window.start_hour')],
        ['26 tags', { tags: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`t${i}`, ''])) }, invalid('25')],
        ['a tag that is no text', { tags: { a: 1 } }, malformed],
        ['configuration that is no text', { configuration: { a: {} } }, malformed],
        ['a name that is no text', { name: 5 }, malformed],
        ['libraries that are no list', { libraries: {} }, malformed],
        ['run_as of two', { run_as: { user_name: 'a', service_principal_name: 'b' } }, invalid('exactly one of')],
      ])('refuses %s', async (_what, more, expected) => {
        expect(refusal(await ask('POST', PIPELINES, { name: 'x', ...more }))).toMatchObject(expected);
        expect(await good(ask('GET', PIPELINES))).toEqual({ statuses: [] });
      });
    });
  },
  REAL_TIMES,
);
