import { beforeEach, describe, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const CONDITION = {
  op: 'EQUAL',
  operand: { column: { name: 'c' } },
  threshold: { value: { string_value: 'x' } },
};

const V2 = {
  display_name: 'A',
  query_text: 'SELECT 1',
  warehouse_id: 'w',
  evaluation: {
    source: { name: 'c' },
    comparison_operator: 'GREATER_THAN',
    threshold: { value: { double_value: 5 } },
  },
  schedule: { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'UTC' },
};

onAnyStore(
  'data platform: rules of SQL objects',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    const makeQuery = (fields: object = {}) =>
      good(ask('POST', '/sql/queries', { query: { display_name: 'Q', query_text: 'SELECT 1', ...fields } }));

    it('names are resolved among many and with gaps, as long as they are not too long', async () => {
      const make = async (display_name: string) =>
        ask('POST', '/sql/queries', { query: { display_name }, auto_resolve_display_name: true });
      const names = [];
      for (let count = 0; count < 12; count++) names.push((await make('Many')).body.display_name);
      expect(new Set(names)).toEqual(
        new Set(['Many', ...Array.from({ length: 11 }, (_, index) => `Many (${index + 1})`)]),
      );
      const long = 'n'.repeat(499);
      expect((await make(long)).status).toBe(200);
      expect(refusal(await make(long))).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    });

    it('flags that are no flags are refused', async () => {
      const named = { query: { display_name: 'F' }, auto_resolve_display_name: 'yes' };
      expect(refusal(await ask('POST', '/sql/queries', named))).toMatchObject({
        status: 400,
        code: 'MALFORMED_REQUEST',
      });
      const { id } = await good(ask('POST', '/alerts', V2));
      expect((await ask('DELETE', `/alerts/${id}?purge=maybe`)).status).toBe(400);
      expect(await good(ask('GET', `/alerts/${id}`))).toMatchObject({ lifecycle_state: 'ACTIVE' });
    });

    it.each([100, 20_000])('JSON in a text that is nested %i levels deep is refused', async (depth) => {
      const deep = '['.repeat(depth) + ']'.repeat(depth);
      const { id: query_id } = await makeQuery();
      const visualization = { query_id, type: 'CHART', serialized_options: `{"a":${deep}}` };
      const board = { display_name: 'B', serialized_dashboard: `{"pages":[{"a":${deep}}]}` };
      for (const reply of [
        await ask('POST', '/sql/visualizations', { visualization }),
        await ask('POST', '/lakeview/dashboards', board),
      ])
        expect(refusal(reply)).toMatchObject({ status: 400, message: expect.stringContaining('levels deep') });
    });

    describe('update_mask', () => {
      it('with a star replaces everything but the folder and the owner', async () => {
        const made = await makeQuery({ description: 'old', tags: ['t'], parent_path: '/Workspace/Shared' });
        const change = { update_mask: '*', query: { display_name: 'New', query_text: 'SELECT 2' } };
        const changed = await good(ask('PATCH', `/sql/queries/${made.id}`, change));
        expect(changed).toMatchObject({ display_name: 'New', parent_path: '/Workspace/Shared', run_as_mode: 'OWNER' });
        expect(changed).not.toHaveProperty('description');
        expect(changed).not.toHaveProperty('tags');
        const visualization = { query_id: made.id, type: 'CHART', serialized_options: '{}' };
        const { id } = await good(ask('POST', '/sql/visualizations', { visualization }));
        const replaced = { update_mask: '*', visualization: { type: 'TABLE' } };
        const drawn = await good(ask('PATCH', `/sql/visualizations/${id}`, replaced));
        expect(drawn).toMatchObject({ query_id: made.id, type: 'TABLE' });
        expect(drawn).not.toHaveProperty('serialized_options');
      });

      it.each([
        ['nothing', 400, 'INVALID_PARAMETER_VALUE'],
        ['display_name,nothing', 400, 'INVALID_PARAMETER_VALUE'],
        ['display_name.first', 400, 'INVALID_PARAMETER_VALUE'],
        ['tags.0', 400, 'INVALID_PARAMETER_VALUE'],
        ['__proto__', 400, 'INVALID_PARAMETER_VALUE'],
        ['', 400, 'INVALID_PARAMETER_VALUE'],
        [7, 400, 'MALFORMED_REQUEST'],
        [['display_name'], 400, 'MALFORMED_REQUEST'],
      ])('%j is refused', async (update_mask, status, code) => {
        const { id, update_time } = await makeQuery();
        const query = { display_name: 'Other', tags: ['a'] };
        expect(refusal(await ask('PATCH', `/sql/queries/${id}`, { update_mask, query }))).toMatchObject({
          status,
          code,
        });
        expect(await good(ask('GET', `/sql/queries/${id}`))).toMatchObject({ display_name: 'Q', update_time });
      });

      it('may name fields of answers, to no effect', async () => {
        const { id } = await makeQuery();
        const query = { id: 'other', create_time: 'x', display_name: 'Other' };
        const changed = await good(
          ask('PATCH', `/sql/queries/${id}`, { update_mask: 'id,create_time,display_name', query }),
        );
        expect(changed).toMatchObject({ id, display_name: 'Other' });
      });
    });

    it('administrators transfer queries and alerts by the name of the new owner', async () => {
      const other = await person(bench, 'licensed');
      const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
      const { id: query_id } = await makeQuery();
      const alert = { display_name: 'A', query_id, condition: CONDITION };
      const { id } = await good(ask('POST', '/sql/alerts', { alert }));
      const mask = { update_mask: 'owner_user_name' };
      expect((await other('GET', `/sql/queries/${query_id}`)).status).toBe(403);
      const query = { owner_user_name: userName };
      expect(await good(ask('PATCH', `/sql/queries/${query_id}`, { ...mask, query }))).toMatchObject(query);
      expect(await good(ask('PATCH', `/sql/alerts/${id}`, { ...mask, alert: query }))).toMatchObject(query);
      const renamed = { update_mask: 'display_name', query: { display_name: 'Mine' } };
      expect(await good(other('PATCH', `/sql/queries/${query_id}`, renamed))).toMatchObject(query);
      const back = { owner_user_name: 'admin@vendor.example' };
      expect(refusal(await other('PATCH', `/sql/queries/${query_id}`, { ...mask, query: back }))).toMatchObject({
        status: 403,
        code: 'PERMISSION_DENIED',
      });
      const nobody = { owner_user_name: 'nobody@vendor.example' };
      expect((await ask('PATCH', `/sql/queries/${query_id}`, { ...mask, query: nobody })).status).toBe(404);
    });

    it('an owner who was deleted is shown as unavailable', async () => {
      const { id: query_id } = await makeQuery();
      const users = '/preview/scim/v2/Users';
      const userName = 'leaver@vendor.example';
      const { id } = await good(ask('POST', users, { userName }));
      const change = { update_mask: 'owner_user_name', query: { owner_user_name: userName } };
      await good(ask('PATCH', `/sql/queries/${query_id}`, change));
      await good(ask('DELETE', `/accounts/${accountIdOf(SEED_TENANT)}/scim/v2/Users/${id}`));
      expect(await good(ask('GET', `/sql/queries/${query_id}`))).toMatchObject({ owner_user_name: 'Unavailable' });
    });

    it.each([
      [[{ name: 'a', text_value: { value: 'x' }, numeric_value: { value: 1 } }], 'exactly one of'],
      [[{ name: 'a' }], 'exactly one of'],
      [
        [
          { name: 'a', text_value: {} },
          { name: 'a', text_value: {} },
        ],
        'two parameters',
      ],
      [[{ text_value: {} }], 'parameters[0].name'],
      [[{ name: 'a', date_range_value: { dynamic_date_range_value: 'LAST_YEARS' } }], 'must be one of'],
      [[{ name: 'a', enum_value: { values: [1] } }], 'must be a string'],
      ['none', 'must be an array'],
    ])('refuses parameters of a query: %j', async (parameters, message) => {
      const query = { display_name: 'Q', parameters };
      expect(refusal(await ask('POST', '/sql/queries', { query }))).toMatchObject({
        status: 400,
        message: expect.stringContaining(message),
      });
    });

    it('parameters of every kind are the same in both APIs', async () => {
      const parameters = [
        { name: 'text', type: 'text', value: 7 },
        { name: 'number', type: 'number', value: '1.5' },
        { name: 'day', type: 'datetime', value: '2026-01-01' },
        { name: 'days', type: 'datetime-range', value: { start: '2026-01-01', end: '2026-02-01' } },
        { name: 'week', type: 'datetime-range', value: 'LAST_7_DAYS' },
        { name: 'word', type: 'enum', enumOptions: 'a\nb', value: 'a', multiValuesOptions: null },
        { name: 'words', type: 'enum', enumOptions: 'a\nb', value: ['a', 'b'], multiValuesOptions: { separator: ',' } },
        { name: 'query', type: 'query', queryId: 'q', value: 'x' },
      ];
      const made = await good(
        ask('POST', '/preview/sql/queries', { name: 'Q', query: 'SELECT 1', options: { parameters } }),
      );
      expect(made.options.parameters).toMatchObject([
        { name: 'text', value: '7' },
        { name: 'number', value: 1.5 },
        { name: 'day', type: 'datetime', value: '2026-01-01' },
        { name: 'days', type: 'datetime-range', value: { start: '2026-01-01', end: '2026-02-01' } },
        { name: 'week', type: 'datetime-range', value: 'LAST_7_DAYS' },
        { name: 'word', type: 'enum', value: 'a' },
        { name: 'words', type: 'enum', value: ['a', 'b'] },
        { name: 'query', type: 'query', queryId: 'q', value: 'x' },
      ]);
      await good(ask('DELETE', `/preview/sql/queries/${made.id}`));
      expect(await good(ask('GET', `/preview/sql/queries/${made.id}`))).toMatchObject({
        is_archived: true,
        options: { moved_to_trash_at: expect.any(String) },
      });
    });

    it('an alert of the older API is replaced whole, keeps its folder and shows its query', async () => {
      const { id: query_id } = await makeQuery({ description: 'd', warehouse_id: 'w' });
      const options = { column: 'c', op: '>', value: 5, muted: true, custom_subject: 'S' };
      const parent = `folders/${(await good(ask('GET', '/workspace/get-status?path=/Shared'))).object_id}`;
      const made = await good(ask('POST', '/preview/sql/alerts', { name: 'A', query_id, options, rearm: 60, parent }));
      expect(made).toMatchObject({
        parent,
        state: 'unknown',
        last_triggered_at: null,
        query: { id: query_id, data_source_id: 'w', is_archived: false, options: { parameters: [] }, tags: [] },
      });
      const replaced = { name: 'B', query_id, options: { column: 'c', op: '<=', value: true } };
      await good(ask('PUT', `/preview/sql/alerts/${made.id}`, replaced));
      const read = await good(ask('GET', `/preview/sql/alerts/${made.id}`));
      expect(read).toMatchObject({ name: 'B', parent, options: { op: '<=', value: true, muted: false } });
      expect(read).not.toHaveProperty('rearm');
      expect(read.options).not.toHaveProperty('custom_subject');
    });

    describe('an alert of version 2', () => {
      it.each([
        [
          { evaluation: { ...V2.evaluation, threshold: undefined } },
          400,
          'Missing required field: evaluation.threshold',
        ],
        [{ evaluation: { ...V2.evaluation, threshold: { value: {} } } }, 400, 'exactly one value'],
        [
          { evaluation: { ...V2.evaluation, notification: { subscriptions: [{ destination_id: 'none' }] } } },
          400,
          "no notification destination 'none'",
        ],
        [{ run_as: { user_name: 'somebody@vendor.example' } }, 403, 'permission to set run_as'],
        [{ run_as: {} }, 400, 'exactly one of user_name'],
        [{ run_as: { service_principal_name: 'none' } }, 404, 'none'],
        [{ parent_path: '/Workspace/None' }, 404, "doesn't exist"],
        [
          { schedule: { ...V2.schedule, quartz_cron_schedule: '0 0 25 * * ?' } },
          400,
          'not a valid Quartz cron expression',
        ],
        [{ query_text: 5 }, 400, 'must be a string'],
      ])('refuses %j', async (fields, status, message) => {
        expect(refusal(await ask('POST', '/alerts', { ...V2, ...fields }))).toMatchObject({
          status,
          message: expect.stringContaining(message),
        });
        expect((await good(ask('GET', '/alerts'))).alerts).toEqual([]);
      });

      it('needs no threshold to look for null, runs as its caller, and stays in its folder', async () => {
        const { threshold: _threshold, ...evaluation } = V2.evaluation;
        const me = (await good(ask('GET', '/preview/scim/v2/Me'))).userName;
        const made = await good(
          ask('POST', '/alerts', {
            ...V2,
            evaluation: { ...evaluation, comparison_operator: 'IS_NULL' },
            run_as: { user_name: me },
            parent_path: '/Workspace/Shared',
          }),
        );
        expect(made).toMatchObject({
          run_as: { user_name: me },
          run_as_user_name: me,
          parent_path: '/Workspace/Shared',
        });
        const at = `/alerts/${made.id}`;
        const echoed = { ...made, display_name: 'B' };
        expect(await good(ask('PATCH', `${at}?update_mask=*`, echoed))).toMatchObject({
          display_name: 'B',
          parent_path: '/Workspace/Shared',
        });
        expect(
          refusal(await ask('PATCH', `${at}?update_mask=parent_path`, { parent_path: '/Workspace/Users' })).status,
        ).toBe(400);
        expect(refusal(await ask('PATCH', `${at}?update_mask=evaluation.nothing`, {})).status).toBe(400);
      });
    });
  },
  { clock: 'virtual' },
);
