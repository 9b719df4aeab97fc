import { expect, test } from 'vitest';
import { startCli } from '../../cli/cli.ts';

test('the log of a request has its id, the trace id of the client and the name of the key, and never the key', async () => {
  const jar = await startCli(['--memory'], { env: { CLOUDJAR_ADMIN_KEY: 'admin-key-of-this-test' } });
  const keys = await fetch(`${jar.url}/_jar/keys`, { headers: { authorization: 'Bearer admin-key-of-this-test' } });
  const { translator: key } = (await keys.json()) as { translator: string };
  const trace = crypto.randomUUID();
  const ask = (query: string, headers: Record<string, string>) =>
    fetch(`${jar.url}/detect?${query}`, { method: 'POST', headers: { 'X-ClientTraceId': trace, ...headers } });
  const answers = [
    await ask(`api-version=3.0&Subscription-Key=${key}`, {}),
    await ask('api-version=3.0', { 'Ocp-Apim-Subscription-Key': `wrong-${key}` }),
  ];
  const order = (rule: object) =>
    fetch(`${jar.url}/_jar/faults`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin-key-of-this-test', 'content-type': 'application/json' },
      body: JSON.stringify(rule),
    });
  await order({ match: { service: 'translator' }, effect: { status: 503 } });
  answers.push(await ask('api-version=3.0', {}));
  jar.kill('SIGTERM');
  const { stderr } = await jar.result;
  const lines = stderr
    .split('\n')
    .filter((line) => line.includes('Translator_Detect'))
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject(
    answers.map(({ status, headers }) => ({
      status,
      service: 'translator',
      clientTraceId: trace,
      requestId: headers.get('x-requestid'),
    })),
  );
  expect(lines.map(({ account }) => account)).toEqual(['default', undefined, undefined]);
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 503]);
  expect(stderr).not.toContain(key);
});
