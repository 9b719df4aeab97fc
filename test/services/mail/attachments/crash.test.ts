import { describe, expect, it, type TestContext } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../../cli/cli.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';

const MB = 1024 * 1024;
const SIZE = 3 * MB + 77;
// biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of several shapes
const jsonOf = async (response: Response): Promise<any> => response.json();
const PIECE = 2_000_001;

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'uploads') : undefined;
  const args = url === undefined ? [] : ['--database-url', url];
  let jar: StartedJar = await startCli(args);
  const { folder } = jar;
  const token = await tokenOf(jar);
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${jar.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return jsonOf(response);
  };
  const { id } = await ask('POST', '/v1.0/me/messages', { subject: 'Large' });
  const item = { attachmentType: 'file', name: 'big.bin', size: SIZE };
  const { uploadUrl } = await ask('POST', `/v1.0/me/messages/${id}/attachments/createUploadSession`, {
    AttachmentItem: item,
  });
  const { pathname } = new URL(uploadUrl);
  const whole = Buffer.from(Array.from({ length: SIZE }, (_, index) => (index * 31 + (index >> 8)) % 251));
  for (let from = 0; from < SIZE; from += PIECE) {
    const to = Math.min(SIZE, from + PIECE);
    const answer = await fetch(`${jar.url}${pathname}`, {
      method: 'PUT',
      headers: { 'content-range': `bytes ${from}-${to - 1}/${SIZE}` },
      body: new Uint8Array(whole.subarray(from, to)),
    });
    expect(answer.status).toBe(to === SIZE ? 201 : 200);
    jar.kill('SIGKILL');
    await jar.result;
    jar = await startCli(args, { folder });
    const status = await jsonOf(await fetch(`${jar.url}${pathname}`));
    expect(status.nextExpectedRanges).toEqual(to === SIZE ? [] : [String(to)]);
  }
  const { value } = await ask('GET', `/v1.0/me/messages/${id}/attachments`);
  expect(value).toHaveLength(1);
  expect(Buffer.from(value[0].contentBytes, 'base64').equals(whole)).toBe(true);
  jar.kill('SIGKILL');
  await jar.result;
}

describe('a jar that is killed between the ranges of an upload', () => {
  it('has every range that it acknowledged, on SQLite', (context) => survives(context, 'sqlite'));
  it('has every range that it acknowledged, on PostgreSQL', (context) => survives(context, 'postgres'));
});

async function tokenOf({ url, folder }: StartedJar): Promise<string> {
  const response = await fetch(`${url}/_jar/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey(folder)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ttl: '365d' }),
  });
  return (await jsonOf(response)).access_token;
}
