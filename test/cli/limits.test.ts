import { expect, test } from 'vitest';
import { runCli, startCli } from './cli.ts';

const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';

test('limits are listed with their use, changed for all or for one scope, and reset', async () => {
  const { folder, url } = await startCli(['--memory']);
  const limits = (...args: string[]) => runCli(['limits', ...args, '--data', folder]);
  expect((await limits('--name', 'management.resource-groups')).stdout).toBe(
    'management.resource-groups  980  enforced  unused  0 refused\n',
  );
  const { stdout: token } = await runCli(['token', '--data', folder]);
  const put = (name: string) =>
    fetch(`${url}/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}?api-version=2025-04-01`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
      body: '{"location":"eastus"}',
    });
  expect((await put('a')).status).toBe(201);
  expect((await limits('set', 'management.resource-groups', '--limit', '1')).stdout).toBe(
    'management.resource-groups  1  enforced  1 of 1 used  0 refused\n',
  );
  expect((await put('b')).status).toBe(409);
  const scope = ['--scope', `subscription=${SUBSCRIPTION}`];
  const shadow = await limits('set', 'management.resource-groups', '--mode', 'shadow', ...scope);
  expect(shadow.stdout).toContain(`\n  for subscription=${SUBSCRIPTION}: mode=shadow\n`);
  expect((await put('b')).status).toBe(201);
  await limits('set', 'management.resource-groups', '--back', ...scope);
  expect((await limits('set', 'management.resource-groups', '--back')).stdout).toBe(
    'management.resource-groups  980  enforced  2 of 980 used  1 refused, 1 in shadow\n',
  );
  const all = JSON.parse((await limits('--json', '--service', 'resources', ...scope)).stdout);
  expect(all.value.map((each: { name: string }) => each.name)).toContain('management.resources-of-type');
  expect((await limits('--name', 'management.read*')).stdout).toContain('250 and 25/s');
});

test('a mistake in a limit is told in one line', async () => {
  const { folder } = await startCli(['--memory']);
  const limits = (...args: string[]) => runCli(['limits', ...args, '--data', folder]);
  expect(await limits('set', 'management.raeds', '--size', '1')).toMatchObject({
    code: 1,
    stderr: "cloudjar: There is no limit 'management.raeds'; did you mean 'management.reads'?\n",
  });
  expect((await limits('set', 'management.reads', '--limit', '1')).stderr).toContain(
    'which has --size, --refill, --mode',
  );
  expect((await limits('set', 'management.reads')).stderr).toContain('has no values');
  const huge = await limits('set', 'management.resource-groups', '--limit', '99999999999999999999');
  expect(huge).toMatchObject({ code: 2, stderr: expect.stringMatching(/^cloudjar: --limit must be <= \d+\.\n$/) });
  expect(await limits('set', 'management.reads', '--size', 'x')).toMatchObject({ code: 2 });
  expect(await limits('set', 'management.reads', '--back', '--size', '1')).toMatchObject({ code: 2 });
  expect(await limits('sett')).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean limits set?') });
});
