import { expect, test } from 'vitest';
import { runCli, startCli } from './cli.ts';

test('keys prints the keys of all services that use keys, or of one service', async () => {
  const { folder, url } = await startCli(['--memory']);
  const all = await runCli(['keys', '--data', folder]);
  expect(all).toEqual({ code: 0, stdout: expect.stringMatching(/^translator {2}[0-9a-f]{32}$/m), stderr: '' });
  const one = await runCli(['keys', 'translator', '--data', folder]);
  expect(one).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{32}\n$/), stderr: '' });
  const key = one.stdout.trim();
  const { stdout } = await runCli(['keys', '--data', folder, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ translator: key });
  expect(JSON.parse((await runCli(['keys', 'translator', '--data', folder, '--json'])).stdout)).toEqual({
    translator: key,
  });
  const answer = await fetch(`${url}/sts/v1.0/issueToken`, {
    method: 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': key },
  });
  expect(answer.status).toBe(200);
});

test('a service without a key is named, and what was meant', async () => {
  const { folder } = await startCli(['--memory']);
  const typo = await runCli(['keys', 'translater', '--data', folder]);
  expect(typo).toMatchObject({ code: 1, stdout: '' });
  expect(typo.stderr).toBe("cloudjar: the jar has no key for 'translater' (did you mean translator?)\n");
  const none = await runCli(['keys', 'resources', '--data', folder]);
  expect(none.stderr).toMatch(/^cloudjar: the jar has no key for 'resources' \(there are keys for translator/);
});
