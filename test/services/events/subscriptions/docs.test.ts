import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINT_TYPES } from '../../../../src/services/events/definition.ts';
import { RESOURCE_TYPES } from '../../../../src/services/events/subscriptions/read/resource-ids.ts';
import { SUBSCRIPTION_LIMITS } from '../../../../src/services/events/subscriptions/types.ts';
import { blocksOf, runShell, runTypeScript } from '../../../docs/examples.ts';
import { withJar } from '../../../support/jars.ts';
import { hook, http } from './bench.ts';

const PAGE = 'docs/events-subscriptions.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

const ERRORS = ['InvalidRequest', 'ParentResourceNotFound', 'ResourceNotFound', 'QuotaReached', 'Url validation'];
const { ActionGroup: _, Identity: __, StorageBlob: ___, ...destinations } = RESOURCE_TYPES;

describe('the page about event subscriptions', () => {
  it.each([
    ...ERRORS,
    ...SUBSCRIPTION_LIMITS.map(({ name }) => name),
    ...ENDPOINT_TYPES,
    ...Object.values(destinations),
  ])('names %s', (name) => {
    expect(page.includes(`\`${name}\``)).toBe(true);
  });
});

withJar(
  (bench) => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cloudjar-subscriptions-'));
      await writeFile(join(folder, 'ca.pem'), bench.jar.ca);
    });
    afterAll(() => rm(folder, { recursive: true }));
    const here = (code = ''): string =>
      code.replaceAll('http://127.0.0.1:7400', bench.jar.url).replaceAll('https://localhost:7443', bench.jar.httpsUrl);

    it('its TypeScript runs', async () => {
      const [block] = (await blocksOf(PAGE)).filter(({ language }) => language === 'ts');
      const token = JSON.stringify(await bench.jar.token());
      const credential = `const credential = { getToken: async () => ({ token: ${token}, expiresOnTimestamp: Date.now() + 3.6e6 }) };\n`;
      const [imports, ...rest] = here(block?.code).split('\n\n');
      const shown = await runTypeScript(`${imports}\n${credential}${rest.join('\n\n')}`, {
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      });
      const url = bench.jar.inbox('demo').httpsUrl;
      expect(shown).toBe(`Succeeded ${url}\n${url}?key=hidden\nto-inbox\n`);
    });

    it('its commands show a handshake by hand', async ({ skip }) => {
      if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
      const [block] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
      const env = { CLOUDJAR_DATA: folder, CLOUDJAR_ADMIN_KEY: bench.jar.adminKey };
      expect(await runShell(here(block?.code), env)).toBe(
        'AwaitingManualAction\nWebhook successfully validated as a subscription endpoint.\nSucceeded\n',
      );
    });

    it('its example of an error is what is answered', async () => {
      const [block] = (await blocksOf(PAGE)).filter(({ language }) => language === 'json');
      const properties = { ...hook('http://hooks.example'), retryPolicy: { maxDeliveryAttempts: 31 } };
      const { body } = await http(bench, '/subscriptions/10000000-0000-4000-8000-0000000000f1').put('bad', properties);
      expect(body).toEqual(JSON.parse(block?.code ?? ''));
    });
  },
  { namespace: ['Microsoft'] },
);
