import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, runNow, task } from '../jobs/support.ts';
import { type Ask, control, good, person, withoutRates } from '../support.ts';

/** Messages of alerts, dashboards and jobs that somebody has made too large, or sends where they do not belong. */

const received: { readonly path: string; readonly authorization: string; readonly body: string }[] = [];
let isDown = false;
const server = createServer(async (request, response) => {
  const { url = '', headers } = request;
  received.push({ path: url, authorization: headers.authorization ?? '', body: await text(request) });
  response.writeHead(isDown ? 503 : 200).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close());

onAnyStore(
  'hostile messages',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      await good(ask('GET', '/sql/queries'));
      received.length = 0;
      isDown = false;
    });
    const destination = async (config: object): Promise<string> =>
      (await good(ask('POST', '/notification-destinations', { display_name: 'd', config }))).id;
    const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

    it('a template that names a large result many thousand times is cut, and the mail arrives', async () => {
      const statement = 'SELECT a';
      const cells = Array.from({ length: 90 }, (_, n) => [n, 'x'.repeat(10_000)]);
      const result = { statement, columns: ['n', 'x'], rows: cells };
      await good(control(bench, 'PUT', 'platform/query-results', result));
      const { userName: me } = await good(ask('GET', '/preview/scim/v2/Me'));
      const id = await destination({ generic_webhook: { url: `${origin}/alert` } });
      const evaluation = {
        source: { name: 'n' },
        comparison_operator: 'GREATER_THAN_OR_EQUAL',
        threshold: { value: { double_value: 0 } },
        notification: { subscriptions: [{ user_email: me }, { destination_id: id }] },
      };
      const made = await good(
        ask('POST', '/alerts', {
          display_name: 'Large',
          query_text: statement,
          warehouse_id: 'w',
          evaluation,
          schedule: { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'UTC' },
          custom_summary: 'a\r\nBcc: everybody@vendor.example\r\n\r\n{{ALERT_NAME}}',
          custom_description: `{{QUERY_RESULT_VALUE}} {{constructor}} {{ALERT_NAME}} ${'{{QUERY_RESULT_ROWS}}'.repeat(20_000)}`,
        }),
      );
      await bench.jar.clock.advance('1h');
      expect((await good(ask('GET', `/alerts/${made.id}`))).evaluation.state).toBe('TRIGGERED');
      await bench.jar.settled();
      const [mail] = await bench.jar.mailbox('admin').messages();
      expect(mail?.subject).toBe('a Bcc: everybody@vendor.example Large');
      const [{ body } = { body: '{}' }] = received;
      const { description } = JSON.parse(body).alert;
      expect(description.length).toBeLessThanOrEqual(100_001);
      expect(description).toMatch(/^0 \{\{constructor\}\} Large \[\[0,"xxx/);
    });

    it('a destination that moved gets what waits; its new password goes to no former address', async () => {
      const id = await destination({ generic_webhook: { url: `${origin}/old`, username: 'u', password: 'first' } });
      const job_id = await createJob(ask, {
        webhook_notifications: { on_success: [{ id }] },
        tasks: [task('a', 'true')],
      });
      isDown = true;
      await runNow(ask, job_id);
      await bench.jar.clock.advance('5s');
      const config = { generic_webhook: { url: `${origin}/new`, username: 'u', password: 'second' } };
      await good(ask('PATCH', `/notification-destinations/${id}`, { display_name: 'd', config }));
      isDown = false;
      await bench.jar.clock.advance('1h');
      const tries = received.map(({ path, authorization }) => `${path} ${authorization}`);
      expect(new Set(tries)).toEqual(new Set([`/old ${basic('u', 'first')}`, `/new ${basic('u', 'second')}`]));
    });

    it('addresses of the machine and of this jar get nothing, and deliveries end', async () => {
      const urls = [
        'http://169.254.169.254/latest',
        'http://[::ffff:169.254.169.254]/',
        'http://metadata.google.internal/',
      ];
      const hooks: { id: string }[] = [];
      for (const url of urls) {
        const reply = await ask('POST', '/notification-destinations', {
          display_name: 'd',
          config: { generic_webhook: { url } },
        });
        if (reply.status === 200) hooks.push({ id: reply.body.id });
      }
      const webhook_notifications = { on_success: hooks.slice(0, 3) };
      await runNow(ask, await createJob(ask, { webhook_notifications, tasks: [task('a', 'true')] }));
      await bench.jar.clock.advance('2h');
      const { text: records } = await control(bench, 'GET', 'deliveries');
      expect(records).not.toMatch(/"status":"(?:Delivered|delivered)"/);
    });

    it('a dashboard of large datasets and a name of several lines is sent to all of its subscribers', async () => {
      const wide = Array.from({ length: 1000 }, (_, n) => `c${n}`);
      const rows = Array.from({ length: 20 }, () => wide.map(() => 'y'.repeat(40)));
      await good(control(bench, 'PUT', 'platform/query-results', { statement: 'SELECT w', columns: wide, rows }));
      const datasets = Array.from({ length: 100 }, (_, n) => ({ name: `d${n}`, query: 'SELECT w' }));
      const made = await good(
        ask('POST', '/lakeview/dashboards', {
          display_name: 'one\r\nBcc: everybody@vendor.example',
          serialized_dashboard: JSON.stringify({ pages: [], datasets }),
        }),
      );
      await good(ask('POST', `/lakeview/dashboards/${made.dashboard_id}/published`, {}));
      const at = `/lakeview/dashboards/${made.dashboard_id}/schedules`;
      const cron_schedule = { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'UTC' };
      const { schedule_id } = await good(ask('POST', at, { cron_schedule }));
      const { id: me } = await good(ask('GET', '/preview/scim/v2/Me'));
      await good(
        ask('POST', `${at}/${schedule_id}/subscriptions`, { subscriber: { user_subscriber: { user_id: Number(me) } } }),
      );
      await bench.jar.clock.advance('61m');
      await bench.jar.settled();
      const messages = await bench.jar.mailbox('admin').messages();
      expect(messages).toHaveLength(1);
      expect(messages[0]?.subject).toMatch(/^Dashboard "one\s+Bcc: everybody@vendor.example" was refreshed$/);
      expect(JSON.stringify(messages[0]).length).toBeLessThan(500_000);
    });
  },
  // The middle of an hour: 61 minutes from here hold one full hour.
  { clockStart: '2026-03-02T08:30:00Z' },
);
