import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { Vault } from '../../../../src/kernel/auth/index.ts';
import { openConfig, sealConfig } from '../../../../src/services/platform/destinations/config.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, runNow, task } from '../jobs/support.ts';
import { control, good, person, refusal } from '../support.ts';

interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

it('a destination imported without its secrets keeps its mail addresses', () => {
  const vault = Vault.withRandomKey();
  const kept = sealConfig(vault, { email: { addresses: ['ann@vendor.example'] } });
  expect(openConfig(vault, { ...kept, sealed: vault.seal('{}') })).toEqual({ addresses: ['ann@vendor.example'] });
});

const received: Received[] = [];
const tokens: object[] = [];
const server = createServer(async (request, response) => {
  if (request.url === '/token') {
    tokens.push(Object.fromEntries(new URLSearchParams(await text(request))));
    const isBusy = tokens.length === 1;
    response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: 'issued', token_type: 'Bearer', expires_in: 3600 }));
    return;
  }
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

    it('a webhook with an OAuth login gets a token from its own server; no stored delivery contains a secret', async () => {
      const ask = await person(bench);
      const config = {
        generic_webhook: {
          url: `${origin}/hook`,
          oauth_client_id: 'me',
          oauth_client_secret: 'hidden-secret',
          oauth_token_url: `${origin}/token`,
          oauth_scopes: ['a', 'b'],
          oauth_audience: 'hooks',
        },
      };
      const { id } = await good(ask('POST', '/notification-destinations', { display_name: 'OAuth', config }));
      const webhook_notifications = { on_success: [{ id }] };
      await runNow(ask, await createJob(ask, { webhook_notifications, tasks: [task('a', 'true')] }));
      await bench.jar.clock.advance('1m');
      const hooked = received.filter(({ path }) => path === '/hook');
      expect(hooked.map(({ authorization }) => authorization)).toEqual(['Bearer issued']);
      const form = { client_id: 'me', client_secret: 'hidden-secret', audience: 'hooks', scope: 'a b' };
      expect(tokens).toEqual(Array(2).fill({ grant_type: 'client_credentials', ...form }));
      const records = await control(bench, 'GET', 'deliveries');
      expect(records.text).toContain('/hook');
      for (const secret of ['hidden-secret', 'issued', 'xoxb-1', 'R0UT1NG']) expect(records.text).not.toContain(secret);
    });

    it.each([
      [{ oauth_client_id: 'me' }, 'oauth_client_secret'],
      [
        { oauth_client_id: 'me', oauth_client_secret: 's', oauth_token_url: 'https://x.example', username: 'u' },
        'either a username or an OAuth login',
      ],
      [{ oauth_client_id: 'me', oauth_client_secret: 's', oauth_token_url: 'x' }, 'https://'],
    ])('refuses the login %j', async (login, message) => {
      const ask = await person(bench);
      const config = { generic_webhook: { url: `${origin}/hook`, ...login } };
      const reply = await ask('POST', '/notification-destinations', { display_name: 'OAuth', config });
      expect(refusal(reply)).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    });
  },
  { clock: 'virtual', settings: { platform: { pagerDutyUrl: `${origin}/v2/enqueue`, slackUrl: `${origin}/slack` } } },
);
