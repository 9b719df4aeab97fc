import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CliProcess, spawnCli } from '../../cli/cli.ts';
import { ALIASES, FOR_OTTO, NEW } from './support.ts';

const VERSION = 'api-version=2021-10-01';

/** A jar on one folder with a virtual clock, which is killed and restarted. */
class Jar {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cloudjar-subscriptions-'));
  #process: CliProcess | undefined;
  #url = '';
  #key = '';

  constructor() {
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  async start(): Promise<void> {
    const ports = ['--port', '0', '--https-port', '0'];
    this.#process = spawnCli(['start', ...ports, '--data', 'data', '--clock', 'virtual'], { cwd: this.#folder });
    this.#url = (await this.#process.printed(/ready on (\S+)/))[1] ?? '';
    this.#key = readFileSync(join(this.#folder, 'data/admin.key'), 'utf8').trim();
  }

  async killAndStart(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.result;
    await this.start();
  }

  advance = (by: string) => this.send('POST', '/_jar/clock/advance', { by }, this.#key);

  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  async call(user: string, method: string, path: string, body?: unknown): Promise<any> {
    const { access_token: token } = await this.send('POST', '/_jar/tokens', { user }, this.#key);
    return this.send(method, path, body, token);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  async send(method: string, path: string, body: unknown, token: string): Promise<any> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    const text = await (await fetch(this.#url + path, { method, headers, body: sent })).text();
    return text === '' ? undefined : JSON.parse(text);
  }
}

test('a jar that is killed between Accepted and Succeeded goes on with creations, acceptances and cancellations', async () => {
  const jar = new Jar();
  await jar.start();
  const put = async (name: string, properties: object) =>
    (await jar.call('admin', 'PUT', `${ALIASES}/${name}?${VERSION}`, { properties })).properties;
  const get = async (name: string) => (await jar.call('admin', 'GET', `${ALIASES}/${name}?${VERSION}`)).properties;

  const { subscriptionId: own, provisioningState } = await put('own', NEW);
  const { subscriptionId: gift } = await put('gift', FOR_OTTO);
  expect(provisioningState).toBe('Accepted');
  await jar.killAndStart();
  expect(await get('own')).toMatchObject({ subscriptionId: own, provisioningState: 'Accepted' });
  await jar.advance('1s');
  expect(await get('own')).toMatchObject({ subscriptionId: own, provisioningState: 'Succeeded' });
  expect(await get('gift')).toMatchObject({ subscriptionId: gift, provisioningState: 'Pending' });

  await jar.call('admin', 'POST', `/subscriptions/${own}/providers/Vendor.Subscription/cancel?${VERSION}`);
  await jar.killAndStart();
  await jar.call('other', 'POST', `/providers/Vendor.Subscription/subscriptions/${gift}/acceptOwnership?${VERSION}`, {
    properties: { displayName: 'Mine' },
  });
  await jar.killAndStart();
  await jar.advance('10m');
  expect((await jar.call('admin', 'GET', `/subscriptions/${own}?api-version=2022-12-01`)).state).toBe('Warned');
  expect((await jar.call('other', 'GET', `/subscriptions/${gift}?api-version=2022-12-01`)).displayName).toBe('Mine');
});
