import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from '../../../src/kernel/http/server.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { RawClient } from '../../support/raw-http.ts';

const LONG = 'x'.repeat(20_000);

/** A path of each API, and the position of the error code in its body. */
const FAMILIES = [
  ['management', '/subscriptions/x', /"error":\{"code":"[A-Z]\w+"/, 'x-ms-request-id'],
  [
    'the business application',
    '/api/v2.0/companies',
    /"error":\{"code":"[A-Z]\w+","message":".*CorrelationId:/,
    'odata-version',
  ],
  ['the translator', '/detect', /"error":\{"code":\d{6}/, 'x-requestid'],
  ['app lifecycle', '/v0.1/apps', /"code":"[A-Z]\w+"/, 'x-correlation-id'],
  ['identity', '/common/oauth2/token', /"error":"[a-z_]+","error_description":"AADSTS/, 'x-ms-request-id'],
  ['the control API', '/_jar/health', /"error":\{"code":"[A-Z]\w+"/, 'x-ms-request-id'],
  [
    'publishing of events',
    '/events/westus/orders/api/events',
    /"error":\{"code":"[A-Z]\w+","message":"[^"]+","details":\[/,
    'x-ms-request-id',
  ],
] as const;

describe('what cannot be read as a request', () => {
  let jar: TestJar;
  const finished: Finished[] = [];
  beforeAll(async () => {
    jar = await startJar({ observe: (it) => finished.push(it) });
  });
  afterAll(() => jar.close());

  const answerTo = async (text: string): Promise<string> => {
    const client = new RawClient(jar.url);
    client.socket.write(text);
    return client.closed;
  };
  const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

  describe.each(FAMILIES)('of %s', (_, path, code, header) => {
    it.each([
      ['a header that is too large', 431, (to: string) => `GET ${to} HTTP/1.1\r\nhost: x\r\nx-long: ${LONG}\r\n\r\n`],
      ['an address that is too long', 414, (to: string) => `GET ${to}?x=${LONG} HTTP/1.1\r\nhost: x\r\n\r\n`],
      ['another version of HTTP', 505, (to: string) => `GET ${to} HTTP/3.7\r\nhost: x\r\n\r\n`],
      ['a header that is none', 400, (to: string) => `GET ${to} HTTP/1.1\r\nhost: x\r\nno header\r\n\r\n`],
      [
        'two lengths',
        400,
        (to: string) => `POST ${to} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`,
      ],
      ['two hosts', 400, (to: string) => `GET ${to} HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n`],
      ['no host', 400, (to: string) => `GET ${to} HTTP/1.1\r\nconnection: close\r\n\r\n`],
    ])('%s is refused in its shape', async (_, status, text) => {
      const answer = await answerTo(text(path));
      expect(statusOf(answer)).toBe(status);
      expect(answer).toMatch(code);
      expect(answer.toLowerCase()).toContain(`\r\n${header}: `);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toMatch(/\r\ncontent-type: application\/json/i);
      const [, length] = /content-length: (\d+)/i.exec(answer) ?? [];
      expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toHaveLength(Number(length));
    });
  });

  it('outside all APIs gets the error format of the first service', async () => {
    const answer = await answerTo('\u0000\u0001 nonsense\r\n\r\n');
    expect(statusOf(answer)).toBe(400);
    expect(answer).toMatch(/"error":\{"code":"InvalidParameter"/);
  });

  it('as HTTP/2 without asking before gets 505', async () => {
    expect(statusOf(await answerTo('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).toBe(505);
  });

  it('extensions of chunks without end get 413', async () => {
    const head = `POST /common/oauth2/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n`;
    expect(statusOf(await answerTo(`${head}2;${'a'.repeat(20_000)}\r\nab\r\n0\r\n\r\n`))).toBe(413);
  });

  it('an invalid chunk ends the request that is being read', async () => {
    const head = `POST /common/oauth2/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n`;
    expect(statusOf(await answerTo(`${head}zz\r\n`))).toBe(400);
    expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  });

  it('is read to its end while the client has not seen the answer', async () => {
    const client = new RawClient(jar.url);
    client.socket.write(`GET /subscriptions HTTP/1.1\r\nx-long: ${LONG}`);
    await client.fill(2_000_000);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 431 /);
    expect(client.error).toBeUndefined();
  });

  it('is counted and logged like a request', async () => {
    finished.length = 0;
    await answerTo(`GET /_jar/health HTTP/1.1\r\nhost: x\r\nx-long: ${LONG}\r\n\r\n`);
    expect(finished.map(({ service, answer }) => [service, answer.status])).toEqual([['control', 431]]);
  });

  it.each([
    [431, 'RequestHeaderFieldsTooLarge', `GET /subscriptions HTTP/1.1\r\nhost: x\r\nx-long: ${LONG}\r\n\r\n`],
    [414, 'URITooLong', `GET /subscriptions?x=${LONG} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])('over HTTPS is answered the same: %i', async (status, code, request) => {
    const { port } = new URL(jar.httpsUrl);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connectTls({ port: Number(port), host: 'localhost', ca: jar.ca, servername: 'localhost' }, () =>
        socket.write(request),
      );
      socket.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
      });
      socket.on('end', () => resolve(text)).on('error', reject);
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"code":"${code}"`));
  });
});
