import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, runNow, task } from '../jobs/support.ts';
import { good, person } from '../support.ts';

interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

const received: Received[] = [];
const server = createServer(async (request, response) => {
  received.push({
    path: request.url,
    authorization: request.headers.authorization,
    body: JSON.parse(await text(request)),
  });
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"success"}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close());

onAnyStore(
  'data platform: destinations with one public address',
  (bench) => {
    it('a failed job opens an incident at PagerDuty that the next success resolves; Slack gets a message by its token', async () => {
      const ask = await person(bench);
      const make = async (display_name: string, config: object): Promise<string> =>
        (await good(ask('POST', '/notification-destinations', { display_name, config }))).id;
      const hooks = [
        { id: await make('Pager', { pagerduty: { integration_key: 'R0UT1NG' } }) },
        { id: await make('Chat', { slack: { channel_id: 'C1', oauth_token: 'xoxb-1' } }) },
      ];
      const webhook_notifications = { on_failure: hooks, on_success: hooks };
      const tasks = [task('a', 'echo broken; exit 1')];
      const job_id = await createJob(ask, { name: 'Nightly', webhook_notifications, tasks });
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('1m');
      await good(ask('POST', '/jobs/update', { job_id, new_settings: { tasks: [task('a', 'true')] } }));
      await runNow(ask, job_id);
      await bench.jar.clock.advance('1m');
      await bench.jar.settled();
      const pages = received.filter(({ path }) => path === '/v2/enqueue').map(({ body }) => body);
      expect(pages).toEqual([
        {
          routing_key: 'R0UT1NG',
          event_action: 'trigger',
          dedup_key: expect.stringContaining(String(job_id)),
          payload: {
            summary: `Nightly: run ${run_id} failed`,
            source: expect.stringMatching(/^workspace \d+$/),
            severity: 'error',
            custom_details: expect.objectContaining({ event_type: 'jobs.on_failure' }),
          },
        },
        { routing_key: 'R0UT1NG', event_action: 'resolve', dedup_key: pages[0]?.dedup_key },
      ]);
      const chats = received.filter(({ path }) => path === '/slack');
      expect(chats).toHaveLength(2);
      expect(chats[0]).toEqual({
        path: '/slack',
        authorization: 'Bearer xoxb-1',
        body: { channel: 'C1', text: `Nightly: run ${run_id} failed` },
      });
    });
  },
  { clock: 'virtual', settings: { platform: { pagerDutyUrl: `${origin}/v2/enqueue`, slackUrl: `${origin}/slack` } } },
);
