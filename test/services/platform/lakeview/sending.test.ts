import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person } from '../support.ts';

const PATH = '/lakeview/dashboards';
const CRON = { quartz_cron_expression: '0 0 8 * * ?', timezone_id: 'UTC' };
const STATEMENT = 'SELECT region, total FROM sales';

onAnyStore(
  'data platform: dashboards are sent on schedule',
  (bench) => {
    let ask: Ask;
    let me: { readonly id: number; readonly userName: string };
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      const { id, userName } = await good(ask('GET', '/preview/scim/v2/Me'));
      me = { id: Number(id), userName };
    });

    const content = JSON.stringify({
      pages: [{ name: 'p' }],
      datasets: [
        { name: 'd', displayName: 'Sales', queryLines: ['SELECT region,\n', ' total FROM sales'] },
        { name: 'e', query: 'SELECT 1' },
      ],
    });

    async function scheduled(fields: object = {}) {
      const board = { display_name: 'Board', serialized_dashboard: content };
      const { dashboard_id } = await good(ask('POST', PATH, board));
      const at = `${PATH}/${dashboard_id}`;
      const { schedule_id } = await good(ask('POST', `${at}/schedules`, { cron_schedule: CRON, ...fields }));
      return { at, schedule: `${at}/schedules/${schedule_id}` };
    }

    const subscribe = (schedule: string, subscriber: object, fields: object = {}) =>
      good(ask('POST', `${schedule}/subscriptions`, { subscriber, ...fields }));

    async function mails(): Promise<readonly { readonly subject: string; readonly text: string }[]> {
      await bench.jar.settled();
      const found = await bench.jar.mailbox('admin').messages();
      return found.map(({ subject, text }) => ({ subject, text }));
    }

    it('subscribers get a published dashboard each morning, with the results of its datasets', async () => {
      const { at, schedule } = await scheduled();
      const url = bench.jar.inbox('boards').url;
      const hook = { display_name: 'Hook', config: { generic_webhook: { url } } };
      const { id: destination_id } = await good(ask('POST', '/notification-destinations', hook));
      await subscribe(schedule, { user_subscriber: { user_id: me.id } });
      await subscribe(schedule, { destination_subscriber: { destination_id } });
      await bench.jar.clock.advance('1d');
      // A draft is not sent.
      expect(await mails()).toEqual([]);
      await good(ask('POST', `${at}/published`, {}));
      const result = { statement: STATEMENT, columns: ['region', 'total'], rows: [['north', 7]] };
      await good(control(bench, 'PUT', 'platform/query-results', result));
      await bench.jar.clock.advance('2d');
      const sent = await mails();
      expect(sent.map(({ subject }) => subject)).toEqual(Array(2).fill('Dashboard "Board" was refreshed'));
      expect(sent[0]?.text).toContain('region | total\nnorth | 7');
      const bodies = (await bench.jar.inbox('boards').requests()).map((request) => request.json());
      expect(bodies).toHaveLength(2);
      expect(bodies[0]).toMatchObject({
        event: 'dashboard_refreshed',
        dashboard: { display_name: 'Board', revision_create_time: expect.any(String) },
        datasets: [
          { name: 'Sales', columns: ['region', 'total'], row_count: 1 },
          { name: 'e', columns: ['1'], row_count: 1 },
        ],
      });
      await good(ask('DELETE', at));
      await bench.jar.clock.advance('40d');
      expect(await mails()).toHaveLength(2);
    });

    it('nothing is sent while a schedule is paused, to skipped subscribers, and after the schedule was deleted', async () => {
      const { at, schedule } = await scheduled({ pause_status: 'PAUSED' });
      await good(ask('POST', `${at}/published`, {}));
      const skipped = { user_subscriber: { user_id: me.id } };
      const subscription = await subscribe(schedule, skipped, { skip_notify: true });
      expect(subscription).toMatchObject({ skip_notify: true });
      await bench.jar.clock.advance('1d');
      await good(ask('PUT', schedule, { cron_schedule: CRON }));
      await bench.jar.clock.advance('1d');
      expect(await mails()).toEqual([]);
      await subscribe(schedule, { user_subscriber: { user_id: me.id } });
      await bench.jar.clock.advance('1d');
      expect(await mails()).toHaveLength(1);
      await good(ask('DELETE', schedule));
      await bench.jar.clock.advance('2d');
      expect(await mails()).toHaveLength(1);
    });

    it('readers of a dashboard can subscribe only themselves', async () => {
      const { at, schedule } = await scheduled();
      const reader = await person(bench, 'licensed');
      const { id, userName } = await good(reader('GET', '/preview/scim/v2/Me'));
      const path = `${schedule}/subscriptions`;
      const self = { subscriber: { user_subscriber: { user_id: Number(id) } } };
      expect((await reader('POST', path, self)).status).toBe(403);
      const access_control_list = [{ user_name: userName, permission_level: 'CAN_READ' }];
      await good(ask('PATCH', `/permissions/dashboards/${at.split('/').at(-1)}`, { access_control_list }));
      const own = await good(reader('POST', path, self));
      const others = { subscriber: { user_subscriber: { user_id: me.id } } };
      expect((await reader('POST', path, others)).status).toBe(403);
      const mine = await good(ask('POST', path, others));
      expect((await reader('DELETE', `${path}/${mine.subscription_id}`)).status).toBe(403);
      await good(reader('DELETE', `${path}/${own.subscription_id}`));
      expect((await good(ask('GET', path))).subscriptions).toHaveLength(1);
    });

    it('one of 16 concurrent changes with the same etag succeeds', async () => {
      const { at } = await scheduled();
      const { etag } = await good(ask('GET', at));
      const change = (_: unknown, index: number) => ask('PATCH', at, { display_name: `Board ${index}`, etag });
      const replies = await Promise.all(Array.from({ length: 16 }, change));
      const statuses = replies.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(15).fill(409)]);
    });

    it('a migrated dashboard has its parameters in the new syntax where asked for', async () => {
      const query = { display_name: 'Q', query_text: 'SELECT {{ day }}, {{a.b}}' };
      const { id: query_id } = await good(ask('POST', '/sql/queries', { query }));
      const { id: visualization_id } = await good(
        ask('POST', '/sql/visualizations', { visualization: { query_id, type: 'CHART' } }),
      );
      const old = await good(ask('POST', '/preview/sql/dashboards', { name: 'Old' }));
      const widget = { dashboard_id: old.id, width: 1, options: {}, visualization_id };
      await good(ask('POST', '/preview/sql/widgets', widget));
      const migrate = async (fields: object) => {
        const body = { source_dashboard_id: old.id, ...fields };
        return JSON.parse((await good(ask('POST', `${PATH}/migrate`, body))).serialized_dashboard).datasets[0].query;
      };
      expect(await migrate({ display_name: 'One', update_parameter_syntax: true })).toBe('SELECT :day, {{a.b}}');
      expect(await migrate({ display_name: 'Two' })).toBe('SELECT {{ day }}, {{a.b}}');
    });

    it('a list of dashboards has summaries only', async () => {
      await scheduled();
      const { dashboards } = await good(ask('GET', `${PATH}?view=DASHBOARD_VIEW_BASIC`));
      expect(Object.keys(dashboards[0]).sort()).toEqual([
        'create_time',
        'dashboard_id',
        'display_name',
        'lifecycle_state',
      ]);
      expect((await ask('GET', `${PATH}?view=FULL`)).status).toBe(400);
      expect((await ask('GET', `${PATH}?show_trashed=yes`)).status).toBe(400);
    });
  },
  { clock: 'virtual' },
);
