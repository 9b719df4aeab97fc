import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';

const QUERIES = '/sql/queries';
const FULL = { display_name: 'Q', query_text: 'SELECT 1', description: 'about', catalog: 'main', schema: 's' };

onAnyStore('data platform: update masks', (bench) => {
  let ask: Ask;
  let id: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    id = (await good(ask('POST', QUERIES, { query: FULL }))).id;
  });

  const change = (update_mask: unknown, query: object) => ask('PATCH', `${QUERIES}/${id}`, { update_mask, query });
  const fields = async () => {
    const { display_name, query_text, description, catalog, schema } = await good(ask('GET', `${QUERIES}/${id}`));
    return { display_name, query_text, description, catalog, schema };
  };

  it('changes the named fields, removes named fields that the body lacks, and leaves the rest', async () => {
    await good(change('description, query_text', { query_text: 'SELECT 2', display_name: 'ignored' }));
    expect(await fields()).toEqual({ ...FULL, query_text: 'SELECT 2', description: undefined });
    await good(change('catalog,catalog,,', { catalog: null }));
    expect(await fields()).toMatchObject({ catalog: undefined, schema: 's' });
  });

  it('replaces the whole object with *: missing fields get their defaults', async () => {
    await good(change('*', { display_name: 'R', catalog: 'other' }));
    expect(await fields()).toEqual({
      display_name: 'R',
      query_text: '',
      description: undefined,
      catalog: 'other',
      schema: undefined,
    });
  });

  it('may name fields that occur only in answers, which stay unchanged', async () => {
    const { create_time, owner_user_name } = await good(ask('GET', `${QUERIES}/${id}`));
    const changed = await good(
      change('id,owner_user_name,create_time,display_name', { display_name: 'B', create_time: 'never' }),
    );
    expect(changed).toMatchObject({ id, create_time, owner_user_name, display_name: 'B' });
  });

  it('immutable fields stay if * does not repeat them, and cannot be changed by a mask', async () => {
    const { id: visualization } = await good(
      ask('POST', '/sql/visualizations', { visualization: { query_id: id, type: 'TABLE', display_name: 'v' } }),
    );
    const path = `/sql/visualizations/${visualization}`;
    await good(ask('PATCH', path, { update_mask: '*', visualization: { type: 'BAR' } }));
    const ignored = { update_mask: 'display_name', visualization: { display_name: 'w', query_id: 'another' } };
    expect(await good(ask('PATCH', path, ignored))).toMatchObject({ query_id: id, type: 'BAR', display_name: 'w' });
    const named = { update_mask: 'query_id', visualization: { query_id: 'another' } };
    expect(refusal(await ask('PATCH', path, named))).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
  });

  it.each([
    ['no mask', undefined, 'INVALID_PARAMETER_VALUE', 'Missing required field: update_mask'],
    ['an empty one', '', 'INVALID_PARAMETER_VALUE', 'Missing required field: update_mask'],
    ['commas alone', ' , ,', 'INVALID_PARAMETER_VALUE', 'Missing required field: update_mask'],
    ['another type', { paths: ['display_name'] }, 'MALFORMED_REQUEST', "'update_mask' must be a string"],
    ['a number', 5, 'MALFORMED_REQUEST', "'update_mask' must be a string"],
    ['an unknown field', 'display_name,colour', 'INVALID_PARAMETER_VALUE', "names 'colour', which is not a field"],
    ['a trap', '__proto__.x', 'INVALID_PARAMETER_VALUE', "names '__proto__.x', which is not a field"],
    ['another trap', 'constructor', 'INVALID_PARAMETER_VALUE', "names 'constructor', which is not a field"],
    ['a part of a text', 'display_name.x', 'INVALID_PARAMETER_VALUE', "names 'display_name.x', which is not a field"],
    ['too long', 'display_name,'.repeat(1000), 'INVALID_PARAMETER_VALUE', 'at most 10000 characters'],
    ['too deep', `tags${'.a'.repeat(1000)}`, 'INVALID_PARAMETER_VALUE', 'at most 32 parts'],
  ])('refuses %s and changes nothing', async (_what, mask, code, message) => {
    const refused = await change(mask, { display_name: 'changed' });
    expect(refusal(refused)).toEqual({ status: 400, code, message: expect.stringContaining(message) });
    expect(await fields()).toEqual(FULL);
  });

  it('a mask in the query may be one text or several', async () => {
    const alert = {
      display_name: 'A',
      query_text: 'SELECT 1',
      warehouse_id: 'w',
      evaluation: { source: { name: 'c' }, comparison_operator: 'EQUAL', threshold: { value: { double_value: 1 } } },
      schedule: { quartz_cron_schedule: '0 0 8 * * ?', timezone_id: 'UTC', pause_status: 'UNPAUSED' },
    };
    const { id: made } = await good(ask('POST', '/alerts', alert));
    const masks = 'update_mask=display_name&update_mask=schedule.pause_status';
    const sent = { display_name: 'B', query_text: 'ignored', schedule: { pause_status: 'PAUSED' } };
    expect(await good(ask('PATCH', `/alerts/${made}?${masks}`, sent))).toMatchObject({
      display_name: 'B',
      query_text: 'SELECT 1',
      schedule: { ...alert.schedule, pause_status: 'PAUSED' },
    });
  });
});
