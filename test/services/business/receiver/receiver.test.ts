import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adminKey, runCli, startCli } from '../../../cli/cli.ts';

const CLIENT_STATE = 'a secret between the two';

describe('a receiver written from the description only', () => {
  it('over HTTPS with the local authority, keeps a true copy of what it subscribed to', async () => {
    const jar = await startCli();
    const { folder } = jar;
    const authority = { env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } };
    const accessToken = (await runCli(['token', '--data', folder], authority)).stdout.trim();
    const base = jar.url;
    const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
    };
    const advance = (by: string) =>
      fetch(`${base}/_jar/clock/advance`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey(folder)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ by }),
      });

    // The certificate is created with the first HTTPS request; the receiver on the developer's machine uses the same one.
    const [, httpsUrl = ''] = await jar.printed(/(https:\/\/\S+:\d+)/);
    const ca = await (await fetch(`${base}/_jar/ca.pem`)).text();
    await once(get(`${httpsUrl}/_jar/health`, { ca }), 'response');
    const receiver = new Receiver({
      RECEIVER_CERT: join(folder, 'server.pem'),
      RECEIVER_KEY: join(folder, 'server.key'),
      BASE_URL: base,
      ACCESS_TOKEN: accessToken,
      CLIENT_STATE,
    });
    const port = await receiver.listening();

    const [company] = (await call('GET', '/api/v2.0/companies')).body.value;
    const customers = `/api/v2.0/companies(${company.id})/customers`;
    const subscription = await call('POST', '/api/v2.0/subscriptions', {
      notificationUrl: `https://localhost:${port}/hooks?from=books`,
      resource: customers,
      clientState: CLIENT_STATE,
    });
    expect(subscription.status, JSON.stringify(subscription.body)).toBe(201);

    const first = (await call('POST', customers, { displayName: 'First' })).body;
    const second = (await call('POST', customers, { displayName: 'Second' })).body;
    await advance('30s');
    await receiver.copies([
      [first.id, 'First'],
      [second.id, 'Second'],
    ]);

    await call('PATCH', `${customers}(${first.id})`, { displayName: 'First, renamed' }, { 'if-match': '*' });
    await call('DELETE', `${customers}(${second.id})`);
    await advance('30s');
    await receiver.copies([[first.id, 'First, renamed']]);

    const renewed = await call(
      'PATCH',
      `/api/v2.0/subscriptions('${subscription.body.subscriptionId}')`,
      { notificationUrl: subscription.body.notificationUrl, resource: customers, clientState: CLIENT_STATE },
      { 'if-match': subscription.body['@odata.etag'] },
    );
    expect(renewed.status, JSON.stringify(renewed.body)).toBe(200);
    expect(Date.parse(renewed.body.expirationDateTime)).toBeGreaterThan(
      Date.parse(subscription.body.expirationDateTime),
    );
  });
});

class Receiver {
  readonly #process: ChildProcess;
  #output = '';

  constructor(env: Record<string, string>) {
    const file = join(import.meta.dirname, 'receiver.mjs');
    this.#process = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
    onTestFinished(() => void this.#process.kill('SIGKILL'));
  }

  async listening(): Promise<number> {
    return Number((await this.#printed(/listening on (\d+)/))[1]);
  }

  /** Resolves when the receiver has exactly these records. */
  async copies(expected: readonly (readonly [string, string])[]): Promise<void> {
    const sorted = (pairs: readonly (readonly [string, string])[]): string => JSON.stringify([...pairs].sort());
    for (;;) {
      const last = this.#output.match(/^copy .*$/gm)?.at(-1);
      if (last !== undefined && sorted(JSON.parse(last.slice(5))) === sorted(expected)) return;
      await this.#more();
    }
  }

  async #printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found) return found;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    if (this.#process.exitCode !== null) throw new Error(`the receiver ended: ${this.#output}`);
    await Promise.race([once(this.#process.stdout as NodeJS.ReadableStream, 'data'), once(this.#process, 'exit')]);
  }
}
