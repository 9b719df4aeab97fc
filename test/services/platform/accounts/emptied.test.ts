import { expect, it } from 'vitest';
import { openWithStore } from '../open-store.ts';
import { ACCOUNT } from '../sdk.ts';

/** These collections stay: records of past events, and received requests. */
const TRAIL = /kernel\.(?:changes|requests|clock|traces)|platform\.limit_increases/;

it('a deleted workspace leaves only the audit trail behind, and no counts', async () => {
  const { running, ask, control, captured } = await openWithStore();
  try {
    const made = await ask('POST', `/api/2.0/accounts/${ACCOUNT}/workspaces`, { workspace_name: 'gone' });
    const id = String(made.body.workspace_id);
    const there = (path: string, body: object) =>
      ask('POST', `/api/2.0${path}`, body, undefined, { 'x-databricks-org-id': id });
    for (let n = 0; n < 3; n += 1) {
      await there('/secrets/scopes/create', { scope: `s${n}` });
      await there('/secrets/put', { scope: `s${n}`, key: 'k', string_value: 'v' });
      await there('/token/create', { comment: `t${n}` });
      await there('/jobs/create', {
        name: `j${n}`,
        tasks: [{ task_key: 'a', spark_jar_task: { main_class_name: 'A' } }],
        triggers: [
          { file_arrival: { url: 'dbfs:/in' } },
          { table_update: { table_names: ['main.default.a', 'main.default.b'] } },
          { model: { condition: 'MODEL_CREATED' } },
        ],
      });
      await there('/preview/sql/query_snippets', { trigger: `t${n}`, snippet: 'SELECT 1' });
      await there('/sql/warehouses', { name: `w${n}`, cluster_size: 'Small' });
      await there('/ip-access-lists', { label: `l${n}`, list_type: 'BLOCK', ip_addresses: ['10.0.0.1'] });
      await there('/workspace/mkdirs', { path: `/Shared/d${n}` });
      await there('/preview/scim/v2/Groups', { displayName: `g${n}` });
    }
    await there('/git-credentials', {
      git_provider: 'gitHub',
      git_username: 'me',
      personal_access_token: 'ghp_secret',
    });
    const { id: queryId } = (await there('/sql/queries', { query: { display_name: 'q', query_text: 'SELECT 1' } }))
      .body;
    const result = { workspaceId: id, columns: ['a'], rows: [[1]] };
    await control('PUT', 'platform/query-results', { ...result, queryId });
    await control('PUT', 'platform/query-results', { ...result, statement: 'SELECT 1' });
    await there('/alerts', {
      display_name: 'a',
      query_text: 'SELECT 1',
      warehouse_id: 'w',
      evaluation: { source: { name: 'a' }, comparison_operator: 'IS_NULL' },
      schedule: { quartz_cron_schedule: '0 0 0 * * ?', timezone_id: 'UTC' },
    });
    const { dashboard_id } = (await there('/lakeview/dashboards', { display_name: 'd' })).body;
    const cron_schedule = { quartz_cron_expression: '0 0 0 * * ?', timezone_id: 'UTC' };
    await there(`/lakeview/dashboards/${dashboard_id}/schedules`, { cron_schedule });
    const { cluster_id } = (
      await there('/clusters/create', {
        cluster_name: 'c',
        spark_version: '16.4.x-scala2.12',
        node_type_id: 'Standard_DS3_v2',
        num_workers: 1,
      })
    ).body;
    await control('POST', 'clock/advance', { by: '10m' });
    await ask('POST', '/api/1.2/contexts/create', { clusterId: cluster_id, language: 'python' }, undefined, {
      'x-databricks-org-id': id,
    });
    const about = async () => (await captured()).filter((each) => each.includes(id) && !TRAIL.test(each.slice(0, 200)));
    expect((await about()).some((each) => each.includes('platform.scope-secrets'))).toBe(true);
    expect((await about()).filter((each) => each.includes('platform.query_results'))).toHaveLength(1);
    expect((await about()).some((each) => each.includes('platform.catalog_watches'))).toBe(true);
    await ask('DELETE', `/api/2.0/accounts/${ACCOUNT}/workspaces/${id}`);
    await control('POST', 'clock/advance', { by: '60d' });
    expect(await about()).toEqual([]);
  } finally {
    await running.close();
  }
});
