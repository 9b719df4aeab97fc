import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { objects } from '../../../../src/services/platform/engine/objects.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const OLD = '/preview/sql';
const probe = new JarProbe();

onAnyStore(
  'data platform: the older SQL API',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    it('a query is one whichever API shows it', async () => {
      const parameters = [
        { name: 'n', title: 'N', type: 'number', value: 5 },
        { name: 't', type: 'text', value: 'x' },
        { name: 'e', type: 'enum', enumOptions: 'a\nb', value: 'a' },
        { name: 'q', type: 'query', queryId: 'other', value: 'z' },
        { name: 'd', type: 'datetime', value: '2026-01-01' },
      ];
      await good(ask('POST', '/workspace/mkdirs', { path: '/Shared/old' }));
      const folder = await good(ask('GET', '/workspace/get-status?path=/Shared/old'));
      const parent = `folders/${folder.object_id}`;
      const made = await good(
        ask('POST', `${OLD}/queries`, {
          name: 'Old',
          query: 'SELECT 1',
          data_source_id: 'w1',
          run_as_role: 'viewer',
          parent,
          options: { parameters },
        }),
      );
      expect(made).toMatchObject({
        name: 'Old',
        query: 'SELECT 1',
        data_source_id: 'w1',
        run_as_role: 'viewer',
        parent,
        options: { parameters },
        is_archived: false,
        can_edit: true,
        permission_tier: 'CAN_MANAGE',
        user: { email: 'admin@vendor.example' },
        visualizations: [],
      });
      const current = await good(ask('GET', `/sql/queries/${made.id}`));
      expect(current).toMatchObject({
        display_name: 'Old',
        query_text: 'SELECT 1',
        warehouse_id: 'w1',
        run_as_mode: 'VIEWER',
        parent_path: '/Workspace/Shared/old',
        parameters: [
          { name: 'n', title: 'N', numeric_value: { value: 5 } },
          { name: 't', text_value: { value: 'x' } },
          { name: 'e', enum_value: { enum_options: 'a\nb', values: ['a'] } },
          { name: 'q', query_backed_value: { query_id: 'other', values: ['z'] } },
          { name: 'd', date_value: { date_value: '2026-01-01', precision: 'MINUTE_PRECISION' } },
        ],
      });
      const drawing = { query_id: made.id, type: 'CHART', name: 'Bars', options: { x: 1 } };
      const drawn = await good(ask('POST', `${OLD}/visualizations`, drawing));
      expect(drawn).toMatchObject({ name: 'Bars', options: { x: 1 } });
      expect((await good(ask('GET', `/sql/queries/${made.id}/visualizations`))).results[0]).toMatchObject({
        display_name: 'Bars',
        serialized_options: '{"x":1}',
      });
      await good(ask('POST', `${OLD}/visualizations/${drawn.id}`, { name: 'Lines' }));
      const renamed = await good(ask('POST', `${OLD}/queries/${made.id}`, { name: 'Renamed' }));
      expect(renamed).toMatchObject({ name: 'Renamed', query: 'SELECT 1', visualizations: [{ name: 'Lines' }] });
      await good(ask('DELETE', `${OLD}/visualizations/${drawn.id}`));
      await good(ask('DELETE', `${OLD}/queries/${made.id}`));
      expect(await good(ask('GET', `${OLD}/queries/${made.id}`))).toMatchObject({ is_archived: true });
    });

    it('lists are pages by number, ordered and searched by name', async () => {
      for (const name of ['Beta', 'alpha', 'Gamma sales', 'delta']) {
        await good(ask('POST', `${OLD}/queries`, { name, query: 'SELECT 1' }));
        await bench.jar.clock.advance('1s');
      }
      const names = async (query: string): Promise<string[]> =>
        (await good(ask('GET', `${OLD}/queries?${query}`))).results.map(({ name }: { name: string }) => name);
      expect(await names('')).toEqual(['Beta', 'alpha', 'Gamma sales', 'delta']);
      expect(await names('order=name')).toEqual(['alpha', 'Beta', 'delta', 'Gamma sales']);
      expect(await names('order=-created_at&page_size=3')).toEqual(['delta', 'Gamma sales', 'alpha']);
      expect(await names('order=-created_at&page_size=3&page=2')).toEqual(['Beta']);
      expect(await names('q=SALES')).toEqual(['Gamma sales']);
      expect(await good(ask('GET', `${OLD}/queries?page=9`))).toMatchObject({ count: 4, page: 9, page_size: 25 });
      for (const query of ['page=0', 'page=9999999', 'order=size', 'page_size=-1'])
        expect(refusal(await ask('GET', `${OLD}/queries?${query}`)), query).toMatchObject({ status: 400 });
    });

    it('a dashboard has widgets with texts and visualizations; in the trash it is kept for 30 days, then all of it is gone', async () => {
      const { id: query } = await good(ask('POST', `${OLD}/queries`, { name: 'Q', query: 'SELECT 1' }));
      const drawing = { query_id: query, type: 'CHART', options: {} };
      const drawn = await good(ask('POST', `${OLD}/visualizations`, drawing));
      const board = await good(ask('POST', `${OLD}/dashboards`, { name: 'My Board!', tags: ['t'] }));
      expect(board).toMatchObject({ slug: 'my-board', tags: ['t'], widgets: [], options: {} });
      const widget = (more: object) =>
        ask('POST', `${OLD}/widgets`, { dashboard_id: board.id, width: 1, options: { title: 'W' }, ...more });
      const text = await good(widget({ text: 'Hello' }));
      await bench.jar.clock.advance('1s');
      await good(widget({ visualization_id: drawn.id }));
      expect(refusal(await widget({}))).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
      expect(refusal(await widget({ text: 'x', visualization_id: drawn.id }))).toMatchObject({ status: 400 });
      expect(refusal(await widget({ visualization_id: 'nothing' }))).toMatchObject({ status: 404 });
      expect(refusal(await widget({ text: 'x', dashboard_id: 'nothing' }))).toMatchObject({ status: 404 });
      const shown = await good(ask('GET', `${OLD}/dashboards/${board.id}`));
      expect(shown.widgets).toMatchObject([{ text: 'Hello' }, { visualization: { id: drawn.id } }]);
      await good(ask('POST', `${OLD}/widgets/${text.id}`, { visualization_id: drawn.id }));
      await good(ask('POST', `${OLD}/dashboards/${board.id}`, { name: 'Renamed' }));
      await good(ask('DELETE', `${OLD}/dashboards/${board.id}`));
      expect((await good(ask('GET', `${OLD}/dashboards`))).results).toEqual([]);
      expect(await good(ask('GET', `${OLD}/dashboards/${board.id}`))).toMatchObject({
        is_archived: true,
        options: { moved_to_trash_at: expect.any(String) },
      });
      await good(ask('POST', `${OLD}/dashboards/trash/${board.id}`));
      expect((await good(ask('GET', `${OLD}/dashboards/${board.id}`))).widgets).toHaveLength(2);
      await good(ask('DELETE', `${OLD}/dashboards/${board.id}`));
      await bench.jar.clock.advance('30d');
      expect((await ask('GET', `${OLD}/dashboards/${board.id}`)).status).toBe(404);
      expect(await probe.jar.store.count(objects)).toBe(2);
    });

    it('a dashboard has as many widgets as the limit says', async () => {
      await control(bench, 'PATCH', 'limits', { name: 'platform.dashboard-widgets', limit: 2 });
      const board = await good(ask('POST', `${OLD}/dashboards`, { name: 'B' }));
      const widget = () => ask('POST', `${OLD}/widgets`, { dashboard_id: board.id, width: 1, options: {}, text: 'x' });
      const replies = await Promise.all(Array.from({ length: 6 }, widget));
      const made = replies.filter(({ status }) => status === 200);
      expect(made).toHaveLength(2);
      expect(refusal(await widget())).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      await good(ask('DELETE', `${OLD}/widgets/${made[0]?.body.id}`));
      await good(widget());
    });

    it('an alert is one in both APIs; the older one deletes it for good', async () => {
      const { id: query } = await good(ask('POST', `${OLD}/queries`, { name: 'Q', query: 'SELECT 1' }));
      const options = { column: 'c', op: '>=', value: 5, muted: true, empty_result_state: 'ok' };
      const made = await good(ask('POST', `${OLD}/alerts`, { name: 'A', query_id: query, options, rearm: 60 }));
      expect(made).toMatchObject({ name: 'A', options, rearm: 60, state: 'unknown', query: { id: query, name: 'Q' } });
      expect(await good(ask('GET', `/sql/alerts/${made.id}`))).toMatchObject({
        condition: {
          op: 'GREATER_THAN_OR_EQUAL',
          operand: { column: { name: 'c' } },
          threshold: { value: { double_value: 5 } },
          empty_result_state: 'OK',
        },
        seconds_to_retrigger: 60,
      });
      await good(
        ask('PUT', `${OLD}/alerts/${made.id}`, { name: 'B', query_id: query, options: { ...options, op: '<' } }),
      );
      expect((await good(ask('GET', `${OLD}/alerts`)))[0]).toMatchObject({ name: 'B', options: { op: '<' } });
      await good(ask('DELETE', `${OLD}/alerts/${made.id}`));
      expect((await ask('GET', `/sql/alerts/${made.id}`)).status).toBe(404);
      const wrong = { name: 'A', query_id: query, options: { column: 'c', op: '~', value: 5 } };
      expect(refusal(await ask('POST', `${OLD}/alerts`, wrong)).message).toContain("'options.op' must be one of");
      expect((await ask('POST', `${OLD}/alerts`, { ...wrong, options: { ...options, value: {} } })).status).toBe(400);
    });

    it('the published client works with queries, widgets and dashboards of the older API', async () => {
      const client = new WorkspaceClient({ host: bench.jar.url, token: await bench.jar.token({ ttl: '365d' }) });
      const query = await client.queriesLegacy.create({ name: 'C', query: 'SELECT 1' });
      const board = await good(ask('POST', `${OLD}/dashboards`, { name: 'B' }));
      const widget = await client.dashboardWidgets.create({
        dashboard_id: board.id,
        width: 1,
        text: 'hi',
        options: { title: 'T' },
      });
      expect((await client.dashboards.get({ dashboard_id: board.id })).widgets?.map(({ id }) => id)).toEqual([
        widget.id,
      ]);
      await client.dashboards.delete({ dashboard_id: board.id });
      await client.dashboards.restore({ dashboard_id: board.id });
      const names = [];
      for await (const each of client.queriesLegacy.list({})) names.push(each.name);
      expect(names).toEqual(['C']);
      await client.queriesLegacy.delete({ query_id: query.id as string });
      await client.queriesLegacy.restore({ query_id: query.id as string });
      expect((await client.queriesLegacy.get({ query_id: query.id as string })).is_archived).toBe(false);
    });
  },
  { services: [...SERVICES, probe.service], clock: 'virtual' },
);
