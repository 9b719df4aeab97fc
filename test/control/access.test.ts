import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../src/testing/index.ts';

let jar: TestJar;
beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: { error?: { code: string; message: string } };
}

/** Not `fetch`, which sets Host and Origin itself. */
function ask(method: string, path: string, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request(new URL(path, jar.url), { method, headers })
      .once('error', reject)
      .once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => {
          const body = response.headers['content-type']?.includes('json') ? JSON.parse(text) : {};
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      })
      .end();
  });
}

const withKey = (headers: Record<string, string> = {}) => ({ authorization: `Bearer ${jar.adminKey}`, ...headers });
const port = () => new URL(jar.url).port;

describe('a web page cannot drive the control API, not even with the key:', () => {
  test('a foreign host name that is bound to this address is refused', async () => {
    for (const host of ['evil.example', `evil.example:${port()}`, 'localhost.evil.example', '127.0.0.1.evil.example']) {
      const reply = await ask('POST', '/_jar/reset', withKey({ host }));
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'ForeignHost' } } });
    }
  });

  test('the names of this machine are accepted', async () => {
    for (const host of [
      `127.0.0.1:${port()}`,
      `localhost:${port()}`,
      'LOCALHOST',
      `tenant.localhost:${port()}`,
      `[::1]:${port()}`,
    ]) {
      expect((await ask('GET', '/_jar/clock', withKey({ host }))).status).toBe(200);
    }
  });

  test('the origin of another site, of a file or sandbox, or of another port is refused', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1', `https://127.0.0.1:${port()}`]) {
      const reply = await ask('POST', '/_jar/clock/advance', withKey({ origin }));
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'ForeignOrigin' } } });
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test("the jar's own pages may", async () => {
    expect((await ask('GET', '/_jar/clock', withKey({ origin: jar.url }))).status).toBe(200);
  });

  test('a preflight of another site gets no permission', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const reply = await ask('OPTIONS', '/_jar/reset', headers);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('the admin key guards the control API:', () => {
  const guarded: [method: string, path: string][] = [
    ['GET', '/_jar/clock'],
    ['POST', '/_jar/clock/advance'],
    ['POST', '/_jar/tokens'],
    ['POST', '/_jar/reset'],
    ['GET', '/_jar/metrics'],
    ['GET', '/_jar/events'],
  ];

  test('without it, 401 and how to authenticate', async () => {
    for (const [method, path] of guarded) {
      const reply = await ask(method, path, {});
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'AdminKeyMissing' } } });
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="cloudjar"');
    }
  });

  test('with another one, or one that is nearly it, 403', async () => {
    for (const key of ['jar_wrong', `${jar.adminKey}x`, jar.adminKey.slice(0, -1), jar.adminKey.toUpperCase()]) {
      for (const [method, path] of guarded) {
        const reply = await ask(method, path, { authorization: `Bearer ${key}` });
        expect(reply).toMatchObject({ status: 403, body: { error: { code: 'AdminKeyWrong' } } });
      }
    }
  });

  test('guessing it is slowed down after a hundred from an address until five minutes are over, and the right one passes', async () => {
    await using own = await startJar();
    const clock = (key: string) => fetch(`${own.url}/_jar/clock`, { headers: { authorization: `Bearer ${key}` } });
    const answers = await Promise.all(Array.from({ length: 105 }, (_, n) => clock(`guess-${n}`)));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(100);
    const slowed = await clock('guess');
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await slowed.json()).toMatchObject({ error: { code: 'TooManyWrongKeys' } });
    for (let n = 0; n < 3; n++) expect((await clock(own.adminKey)).status).toBe(200);
    await own.clock.advance('5m');
    expect((await clock('guess')).status).toBe(403);
  });

  test('a token of a user is not the key', async () => {
    const reply = await ask('POST', '/_jar/reset', { authorization: `Bearer ${await jar.token()}` });
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'AdminKeyWrong' } } });
  });

  test('health, the CA and the landing page are open', async () => {
    for (const path of ['/_jar/health', '/_jar/ca.pem', '/']) expect((await ask('GET', path, {})).status).toBe(200);
  });
});

test('every error has the same shape: a code and a message, never a stack', async () => {
  const replies = await Promise.all([
    ask('GET', '/_jar/nothing', withKey()),
    ask('PUT', '/_jar/health', withKey()),
    ask('POST', '/_jar/clock/advance', withKey()),
    ask('GET', '/_jar/clock', {}),
    ask('GET', '/_jar/%zz', withKey()),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([404, 405, 400, 401, 400]);
  for (const { body, headers } of replies) {
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toMatchObject({
      code: expect.stringMatching(/^[A-Z]\w+$/),
      message: expect.stringMatching(/\.$/),
    });
    expect(JSON.stringify(body)).not.toMatch(/\bat .*:\d+:\d+/);
    expect(headers['cache-control']).toBe('no-store');
  }
});

describe('an address whose name is missing', () => {
  test.each(['/_jar/faults/', '/_jar/deliveries/', '/_jar/deliveries/?state=dropped', '/_jar/snapshots/'])(
    'does not delete all there is at %s',
    async (path) => {
      const { status, body } = await ask('DELETE', path, withKey());
      expect([status, body.error?.code]).toEqual(
        path.includes('snapshots') ? [405, 'MethodNotAllowed'] : [400, 'NameMissing'],
      );
    },
  );
});
