import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { objects } from '../../../../src/services/platform/engine/objects.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const QUERIES = '/sql/queries';
const CHARTS = '/sql/visualizations';

const probe = new JarProbe();

onAnyStore(
  'data platform: queries and visualizations',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    const query = (fields: object, more: object = {}) => ask('POST', QUERIES, { query: fields, ...more });
    const chart = (query_id: string, fields: object = {}) =>
      ask('POST', CHARTS, { visualization: { query_id, type: 'CHART', ...fields } });
    const used = async (name: string): Promise<number> => {
      const { body } = await control(bench, 'GET', `limits?name=${name}`);
      return body.value[0].use.reduce((sum: number, each: { used: number }) => sum + each.used, 0);
    };

    it('a query is written, drawn, changed by mask, trashed, restored by the older API, and gone 30 days after the last trashing', async () => {
      const made = await good(query({ display_name: 'Sales', query_text: 'SELECT 1', tags: ['a'] }));
      expect(made).toMatchObject({
        display_name: 'Sales',
        query_text: 'SELECT 1',
        tags: ['a'],
        run_as_mode: 'OWNER',
        parent_path: '/Workspace/Users/admin@vendor.example',
        owner_user_name: 'admin@vendor.example',
        lifecycle_state: 'ACTIVE',
      });
      const { id } = made;
      const drawn = await good(chart(id, { display_name: 'Bars', serialized_options: '{"x":1}' }));
      expect((await good(ask('GET', `${QUERIES}/${id}/visualizations`))).results).toEqual([drawn]);
      const masked = { update_mask: 'query_text', query: { query_text: 'SELECT 2', display_name: 'ignored' } };
      expect(await good(ask('PATCH', `${QUERIES}/${id}`, masked))).toMatchObject({
        display_name: 'Sales',
        query_text: 'SELECT 2',
      });
      const [listed] = (await good(ask('GET', QUERIES))).results;
      expect(listed).not.toHaveProperty('parent_path');
      await good(ask('DELETE', `${QUERIES}/${id}`));
      expect((await good(ask('GET', QUERIES))).results).toEqual([]);
      expect(await good(ask('GET', `${QUERIES}/${id}`))).toMatchObject({ lifecycle_state: 'TRASHED' });
      expect(refusal(await ask('GET', `${QUERIES}/${id}/visualizations`))).toMatchObject({ status: 404 });
      expect(refusal(await ask('DELETE', `${CHARTS}/${drawn.id}`))).toMatchObject({ status: 404 });
      await bench.jar.clock.advance('29d');
      await good(ask('POST', `/preview/sql/queries/trash/${id}`));
      await bench.jar.clock.advance('2d');
      expect((await good(ask('GET', `${QUERIES}/${id}/visualizations`))).results).toHaveLength(1);
      await good(ask('DELETE', `${QUERIES}/${id}`));
      await bench.jar.clock.advance('30d');
      expect(refusal(await ask('GET', `${QUERIES}/${id}`))).toMatchObject({ status: 404 });
      expect(await probe.jar.store.count(objects)).toBe(0);
      expect(await used('platform.query-visualizations')).toBe(0);
    });

    it('the published client creates, reads, lists and trashes', async () => {
      const client = new WorkspaceClient({ host: bench.jar.url, token: await bench.jar.token({ ttl: '365d' }) });
      const made = await client.queries.create({ query: { display_name: 'By client', query_text: 'SELECT 1' } });
      const id = made.id as string;
      const drawn = await client.queryVisualizations.create({ visualization: { query_id: id, type: 'TABLE' } });
      const names = [];
      for await (const each of client.queries.list({})) names.push(each.display_name);
      expect(names).toEqual(['By client']);
      const charts = [];
      for await (const each of client.queries.listVisualizations({ id })) charts.push(each.id);
      expect(charts).toEqual([drawn.id]);
      await client.queries.delete({ id });
      expect((await client.queries.get({ id })).lifecycle_state).toBe('TRASHED');
    });

    it('names are unique in a folder unless the request asks for a free one; a name in the trash is free', async () => {
      const folder = { parent_path: '/Workspace/Shared/' };
      const { id } = await good(query({ display_name: 'One', ...folder }));
      expect(refusal(await query({ display_name: 'ONE', parent_path: '/Shared' }))).toMatchObject({
        status: 400,
        code: 'RESOURCE_ALREADY_EXISTS',
      });
      await good(ask('POST', '/workspace/mkdirs', { path: '/Shared/Other' }));
      await good(query({ display_name: 'One', parent_path: '/Workspace/Shared/Other' }));
      const resolved = await Promise.all(
        [1, 2, 3].map(() => good(query({ display_name: 'One', ...folder }, { auto_resolve_display_name: true }))),
      );
      expect(resolved.map(({ display_name }) => display_name).sort()).toEqual(['One (1)', 'One (2)', 'One (3)']);
      await good(ask('DELETE', `${QUERIES}/${id}`));
      await good(query({ display_name: 'One', ...folder }));
      expect(refusal(await ask('POST', `/preview/sql/queries/trash/${id}`))).toMatchObject({
        status: 400,
        code: 'RESOURCE_ALREADY_EXISTS',
      });
    });

    it('a query has as many visualizations as the limit says, and one more after one is deleted', async () => {
      await control(bench, 'PATCH', 'limits', { name: 'platform.query-visualizations', limit: 3 });
      const { id } = await good(query({ display_name: 'Q' }));
      const replies = await Promise.all(Array.from({ length: 12 }, () => chart(id)));
      const made = replies.filter(({ status }) => status === 200);
      expect(made).toHaveLength(3);
      const refused = replies.find(({ status }) => status !== 200);
      expect(refused && refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect(refused?.body.details[0].metadata).toMatchObject({ query: id, value: '3', raisable: 'false' });
      const other = await good(query({ display_name: 'P' }));
      await good(chart(other.id));
      await good(ask('DELETE', `${CHARTS}/${made[0]?.body.id}`));
      await good(chart(id));
      expect((await chart(id)).status).toBe(400);
    });

    it('many visualizations go with their query in slices, and their count with them', async () => {
      const { id } = await good(query({ display_name: 'Q' }));
      for (let from = 0; from < 230; from += 46) {
        await Promise.all(Array.from({ length: 46 }, () => good(chart(id))));
      }
      await good(ask('DELETE', `${QUERIES}/${id}`));
      await bench.jar.clock.advance('30d');
      await bench.jar.clock.advance('1s');
      expect(await probe.jar.store.count(objects)).toBe(0);
      expect(await used('platform.query-visualizations')).toBe(0);
    });

    it.each([
      [{ query: { display_name: '' } }, 'INVALID_PARAMETER_VALUE', "'display_name' must be at least 1"],
      [{ query: { display_name: 5 } }, 'MALFORMED_REQUEST', "'display_name' must be a string"],
      [{ query: { display_name: 'n'.repeat(501) } }, 'RESOURCE_LIMIT_EXCEEDED', 'Object name length'],
      [{ query: { tags: [1] } }, 'MALFORMED_REQUEST', "'tags[0]' must be a string"],
      [{ query: { run_as_mode: 'NOBODY' } }, 'INVALID_PARAMETER_VALUE', 'must be one of OWNER, VIEWER'],
      [{ query: { parameters: [{ title: 'x' }] } }, 'INVALID_PARAMETER_VALUE', 'field: parameters[0].name'],
      [{ query: { parent_path: 'Shared' } }, 'INVALID_PARAMETER_VALUE', "must be absolute and begin with '/'"],
      [{ query: [] }, 'MALFORMED_REQUEST', 'must be an object'],
    ])('refuses a query: %j', async (body, code, message) => {
      const reply = await ask('POST', QUERIES, body);
      expect(refusal(reply)).toEqual({ status: 400, code, message: expect.stringContaining(message) });
      expect((await good(ask('GET', QUERIES))).results).toEqual([]);
    });

    it('refuses visualizations of no query, of another, and with options that are no JSON', async () => {
      const { id } = await good(query({ display_name: 'Q' }));
      expect(refusal(await chart('nothing'))).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
      expect(refusal(await chart(id, { serialized_options: '{' }))).toMatchObject({ status: 400 });
      const drawn = await good(chart(id));
      const moved = { update_mask: 'query_id', visualization: { query_id: 'other' } };
      expect(refusal(await ask('PATCH', `${CHARTS}/${drawn.id}`, moved)).message).toContain("'query_id'");
      expect(refusal(await ask('PATCH', `${CHARTS}/${drawn.id}`, { visualization: {} })).message).toBe(
        'Missing required field: update_mask',
      );
    });

    it('a user without permission neither sees nor changes a query or its visualizations', async () => {
      const { id } = await good(query({ display_name: 'Q' }));
      const drawn = await good(chart(id));
      const reader = await person(bench, 'licensed');
      await good(reader('GET', '/workspace/get-status?path=/'));
      const into = (parent_path: string) => reader('POST', QUERIES, { query: { display_name: 'Mine', parent_path } });
      expect(refusal(await into('/Users/nobody'))).toMatchObject({
        status: 404,
        message: "Path (/Users/nobody) doesn't exist.",
      });
      await good(ask('POST', '/workspace/mkdirs', { path: '/Users/admin@vendor.example/private' }));
      expect(refusal(await into('/Users/admin@vendor.example/private'))).toMatchObject({ status: 403 });
      expect((await good(reader('GET', QUERIES))).results).toEqual([]);
      const calls: [string, string, object?][] = [
        ['GET', `${QUERIES}/${id}`],
        ['DELETE', `${QUERIES}/${id}`],
        ['PATCH', `${QUERIES}/${id}`, { update_mask: 'query_text', query: { query_text: 'x' } }],
        ['GET', `${QUERIES}/${id}/visualizations`],
        ['POST', CHARTS, { visualization: { query_id: id, type: 'T' } }],
        ['DELETE', `${CHARTS}/${drawn.id}`],
      ];
      for (const call of calls)
        expect(refusal(await reader(...call)), call.join(' ')).toMatchObject({
          status: 403,
          code: 'PERMISSION_DENIED',
        });
      const other = await person(bench, 'other');
      for (const call of calls) expect((await other(...call)).status, call.join(' ')).toBe(404);
    });
  },
  { services: [...SERVICES, probe.service], clock: 'virtual' },
);
