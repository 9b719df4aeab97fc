import { expect, test } from 'vitest';
import { withJar } from '../support/jars.ts';
import { type CliResult, runCli } from './cli.ts';

const GROUP = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shown?api-version=2022-12-01';

withJar((bench) => {
  const cli = (...args: string[]): Promise<CliResult> =>
    runCli([...args, '--url', bench.jar.url], { env: { CLOUDJAR_ADMIN_KEY: bench.jar.adminKey } });
  const latest = async (): Promise<string> => {
    const { body } = await bench.call('GET', '/_jar/requests?$top=1', { token: bench.jar.adminKey });
    return body.value[0].id;
  };

  test('request prints a request and its answer like HTTP messages, and sends it again', async () => {
    const made = await bench.call('PUT', GROUP, { body: { location: 'westus' } });
    const id = await latest();
    const { code, stdout, stderr } = await cli('request', id);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^# ${id} {2}\\S+ {2}resources {2}[\\d.]+ ms {2}admin@vendor\\.example\n`));
    expect(stdout).toContain(`\nPUT ${GROUP} HTTP/1.1\n`);
    expect(stdout).toContain('\nauthorization: [redacted]\n');
    expect(stdout).toContain('\n\n{"location":"westus"}\n\nHTTP/1.1 201 Created\n');
    expect(stdout.endsWith(`\n\n${made.text}\n`)).toBe(true);
    expect(JSON.parse((await cli('request', id, '--json')).stdout)).toMatchObject({
      id,
      response: { body: made.text },
    });

    const sent = await cli('request', id, '--send', '--fresh-token');
    const [, repetition = ''] = /^status 200 in [\d.]+ ms; cloudjar request (\S+) shows it\n$/.exec(sent.stdout) ?? [];
    expect((await cli('request', repetition)).stdout).toContain(`\n# repeats ${id}\n`);
    expect(JSON.parse((await cli('request', id, '--send', '--json')).stdout)).toMatchObject({ status: 200 });
  });

  test('request says why a body is missing, and does not print control characters', async () => {
    await bench.call('PUT', GROUP, { token: null, body: { location: 'westus' } });
    const id = await latest();
    expect((await cli('request', id)).stdout).toContain('\n# the jar answered before it read the body (21 bytes)\n');
    expect(await cli('request', id, '--send')).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
    await bench.call('POST', '/_jar/inbox/escapes', { token: null, body: '"\u001b[31mred"' });
    const { stdout } = await cli('request', await latest());
    expect(stdout).toContain('\\u001b[31mred');
    expect(stdout).not.toContain('\u001b');
  });

  test('request reports mistakes', async () => {
    expect(await cli('request', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining("'nothing'") });
    expect(await cli('request', 'nothing', '--fresh-token')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only with --send'),
    });
    expect(await cli('request')).toMatchObject({ code: 2 });
  });
});
