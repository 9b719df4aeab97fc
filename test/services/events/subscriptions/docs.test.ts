import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINT_TYPES } from '../../../../src/services/events/definition.ts';
import { RESOURCE_TYPES } from '../../../../src/services/events/subscriptions/read/resource-types.ts';
import { SUBSCRIPTION_LIMITS } from '../../../../src/services/events/subscriptions/types.ts';
import { blocksOf, runShell, runTypeScript } from '../../../docs/examples.ts';
import { addressedTo, needCurl, typeScriptOf, withCredential } from '../../../docs/page-jar.ts';
import { withJar } from '../../../support/jars.ts';
import { hook, http } from './bench.ts';

const PAGE = 'docs/services/events-subscriptions.md';
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

    it('its TypeScript runs', async () => {
      const code = withCredential(addressedTo(bench.jar, await typeScriptOf(PAGE)), await bench.jar.token());
      const shown = await runTypeScript(code, {
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      });
      const url = bench.jar.inbox('demo').httpsUrl;
      expect(shown).toBe(`Succeeded ${url}\n${url}?key=hidden\nto-inbox\n`);
    });

    it('its commands show a handshake by hand', async ({ skip }) => {
      needCurl(skip);
      const [block] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
      const env = { CLOUDJAR_DATA: folder, CLOUDJAR_ADMIN_KEY: bench.jar.adminKey };
      expect(await runShell(addressedTo(bench.jar, block?.code ?? ''), env)).toBe(
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
