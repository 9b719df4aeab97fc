import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const V2 = {
  display_name: 'Late',
  query_text: 'SELECT 1',
  warehouse_id: 'w',
  evaluation: {
    source: { name: 'c', aggregation: 'MAX' },
    comparison_operator: 'GREATER_THAN',
    threshold: { value: { double_value: 5 } },
    notification: { subscriptions: [{ user_email: 'a@vendor.example' }], notify_on_ok: true },
  },
  schedule: { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'Europe/Berlin' },
};

const condition = {
  op: 'EQUAL',
  operand: { column: { name: 'c' } },
  threshold: { value: { string_value: 'x' } },
};

onAnyStore(
  'data platform: alerts',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    it('an alert of version 2 is created, changed by a mask with dots, trashed and purged', async () => {
      const made = await good(ask('POST', '/alerts', V2));
      expect(made).toMatchObject({
        ...V2,
        evaluation: { ...V2.evaluation, state: 'UNKNOWN' },
        schedule: { ...V2.schedule, pause_status: 'UNPAUSED' },
        effective_run_as: { user_name: 'admin@vendor.example' },
        lifecycle_state: 'ACTIVE',
      });
      const mask = 'schedule.pause_status,evaluation.threshold.value';
      const changed = await good(
        ask('PATCH', `/alerts/${made.id}?update_mask=${mask}`, {
          display_name: 'ignored',
          schedule: { pause_status: 'PAUSED' },
          evaluation: { threshold: { value: { double_value: 6 } } },
        }),
      );
      expect(changed).toMatchObject({
        ...V2,
        evaluation: { ...V2.evaluation, threshold: { value: { double_value: 6 } } },
        schedule: { ...V2.schedule, pause_status: 'PAUSED' },
      });
      expect((await good(ask('GET', '/alerts'))).alerts).toHaveLength(1);
      await good(ask('DELETE', `/alerts/${made.id}`));
      expect(await good(ask('GET', `/alerts/${made.id}`))).toMatchObject({ lifecycle_state: 'DELETED' });
      expect((await good(ask('GET', '/alerts'))).alerts).toEqual([]);
      await good(ask('DELETE', `/alerts/${made.id}?purge=true`));
      expect((await ask('GET', `/alerts/${made.id}`)).status).toBe(404);
      const paused = { ...V2.schedule, pause_status: 'PAUSED' };
      const next = await good(ask('POST', '/alerts', { ...V2, schedule: paused }));
      await good(ask('DELETE', `/alerts/${next.id}`));
      await bench.jar.clock.advance('30d');
      expect((await ask('GET', `/alerts/${next.id}`)).status).toBe(404);
    });

    it.each([
      [{ ...V2, query_text: undefined }, 'INVALID_PARAMETER_VALUE', 'Missing required field: query_text'],
      [{ ...V2, schedule: { timezone_id: 'UTC' } }, 'INVALID_PARAMETER_VALUE', 'schedule.quartz_cron_schedule'],
      [
        { ...V2, schedule: { ...V2.schedule, quartz_cron_schedule: '* * *' } },
        'INVALID_PARAMETER_VALUE',
        'not a valid Quartz cron expression',
      ],
      [{ ...V2, schedule: { ...V2.schedule, timezone_id: 'Mars/One' } }, 'INVALID_PARAMETER_VALUE', 'no time zone'],
      [
        { ...V2, evaluation: { ...V2.evaluation, comparison_operator: 'LIKE' } },
        'INVALID_PARAMETER_VALUE',
        "'evaluation.comparison_operator' must be one of",
      ],
      [{ ...V2, evaluation: { ...V2.evaluation, source: 'c' } }, 'MALFORMED_REQUEST', "'evaluation.source' must be"],
      [
        { ...V2, evaluation: { ...V2.evaluation, threshold: {} } },
        'INVALID_PARAMETER_VALUE',
        'either a column or a value',
      ],
      [
        { ...V2, evaluation: { ...V2.evaluation, notification: { subscriptions: [{}] } } },
        'INVALID_PARAMETER_VALUE',
        'either user_email or destination_id',
      ],
    ])('refuses an alert of version 2 (%#)', async (body, code, message) => {
      expect(refusal(await ask('POST', '/alerts', body))).toEqual({
        status: 400,
        code,
        message: expect.stringContaining(message),
      });
      expect((await good(ask('GET', '/alerts'))).alerts).toEqual([]);
    });

    it('an alert belongs to a query that the caller can read, and not to one in the trash', async () => {
      const { id } = await good(ask('POST', '/sql/queries', { query: { display_name: 'Q' } }));
      const alert = { display_name: 'A', query_id: id, condition };
      const made = await good(ask('POST', '/sql/alerts', { alert }));
      expect(made).toMatchObject({ ...alert, state: 'UNKNOWN', lifecycle_state: 'ACTIVE' });
      const named = { update_mask: 'display_name', alert: { display_name: 'B' } };
      expect(await good(ask('PATCH', `/sql/alerts/${made.id}`, named))).toMatchObject({ display_name: 'B' });
      const reader = await person(bench, 'licensed');
      expect(refusal(await reader('POST', '/sql/alerts', { alert }))).toMatchObject({ status: 403 });
      const { threshold: _threshold, ...open } = condition;
      expect((await ask('POST', '/sql/alerts', { alert: { ...alert, condition: open } })).status).toBe(400);
      const isNull = { ...open, op: 'IS_NULL' };
      await good(ask('POST', '/sql/alerts', { alert: { ...alert, condition: isNull } }));
      await good(ask('DELETE', `/sql/queries/${id}`));
      expect(refusal(await ask('POST', '/sql/alerts', { alert: { ...alert, display_name: 'C' } }))).toMatchObject({
        status: 404,
      });
      await good(ask('DELETE', `/sql/alerts/${made.id}`));
      expect((await good(ask('GET', '/sql/alerts'))).results).toHaveLength(1);
      await bench.jar.clock.advance('30d');
      expect((await ask('GET', `/sql/alerts/${made.id}`)).status).toBe(404);
    });
  },
  { clock: 'virtual' },
);
