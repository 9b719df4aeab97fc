import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';

const V2 = {
  display_name: 'V2',
  query_text: 'SELECT 1',
  warehouse_id: 'w',
  evaluation: { source: { name: 'c' }, comparison_operator: 'IS_NULL' },
  schedule: { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'UTC' },
};

const LICENSED = 'licensed@vendor.example';

onAnyStore('data platform: permissions on SQL objects', (bench) => {
  let ask: Ask;
  let reader: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
    reader = await person(bench, 'licensed');
  });

  it.each([
    ['queries', '/sql/queries', { query: { display_name: 'Q' } }, 'id', 'CAN_VIEW', 'CAN_MANAGE'],
    ['alertsv2', '/alerts', V2, 'id', 'CAN_READ', 'CAN_MANAGE'],
    ['dashboards', '/lakeview/dashboards', { display_name: 'D' }, 'dashboard_id', 'CAN_READ', 'CAN_MANAGE'],
    ['dbsql-dashboards', '/preview/sql/dashboards', { name: 'D' }, 'id', 'CAN_VIEW', 'CAN_MANAGE'],
  ])(
    '%s: who is given a level sees the object, and deletes it with the highest',
    async (type, path, body, idField, low, high) => {
      const id = (await good(ask('POST', path, body)))[idField];
      expect((await reader('GET', `${path}/${id}`)).status).toBe(403);
      const grant = (permission_level: string) =>
        good(
          ask('PATCH', `/permissions/${type}/${id}`, {
            access_control_list: [{ user_name: LICENSED, permission_level }],
          }),
        );
      await grant(low);
      expect((await reader('GET', `${path}/${id}`)).status).toBe(200);
      expect((await reader('DELETE', `${path}/${id}`)).status).toBe(403);
      await grant(high);
      expect((await reader('DELETE', `${path}/${id}`)).status).toBe(200);
    },
  );

  it('a query is transferred: the new owner manages it', async () => {
    const { id } = await good(ask('POST', '/sql/queries', { query: { display_name: 'Q' } }));
    await good(ask('POST', `/preview/sql/permissions/queries/${id}/transfer`, { new_owner: LICENSED }));
    expect(await good(reader('GET', `/sql/queries/${id}`))).toMatchObject({ owner_user_name: LICENSED });
    expect(await good(reader('GET', `/preview/sql/queries/${id}`))).toMatchObject({ can_edit: true });
  });
});
