import { afterEach, beforeEach, expect, test } from 'vitest';
import { answering } from '../kernel/delivery/receivers.ts';
import { MINUTE, Sender } from '../kernel/delivery/sender.ts';
import { type CliResult, runCli } from './cli.ts';

const sender = new Sender([
  {
    name: 'test.hook',
    service: 'sender',
    plainHttp: true,
    schedule: [MINUTE],
    circuit: { afterFailures: 1, probationMs: [MINUTE] },
  },
]);

beforeEach(() => sender.start({ memory: true }));
afterEach(() => sender.close());

function deliveries(...args: string[]): Promise<CliResult> {
  const { url, adminKey } = sender.running;
  return runCli(['deliveries', ...args, '--url', url], { env: { CLOUDJAR_ADMIN_KEY: adminKey } });
}

test('deliveries lists, shows, replays and purges', async () => {
  expect(await deliveries()).toEqual({ code: 0, stdout: 'no deliveries match\n', stderr: '' });
  const receiver = await sender.receiver(answering(404, 200, 503));
  const to = { policy: 'test.hook', destination: 'one', url: `${receiver.url}/hook?code=hidden` };
  const [id = ''] = await sender.enqueue({ ...to, owner: 'me', body: '{"n":1}' });
  await sender.settled();

  const listed = await deliveries('--state', 'dropped', '--owner', 'me', '--top', '5');
  expect(listed.stdout).toBe(
    `${id}  2030-01-01T00:00:00.000Z  dropped        ${receiver.url}/hook  404: not retried by policy test.hook (1 attempt)\n`,
  );
  expect((await deliveries('--state', 'queued')).stdout).toBe('no deliveries match\n');
  const shown = await deliveries('show', id);
  expect(shown.stdout).toMatch(
    / {2}1\. {2}2030-\S+ {2}404 NotFound in [\d.]+ ms {2}404: not retried by policy test.hook\n/,
  );
  expect(shown.stdout).toContain('{"n":1}\n');
  expect(JSON.parse((await deliveries('show', id, '--json')).stdout)).toMatchObject({ id, state: 'dropped' });

  expect((await deliveries('replay', '--state', 'dropped')).stdout).toBe('1 delivery is queued again\n');
  await sender.settled();
  expect(await sender.record(id)).toMatchObject({ state: 'delivered' });
  expect((await deliveries('replay', id)).stdout).toBe(`delivery ${id} is queued again\n`);
  await sender.settled();
  expect((await deliveries('destinations')).stdout).toBe(
    `${receiver.url}/hook  test.hook  probation until 2030-01-01T00:01:00.000Z  1 failed, the last: Busy; 1 queued\n`,
  );
  expect((await deliveries('purge', id)).stdout).toBe(`delivery ${id} is removed\n`);
  expect((await deliveries('purge', '--json')).stdout).toBe('{"removed":0}\n');
});

test('deliveries reports invalid options and arguments', async () => {
  expect(await deliveries('show', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining("'nothing'") });
  expect(await deliveries('replay')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('with at least one filter, for example --state dropped'),
  });
  expect(await deliveries('replay', 'x', '--state', 'dropped')).toMatchObject({
    code: 2,
    stderr: 'cloudjar: deliveries replay takes an id or filters such as --state, not both\n',
  });
  expect(await deliveries('purge', '')).toMatchObject({
    code: 2,
    stderr: 'cloudjar: the id of the delivery is empty\n',
  });
  expect(await deliveries('repaly')).toMatchObject({
    code: 2,
    stderr: "cloudjar: unknown command 'deliveries repaly' (did you mean deliveries replay?)\n",
  });
});
