import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { objects } from '../../../../src/services/platform/engine/objects.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const PATH = '/lakeview/dashboards';
const CRON = { quartz_cron_expression: '0 0 8 * * ?', timezone_id: 'UTC' };
const probe = new JarProbe();

onAnyStore(
  'data platform: dashboards',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    const create = (fields: object = {}, query = '') =>
      ask('POST', `${PATH}${query}`, { display_name: 'Board', ...fields });
    const schedule = (id: string, fields: object = {}) =>
      ask('POST', `${PATH}/${id}/schedules`, { cron_schedule: CRON, ...fields });

    it('a draft is edited by etag, published, reverted and unpublished', async () => {
      const content = JSON.stringify({ pages: [{ name: 'p' }], datasets: [{ name: 'd', query: 'SELECT 1' }] });
      const made = await good(
        create({ serialized_dashboard: content, parent_path: '/Workspace/Shared' }, '?dataset_catalog=c'),
      );
      expect(made).toMatchObject({
        dashboard_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        path: '/Shared/Board.lvdash.json',
        parent_path: '/Shared',
        lifecycle_state: 'ACTIVE',
      });
      expect(JSON.parse(made.serialized_dashboard)).toEqual({
        pages: [{ name: 'p', pageType: 'PAGE_TYPE_CANVAS' }],
        datasets: [{ name: 'd', query: 'SELECT 1', catalog: 'c' }],
      });
      const at = `${PATH}/${made.dashboard_id}`;
      expect(refusal(await ask('GET', `${at}/published`))).toEqual({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
        message: `Unable to find published dashboard [${made.dashboard_id}]`,
      });
      const published = await good(ask('POST', `${at}/published`, { warehouse_id: 'w' }));
      expect(published).toMatchObject({ display_name: 'Board', warehouse_id: 'w', embed_credentials: false });
      const changed = await good(ask('PATCH', at, { display_name: 'Other', etag: made.etag }));
      expect(changed.etag).not.toBe(made.etag);
      expect(refusal(await ask('PATCH', at, { display_name: 'Third', etag: made.etag }))).toMatchObject({
        status: 409,
        code: 'ABORTED',
      });
      expect(await good(ask('GET', `${at}/published`))).toEqual(published);
      const reverted = await good(ask('POST', `${at}/revert`, { etag: changed.etag }));
      expect(reverted).toMatchObject({ display_name: 'Board', serialized_dashboard: made.serialized_dashboard });
      await good(ask('DELETE', `${at}/published`));
      expect((await ask('GET', `${at}/published`)).status).toBe(404);
      expect((await ask('POST', `${at}/revert`, {})).status).toBe(404);
    });

    it('a trashed dashboard is shown on request, and gone after 30 days with its schedules and subscriptions', async () => {
      const { dashboard_id: id } = await good(create());
      const { schedule_id } = await good(schedule(id));
      const { id: destination_id } = await good(
        ask('POST', '/notification-destinations', {
          display_name: 'D',
          config: { email: { addresses: ['a@vendor.example'] } },
        }),
      );
      const subscriber = { destination_subscriber: { destination_id } };
      await good(ask('POST', `${PATH}/${id}/schedules/${schedule_id}/subscriptions`, { subscriber }));
      await good(ask('DELETE', `${PATH}/${id}`));
      expect((await good(ask('GET', PATH))).dashboards).toEqual([]);
      const { dashboards } = await good(ask('GET', `${PATH}?show_trashed=true`));
      expect(dashboards).toMatchObject([{ dashboard_id: id, lifecycle_state: 'TRASHED' }]);
      expect((await ask('GET', `${PATH}/${id}/schedules`)).status).toBe(404);
      expect((await ask('GET', `${PATH}/${id}/schedules/${schedule_id}`)).status).toBe(404);
      await bench.jar.clock.advance('30d');
      expect((await ask('GET', `${PATH}/${id}`)).status).toBe(404);
      expect(await probe.jar.store.count(objects)).toBe(1);
      const { body } = await control(bench, 'GET', 'limits?name=platform.schedule-subscriptions');
      expect(body.value[0].use).toEqual([]);
    });

    it('a dashboard has at most 10 schedules, and a schedule as many subscriptions as its limit says', async () => {
      const { dashboard_id: id } = await good(create());
      const replies = await Promise.all(Array.from({ length: 16 }, () => schedule(id)));
      const made = replies.filter(({ status }) => status === 200);
      expect(made).toHaveLength(10);
      expect(refusal(await schedule(id))).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      const at = `${PATH}/${id}/schedules/${made[0]?.body.schedule_id}`;
      await control(bench, 'PATCH', 'limits', { name: 'platform.schedule-subscriptions', limit: 1 });
      const { user } = (await good(ask('POST', '/preview/sql/queries', { name: 'me' }))) as { user: { id: number } };
      const subscribe = () =>
        ask('POST', `${at}/subscriptions`, { subscriber: { user_subscriber: { user_id: user.id } } });
      const subscribed = await good(subscribe());
      expect(subscribed).toMatchObject({ created_by_user_id: user.id, dashboard_id: id });
      expect(refusal(await subscribe())).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      await good(ask('DELETE', `${at}/subscriptions/${subscribed.subscription_id}?etag=${subscribed.etag}`));
      await good(subscribe());
      await good(ask('DELETE', at));
      await good(schedule(id));
    });

    it('schedules are replaced by etag, and found below their own dashboard only', async () => {
      const { dashboard_id: id } = await good(create());
      const { dashboard_id: other } = await good(create({ display_name: 'Other' }));
      const made = await good(schedule(id, { display_name: 'Daily', pause_status: 'PAUSED' }));
      const at = `${PATH}/${id}/schedules/${made.schedule_id}`;
      const replaced = await good(ask('PUT', at, { cron_schedule: CRON, etag: made.etag }));
      expect(replaced).toMatchObject({ pause_status: 'UNPAUSED', cron_schedule: CRON });
      expect(replaced).not.toHaveProperty('display_name');
      expect(refusal(await ask('PUT', at, { cron_schedule: CRON, etag: made.etag }))).toMatchObject({
        code: 'ABORTED',
      });
      expect(refusal(await ask('DELETE', `${at}?etag=${made.etag}`))).toMatchObject({ status: 409 });
      const elsewhere = `${PATH}/${other}/schedules/${made.schedule_id}`;
      for (const [method, path] of [
        ['GET', elsewhere],
        ['DELETE', elsewhere],
        ['GET', `${elsewhere}/subscriptions`],
      ] as const)
        expect((await ask(method, path)).status, `${method} ${path}`).toBe(404);
      const reader = await person(bench, 'licensed');
      for (const path of [`${PATH}/${id}`, at, `${at}/subscriptions`])
        expect((await reader('GET', path)).status, path).toBe(403);
    });

    it.each([
      [{ display_name: undefined }, 'INVALID_PARAMETER_VALUE', 'Missing required field: display_name'],
      [{ serialized_dashboard: '[]' }, 'INVALID_PARAMETER_VALUE', 'must be a JSON object as text'],
      [{ serialized_dashboard: '{' }, 'INVALID_PARAMETER_VALUE', 'is not valid JSON'],
      [{ serialized_dashboard: {} }, 'MALFORMED_REQUEST', "'serialized_dashboard' must be a string"],
      [{ display_name: 'n'.repeat(501) }, 'RESOURCE_LIMIT_EXCEEDED', 'Object name length'],
    ])('refuses a dashboard: %j', async (fields, code, message) => {
      expect(refusal(await create(fields))).toEqual({ status: 400, code, message: expect.stringContaining(message) });
    });

    it('refuses invalid schedules and subscriptions', async () => {
      const { dashboard_id: id } = await good(create());
      expect(
        refusal(await schedule(id, { cron_schedule: { ...CRON, quartz_cron_expression: 'daily' } })),
      ).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
      });
      expect(refusal(await schedule(id, { cron_schedule: undefined })).message).toContain('cron_schedule');
      expect((await schedule('nothing')).status).toBe(404);
      const { schedule_id } = await good(schedule(id));
      const subscribe = (body: unknown) => ask('POST', `${PATH}/${id}/schedules/${schedule_id}/subscriptions`, body);
      expect((await subscribe({ subscriber: {} })).status).toBe(400);
      expect((await subscribe({ subscriber: { user_subscriber: { user_id: 1 } } })).status).toBe(404);
      expect((await subscribe([])).status).toBe(400);
      expect((await subscribe(undefined)).status).toBe(400);
    });

    it('the published client drafts, publishes, schedules and trashes; a legacy dashboard is migrated', async () => {
      const client = new WorkspaceClient({ host: bench.jar.url, token: await bench.jar.token({ ttl: '365d' }) });
      const made = await client.lakeview.create({ dashboard: { display_name: 'By client' } });
      const dashboard_id = made.dashboard_id as string;
      await client.lakeview.publish({ dashboard_id, embed_credentials: true });
      expect((await client.lakeview.getPublished({ dashboard_id })).embed_credentials).toBe(true);
      const planned = await client.lakeview.createSchedule({ dashboard_id, schedule: { cron_schedule: CRON } });
      const schedules = [];
      for await (const each of client.lakeview.listSchedules({ dashboard_id })) schedules.push(each.schedule_id);
      expect(schedules).toEqual([planned.schedule_id]);
      const old = await good(ask('POST', '/preview/sql/dashboards', { name: 'Old' }));
      const query = await good(ask('POST', '/sql/queries', { query: { display_name: 'Q', query_text: 'SELECT 1' } }));
      const visualization = { query_id: query.id, type: 'CHART' };
      const drawn = await good(ask('POST', '/sql/visualizations', { visualization }));
      const widget = { dashboard_id: old.id, width: 1, options: { position: { col: 1, row: 2, sizeX: 3, sizeY: 4 } } };
      await good(ask('POST', '/preview/sql/widgets', { ...widget, visualization_id: drawn.id }));
      await bench.jar.clock.advance('1s');
      await good(ask('POST', '/preview/sql/widgets', { ...widget, text: '# Hi' }));
      const migrated = await client.lakeview.migrate({ source_dashboard_id: old.id, display_name: 'New' });
      const content = JSON.parse(migrated.serialized_dashboard as string);
      expect(content.datasets).toMatchObject([{ query: 'SELECT 1' }]);
      expect(content.pages[0].layout).toMatchObject([
        { position: { x: 1, y: 2, width: 3, height: 4 } },
        { widget: { textbox_spec: '# Hi' } },
      ]);
      await client.lakeview.trash({ dashboard_id });
      expect((await client.lakeview.get({ dashboard_id })).lifecycle_state).toBe('TRASHED');
    });
  },
  { services: [...SERVICES, probe.service], clock: 'virtual' },
);
