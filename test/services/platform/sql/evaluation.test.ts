import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const STATEMENT = 'SELECT count(*) AS late FROM orders';

const alertOf = (notification: object, fields: object = {}) => ({
  display_name: 'Late orders',
  query_text: STATEMENT,
  warehouse_id: 'w',
  evaluation: {
    source: { name: 'late' },
    comparison_operator: 'GREATER_THAN',
    threshold: { value: { double_value: 5 } },
    notification,
  },
  schedule: { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'UTC' },
  ...fields,
});

onAnyStore(
  'data platform: alerts are evaluated',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      // The first call creates the workspace.
      await good(ask('GET', '/sql/queries'));
    });

    const give = (result: object) => good(control(bench, 'PUT', 'platform/query-results', result));
    const late = (count: unknown) => give({ statement: STATEMENT, columns: ['late'], rows: [[count]] });
    const evaluate = (id: string) => good(control(bench, 'POST', `platform/alerts/${id}/evaluate`));
    const hook = async (name: string): Promise<string> => {
      const config = { generic_webhook: { url: bench.jar.inbox(name).url } };
      return (await good(ask('POST', '/notification-destinations', { display_name: name, config }))).id;
    };
    const received = async (name: string) => {
      await bench.jar.settled();
      return (await bench.jar.inbox(name).requests()).map((request) => request.json());
    };
    const subjects = async (): Promise<readonly string[]> => {
      await bench.jar.settled();
      return (await bench.jar.mailbox('admin').messages()).map(({ subject }) => subject);
    };

    it('an alert with a schedule goes through its states on the clock, and notifies by mail and webhook', async () => {
      const me = (await good(ask('GET', '/preview/scim/v2/Me'))).userName;
      const subscriptions = [{ user_email: me }, { destination_id: await hook('alerts') }];
      const made = await good(ask('POST', '/alerts', alertOf({ subscriptions, notify_on_ok: true })));
      const at = `/alerts/${made.id}`;
      const read = async () => (await good(ask('GET', at))).evaluation;
      expect(made.evaluation).not.toHaveProperty('last_evaluated_at');
      await bench.jar.clock.advance('1h');
      // The query has no known result.
      expect(await read()).toMatchObject({ state: 'UNKNOWN', last_evaluated_at: expect.any(String) });
      await late(5);
      await bench.jar.clock.advance('1h');
      expect((await read()).state).toBe('OK');
      await late(7);
      await bench.jar.clock.advance('3h');
      expect((await read()).state).toBe('TRIGGERED');
      await late(0);
      await bench.jar.clock.advance('1h');
      expect((await read()).state).toBe('OK');
      await give({ statement: STATEMENT, error: 'TABLE_OR_VIEW_NOT_FOUND' });
      await bench.jar.clock.advance('1h');
      expect((await read()).state).toBe('ERROR');
      const bodies = await received('alerts');
      expect(bodies).toMatchObject([
        {
          event: 'alert_state_change',
          alert: {
            title: 'Alert "Late orders" changed status to TRIGGERED',
            alert: {
              id: made.id,
              name: 'Late orders',
              owner: { email: me },
              query_text: STATEMENT,
              evaluations: [{ source: { name: 'late' }, state: 'TRIGGERED' }],
            },
          },
        },
        { alert: { alert: { evaluations: [{ state: 'OK' }] } } },
      ]);
      expect(await subjects()).toEqual([
        'Alert "Late orders" changed status to TRIGGERED',
        'Alert "Late orders" changed status to OK',
      ]);
    });

    it.each([
      [0, 1],
      [1, 5],
      [7200, 3],
    ])(
      'an alert that stays triggered for 5 hours notifies again after retrigger_seconds %i: %i times',
      async (retrigger_seconds, times) => {
        const subscriptions = [{ destination_id: await hook('again') }];
        await good(ask('POST', '/alerts', alertOf({ subscriptions, retrigger_seconds })));
        await late(9);
        await bench.jar.clock.advance('5h');
        expect(await received('again')).toHaveLength(times);
      },
    );

    it('a paused alert, one in the trash and a purged one are not evaluated; a new schedule counts', async () => {
      await late(9);
      const made = await good(ask('POST', '/alerts', alertOf({})));
      const at = `/alerts/${made.id}`;
      const evaluatedAt = async () => (await good(ask('GET', at))).evaluation.last_evaluated_at;
      await good(ask('PATCH', `${at}?update_mask=schedule.pause_status`, { schedule: { pause_status: 'PAUSED' } }));
      await bench.jar.clock.advance('2h');
      expect(await evaluatedAt()).toBeUndefined();
      const schedule = { quartz_cron_schedule: '0 30 * * * ?', timezone_id: 'UTC', pause_status: 'UNPAUSED' };
      await good(ask('PATCH', `${at}?update_mask=schedule`, { schedule }));
      await bench.jar.clock.advance('1h');
      const last = await evaluatedAt();
      expect(last).toMatch(/:30:00/);
      await good(ask('DELETE', at));
      await bench.jar.clock.advance('2h');
      expect(await evaluatedAt()).toBe(last);
      await good(ask('DELETE', `${at}?purge=true`));
      await bench.jar.clock.advance('2h');
      expect((await ask('GET', at)).status).toBe(404);
      expect((await control(bench, 'POST', `platform/alerts/${made.id}/evaluate`)).status).toBe(404);
    });

    it('an alert of a saved query is evaluated on request; its owner is notified in its own words, once until it rearms', async () => {
      const query = { display_name: 'Orders', query_text: STATEMENT };
      const { id: query_id } = await good(ask('POST', '/sql/queries', { query }));
      const alert = {
        display_name: 'Late',
        query_id,
        condition: {
          op: 'GREATER_THAN_OR_EQUAL',
          operand: { column: { name: 'LATE' } },
          threshold: { value: { string_value: '7' } },
        },
        seconds_to_retrigger: 60,
        custom_subject: '{{ALERT_NAME}} is {{ALERT_STATUS}}: {{QUERY_RESULT_VALUE}} {{UNKNOWN}}',
        custom_body: 'See {{QUERY_NAME}}',
      };
      const { id } = await good(ask('POST', '/sql/alerts', { alert }));
      await late(1);
      await give({ queryId: query_id, columns: ['late'], rows: [[7]] });
      expect(await evaluate(id)).toEqual({ id, state: 'TRIGGERED', notified: true });
      expect(await evaluate(id)).toMatchObject({ notified: false });
      await bench.jar.clock.advance('1m');
      expect(await evaluate(id)).toMatchObject({ notified: true });
      expect(await subjects()).toEqual(Array(2).fill('Late is TRIGGERED: 7 {{UNKNOWN}}'));
      expect(await good(ask('GET', `/sql/alerts/${id}`))).toMatchObject({
        state: 'TRIGGERED',
        trigger_time: expect.any(String),
      });
      expect(await good(ask('GET', `/preview/sql/alerts/${id}`))).toMatchObject({
        state: 'triggered',
        last_triggered_at: expect.any(String),
      });
      await good(ask('DELETE', `/sql/queries/${query_id}`));
      expect(await evaluate(id)).toMatchObject({ state: 'UNKNOWN', problem: 'The query of the alert does not exist.' });
    });

    it('one of 16 evaluations at once notifies', async () => {
      const subscriptions = [{ destination_id: await hook('once') }];
      const { id } = await good(ask('POST', '/alerts', alertOf({ subscriptions })));
      await late(9);
      const all = await Promise.all(Array.from({ length: 16 }, () => evaluate(id)));
      expect(all.filter(({ notified }) => notified)).toHaveLength(1);
      expect(await received('once')).toHaveLength(1);
    });

    it('a result is set, listed, read, replaced and deleted; it goes with its query', async () => {
      const { id: query_id } = await good(ask('POST', '/sql/queries', { query: { display_name: 'Q' } }));
      const set = await give({ queryId: query_id, columns: ['a', 'b'], rows: [[1, null]] });
      expect(set).toMatchObject({ queryId: query_id, rowCount: 1, columns: ['a', 'b'] });
      await give({ queryId: query_id, columns: ['a'], rows: [] });
      await give({ statement: 'SELECT  1 ;', columns: ['a'], rows: [['x']] });
      await give({ statement: ' SELECT\n1', columns: ['a'], rows: [[true]] });
      const { value } = await good(control(bench, 'GET', 'platform/query-results'));
      expect(value).toHaveLength(2);
      const byText = value.find(({ statement }: { statement?: string }) => statement !== undefined);
      expect(await good(control(bench, 'GET', `platform/query-results/${byText.id}`))).toMatchObject({
        rows: [[true]],
      });
      expect((await control(bench, 'DELETE', `platform/query-results/${byText.id}`)).status).toBe(204);
      expect((await control(bench, 'DELETE', `platform/query-results/${byText.id}`)).status).toBe(404);
      await good(ask('DELETE', `/sql/queries/${query_id}`));
      await bench.jar.clock.advance('30d');
      expect((await good(control(bench, 'GET', 'platform/query-results'))).value).toEqual([]);
    });

    it.each([
      [{ columns: ['a'], rows: [] }, 400, 'Give either queryId or statement.'],
      [{ statement: 's', queryId: 'q', columns: ['a'], rows: [] }, 400, 'Give either queryId or statement.'],
      [{ statement: 's' }, 400, 'Give either rows or error.'],
      [{ statement: 's', rows: [[1]] }, 400, 'Rows require columns.'],
      [{ statement: 's', columns: ['a', 'a'], rows: [] }, 400, 'must be unique'],
      [{ statement: 's', columns: ['a'], rows: [[1], [1, 2]] }, 400, 'Row 1 has 2 cells, not 1.'],
      [{ statement: 's', columns: ['a'], rows: [['x'.repeat(1024 * 1024)]] }, 400, 'at most 1048576 bytes'],
      [{ queryId: 'none', columns: ['a'], rows: [] }, 404, "has no query 'none'"],
      [{ workspaceId: 'none', statement: 's', columns: ['a'], rows: [] }, 404, "no workspace 'none'"],
    ])('refuses a result (%#)', async (body, status, message) => {
      const reply = await control(bench, 'PUT', 'platform/query-results', body);
      expect({ status: reply.status, text: reply.text }).toEqual({ status, text: expect.stringContaining(message) });
    });

    it('a result is of the first workspace of the administrator unless it names another', async () => {
      const { value } = await good(control(bench, 'GET', 'platform/workspaces'));
      const [own, others] = (value as { workspaceId: string }[]).map(({ workspaceId }) => workspaceId);
      const set = async (more: object) =>
        (
          await good(
            control(bench, 'PUT', 'platform/query-results', { statement: 's', columns: ['a'], rows: [], ...more }),
          )
        ).workspaceId;
      expect(await set({})).toBe(own);
      expect(await set({ workspaceId: others })).toBe(others);
    });

    it('a schedule that fires every second is refused', async () => {
      const schedule = { quartz_cron_schedule: '* * * * * ?', timezone_id: 'UTC' };
      expect(refusal(await ask('POST', '/alerts', alertOf({}, { schedule })))).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining('at least 10 seconds apart'),
      });
    });
  },
  { clock: 'virtual' },
);
