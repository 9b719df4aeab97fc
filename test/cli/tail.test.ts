import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { ResourceManagementClient } from '@azure/arm-resources';
import { describe, expect, it } from 'vitest';
import { event, makeTopic, publish } from '../services/events/delivering/grid.ts';
import { eventually } from '../support/eventually.ts';
import { SUBSCRIPTION, withJar } from '../support/jars.ts';
import { type CliProcess, MAIN, runCli, spawnCli, startCli, temporaryFolder } from './cli.ts';

/** Resolves when it listens. */
async function listening(tail: CliProcess): Promise<CliProcess> {
  await eventually(() => expect(tail.stderr()).toContain('cloudjar: listening to '));
  return tail;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('cloudjar tail', () => {
  withJar((bench) => {
    const env = () => ({
      CLOUDJAR_URL: bench.jar.url,
      CLOUDJAR_ADMIN_KEY: bench.jar.adminKey,
      CLOUDJAR_DATA: '/nowhere',
    });
    const tail = (...args: string[]) => listening(spawnCli(['tail', ...args], { env: env() }));
    const groups = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
    const version = 'api-version=2022-12-01';

    it('shows what an official client asks for, a fault that strikes, and the deliveries that follow, for people and as JSON', async () => {
      const people = await tail();
      const programs = await tail('--json');
      const failures = await tail('--status', '>=400', '--requests', '--path', '/subscriptions/*');
      const deliveries = await tail('--deliveries');
      const credential = {
        getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
      };
      const options = { endpoint: bench.jar.httpsUrl };
      const resources = new ResourceManagementClient(credential, SUBSCRIPTION, options);
      await resources.resourceGroups.createOrUpdate('shop', { location: 'westus' });
      await expect(resources.resourceGroups.get('missing')).rejects.toThrow();
      const fault = await bench.jar.faults.add({
        match: { path: `${groups}/shop` },
        effect: { status: 503 },
        count: 1,
      });
      await resources.resourceGroups.get('shop');

      const inbox = bench.jar.inbox('watched');
      const topic = await makeTopic(bench, 'orders');
      const events = new EventGridManagementClient(credential, SUBSCRIPTION, options);
      const destination = { endpointType: 'WebHook' as const, endpointUrl: `${inbox.httpsUrl}?code=s3cret` };
      const subscribing = events.eventSubscriptions.beginCreateOrUpdateAndWait(
        topic.id,
        'watch',
        { destination },
        { updateIntervalInMs: 20 },
      );
      await subscribing;
      await publish(bench, topic, event());
      await bench.jar.settled();

      await eventually(() =>
        expect(people.stdout()).toMatch(
          /POST {4}200 {2}-> https:\/\/localhost:\d+\/_jar\/inbox\/watched {2}events {2}\d/,
        ),
      );
      expect(people.stdout()).toMatch(
        /^\d\d:\d\d:\d\d\.\d{3} {2}PUT {5}201 {2}\/subscriptions\/\S+\/resourcegroups\/shop\?api-version=\S+ {2}resources {2}[\d.]+ ms$/im,
      );
      expect(people.stdout()).toMatch(
        /GET {5}404 {2}\S+\/missing\S+ {2}resources {2}[\d.]+ ms {2}ResourceGroupNotFound: Resource group 'missing'/i,
      );
      expect(people.stdout()).toMatch(
        new RegExp(`GET {5}503 {2}\\S+/shop\\S+ {2}resources {2}.* {2}fault ${fault.id}`, 'i'),
      );
      expect(people.stdout()).not.toContain('\u001b');
      await eventually(() => expect(linesOf(programs.stdout()).length).toBe(linesOf(people.stdout()).length));
      const entries = linesOf(programs.stdout()).map((line) => JSON.parse(line));
      expect(entries).toContainEqual(
        expect.objectContaining({ method: 'PUT', status: 201, caller: 'admin@vendor.example' }),
      );
      expect(entries).toContainEqual(
        expect.objectContaining({ direction: 'outbound', service: 'events', status: 200 }),
      );
      const failed = linesOf(failures.stdout()).map((line) => / (\d{3}) /.exec(line)?.[1]);
      expect(failed).toContain('404');
      expect(failed.every((status) => Number(status) >= 400)).toBe(true);
      expect(linesOf(deliveries.stdout()).every((line) => line.includes(' -> '))).toBe(true);
      expect(people.stdout() + programs.stdout()).not.toContain('s3cret');

      for (const each of [people, programs, failures, deliveries]) {
        each.kill('SIGINT');
        expect(await each.result).toMatchObject({
          code: 0,
          stderr: `cloudjar: listening to ${bench.jar.url}; Ctrl-C ends\n`,
        });
      }
    });

    it('starts with the last entries, and has colours if they are forced', async () => {
      for (const name of ['one', 'two', 'three']) await bench.call('GET', `${groups}/${name}?${version}`);
      const running = spawnCli(['tail', '--last', '2', '--method', 'get'], { env: { ...env(), FORCE_COLOR: '1' } });
      await eventually(() => expect(linesOf(running.stdout())).toHaveLength(2));
      expect(running.stdout()).toContain('\u001b[33m404\u001b[0m');
      expect(linesOf(running.stdout()).map((line) => /resourceGroups\/(\w+)/.exec(line)?.[1])).toEqual([
        'two',
        'three',
      ]);
      running.kill('SIGTERM');
      expect((await running.result).code).toBe(0);
    });

    it('ends when the reader of a pipe has read enough', async () => {
      const command = `"${process.execPath}" "${MAIN}" tail --json --last 1 | head -n 1`;
      const shell = spawn('sh', ['-c', command], {
        env: { ...process.env, ...env() },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let ended = false;
      void once(shell, 'close').then(() => {
        ended = true;
      });
      await eventually(async () => {
        await bench.call('GET', `${groups}?${version}`);
        expect(ended).toBe(true);
      });
      expect(shell.exitCode).toBe(0);
    });

    it.each([
      [['--status', '4x'], 2, /^cloudjar: --status: '4x' is not a status; use 404, 4xx, >=400 or none\.$/m],
      [['--service', 'resource'], 2, /did you mean resources/],
      [['--deliveries', '--requests'], 2, /^cloudjar: tail accepts --requests or --deliveries, not both/],
      [['--last', 'many'], 2, /^cloudjar: --last must be a whole number from 0 to 10000, not 'many'$/m],
      [['--url', 'http://127.0.0.1:1'], 1, /^cloudjar: no jar answers at http:\/\/127\.0\.0\.1:1 /],
    ])('says what is wrong with %j', async (args, code, message) => {
      const result = await runCli(['tail', ...args], { env: env() });
      expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    });
  });

  it('reports a lost connection, waits for the jar, and shows the missed entries', async () => {
    const folder = temporaryFolder();
    const ask = (url: string, path: string) => fetch(`${url}${path}`);
    const first = await startCli([], { folder });
    const waiting = await listening(spawnCli(['tail', '--data', folder]));
    const ending = await listening(spawnCli(['tail', '--data', folder, '--no-wait']));
    await ask(first.url, '/before');
    await eventually(() => expect(waiting.stdout()).toContain('  /before  '));
    first.kill('SIGKILL');
    await first.result;
    expect(await ending.result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`cloudjar: lost the connection to the jar at ${first.url}\n`),
    });
    await eventually(() =>
      expect(waiting.stderr()).toContain(`cloudjar: lost the connection to the jar at ${first.url}; waiting for it`),
    );
    const second = await startCli([], { folder });
    await ask(second.url, '/after');
    await eventually(() => expect(waiting.stdout()).toContain('  /after  '));
    expect(waiting.stderr()).toContain(`cloudjar: listening to ${second.url} again`);
    expect(waiting.stdout().match(/ {2}\/before {2}/g)).toHaveLength(1);
    waiting.kill('SIGINT');
    expect((await waiting.result).code).toBe(0);
  });
});
