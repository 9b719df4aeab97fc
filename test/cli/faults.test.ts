import { expect, test } from 'vitest';
import { runCli, startCli } from './cli.ts';

const LIST = '/subscriptions?api-version=2022-12-01';

test('faults are ordered, listed, removed one by one and all together', async () => {
  const { folder, url } = await startCli(['--memory']);
  const faults = (...args: string[]) => runCli(['faults', ...args, '--data', folder]);
  expect(await faults()).toEqual({ code: 0, stdout: 'there are no fault rules\n', stderr: '' });

  const added = await faults('add', '--path', '/subscriptions*', '--status', '429', '--count', '3');
  expect(added.stdout).toMatch(/^fault \w{12} is added: \/subscriptions\* -> status 429, count 3\n$/);
  const id = /fault (\w+)/.exec(added.stdout)?.[1] ?? '';
  expect((await fetch(url + LIST)).status).toBe(429);
  expect((await faults()).stdout).toBe(`${id}  1 of 1        /subscriptions* -> status 429, count 3\n`);

  const all = ['--service', 'resources', '--method', 'put', '--status', '503', '--header', 'Retry-After: 5'];
  const more = ['--header', 'x-a: b:c', '--body', '{"a":1}', '--latency', '30s', '--slow-body', '500ms'];
  const json = await faults('add', ...all, ...more, '--every', '2', '--share', '0.5', '--seed', 'x', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    match: { service: 'resources', method: 'PUT', direction: 'inbound' },
    effect: {
      status: 503,
      headers: { 'retry-after': '5', 'x-a': 'b:c' },
      body: { a: 1 },
      latencyMs: 30_000,
      slowBodyMs: 500,
    },
    every: 2,
    share: 0.5,
    seed: 'x',
  });
  expect(JSON.parse((await faults('--json')).stdout).value).toHaveLength(2);

  expect((await faults('remove', id)).stdout).toBe(`fault ${id} is removed\n`);
  expect(await faults('remove', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `cloudjar: There is no fault rule '${id}' in this jar.\n`,
  });
  expect((await faults('clear')).stdout).toBe('1 fault is removed\n');
  expect(JSON.parse((await faults('clear', '--json')).stdout)).toEqual({ removed: 0 });
});

test.each([
  [['ad'], 2, "unknown command 'faults ad' (did you mean faults add?)"],
  [['add', '--latency', '30'], 2, "--latency must be a duration with its unit, such as 30ms or 30s, not '30'"],
  [['add', '--status', 'x'], 2, "--status must be a whole number from 200 to 599, not 'x'"],
  [['add', '--share', 'half'], 2, "--share must be a number from 0 to 1, not 'half'"],
  [['add', '--header', 'x'], 2, "--header must be a header such as 'Retry-After: 5', not 'x'"],
  [['add', '--stauts', '1'], 2, "unknown option '--stauts' (did you mean --status?)"],
  [['remove'], 2, 'faults remove needs <id>: cloudjar faults remove <id>, such as cloudjar faults remove k3v9m2xw7bpd'],
  [['remove', ''], 2, 'the id of the rule is empty'],
  [['remove', '..'], 2, "'..' cannot be the id of the rule"],
])('faults %j is told to be a mistake', async (args, code, message) => {
  const result = await runCli(['faults', ...args]);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toContain(message);
});

test('what the jar refuses is told in the words of the command line', async () => {
  const { folder } = await startCli(['--memory']);
  const add = (...args: string[]) => runCli(['faults', 'add', ...args, '--data', folder]);
  expect(await add('--drop', '--status', '500')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'cloudjar: --status cannot be given together with --drop.\n',
  });
});

test('what was ordered is no error in the log of the jar', async () => {
  const jar = await startCli(['--memory']);
  await runCli(['faults', 'add', '--path', '/subscriptions*', '--status', '503', '--data', jar.folder]);
  expect((await fetch(jar.url + LIST)).status).toBe(503);
  await expect.poll(jar.stderr).toContain(`GET ${LIST} 503`);
  expect(jar.stderr()).not.toContain('"level":"error"');
});
