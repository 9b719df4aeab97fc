import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AzureKeyCredential, EventGridPublisherClient } from '@azure/eventgrid';
import { WorkspaceClient } from '@databricks/sdk-experimental';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { redactText } from '../../src/kernel/telemetry/index.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../src/testing/index.ts';
import { APPLICATION } from '../services/platform/sdk.ts';
import { trust } from '../support/trust.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';
import { type Ask, askOf, good } from './ask.ts';
import {
  EVENTS,
  type Filled,
  fill,
  OWN_APPLICATION,
  publish,
  type Secrets,
  SHOP,
  signIn,
  TENANT,
  TOPIC,
  UC,
  WEB,
} from './fill.ts';

const PASSPHRASE = 'correct hörse battery staple';
const folder = mkdtempSync(join(tmpdir(), 'cloudjar-travel-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ENGINES = ['sqlite', 'postgres'] as const;
type Context = Parameters<typeof usePostgresDatabase>[0];

async function start(engine: string, context: Context, options: StartJarOptions = {}): Promise<TestJar> {
  const databaseUrl = engine === 'postgres' ? await usePostgresDatabase(context, 'travel') : undefined;
  const jar = await startJar({ clockStart: '2026-03-02T09:00:00Z', ...options, ...(databaseUrl && { databaseUrl }) });
  onTestFinished(() => jar.close());
  trust(jar);
  return jar;
}

for (const from of ENGINES) {
  const to = from === 'sqlite' ? 'postgres' : 'sqlite';
  describe(`from ${from} to ${to}`, () => {
    test('state and credentials go to another jar by a passphrase; state alone goes without secrets', {
      timeout: 240_000,
    }, async (context) => {
      const first = await start(from, context);
      const filled = await fill(first);
      const [locked, plain] = [join(folder, `${from}-locked.gz`), join(folder, `${from}-plain.gz`)];
      await first.export(locked, { passphrase: PASSPHRASE });
      await first.export(plain, { portable: true });
      const now = first.clock.now();

      for (const secret of readable(filled.secrets))
        expect(gunzipSync(readFileSync(locked)).includes(secret)).toBe(false);
      noSecretIn(gunzipSync(readFileSync(plain)).toString(), filled.secrets);

      const second = await start(to, context, { clockStart: '2027-01-01T00:00:00Z' });
      expect(await second.import(locked, { passphrase: PASSPHRASE })).toEqual({ name: `${from}-locked`, leftOut: [] });
      expect(second.clock.now()).toEqual(now);
      await hasTheState(askOf(second), filled);
      await takesTheCredentials(second, filled);

      const { leftOut } = await second.import(plain);
      expect(second.clock.now()).toEqual(now);
      await hasTheState(askOf(second), filled);
      await hasNewCredentials(second, filled);
      expect(leftOut).toEqual(expect.arrayContaining(LEFT_OUT.map((line) => expect.stringContaining(line))));
      // The same after redaction by the log.
      expect(leftOut.map(redactText)).toEqual(leftOut);
      // The fallback text for secrets that no service has described.
      expect(leftOut.filter((line) => line.startsWith('secrets in documents of'))).toEqual([]);
      await continuesAfterResponse(second);
    });
  });
}

const LEFT_OUT = [
  'passwords of users: 1 (ann@vendor.example). They now have the seed password; PUT /_jar/users/{id} sets another.',
  'client secrets of applications: 1 (nightly). ',
  'access keys of topics and domains: 1. New keys were generated',
  'secrets of event subscriptions: 2 (',
  'secure values of container groups: 1. ',
  'variables and files of simulated containers: 1 (web). ',
  'addresses and client states of business subscriptions: 1 (',
  'addresses and client states of mailbox subscriptions: 1 (',
  'personal access tokens: 1 (ci). ',
  'values of secrets in secret scopes: 1 (password). ',
  'tokens for Git providers: 1 (ann). ',
  'secrets of registry webhooks: 1 (',
  'secrets of model webhooks: 1 (open). ',
  'addresses and logins of notification destinations: 3 (',
  'keys of external models of serving endpoints: 1 (chat). ',
  'logins for images in the clusters of jobs: 1 (nightly). ',
  'connection strings and instrumentation keys of exports: 1 (',
  'secret headers, parameters and members of bodies of requests in inboxes: ',
  'OAuth secrets of service principals: 1 (',
  'activation links of recipients: 1. ',
  'tokens of recipients: 1. ',
  'subscription keys of the translator: 2 (',
  'API tokens of the app lifecycle: ',
  'codes and refresh tokens: 1. ',
];

/** Checks the state of every service through its own API. */
async function hasTheState(ask: Ask, { companyId, datasetId }: Filled): Promise<void> {
  expect((await good(ask('GET', `${SHOP}?api-version=2021-04-01`))).tags).toEqual({ team: 'red' });
  const group = await good(ask('GET', `${WEB}?api-version=2023-05-01`));
  expect(group.properties).toMatchObject({ provisioningState: 'Succeeded', instanceView: { state: 'Running' } });
  const logs = await ask('GET', `${WEB}/containers/web/logs?api-version=2023-05-01`);
  expect(logs.status).toBe(200);
  const filter = encodeURIComponent("displayName eq 'Kiosk by the Lake'");
  const customers = await good(ask('GET', `/api/v2.0/companies(${companyId})/customers?$filter=${filter}`));
  expect(customers.value).toHaveLength(1);
  expect((await good(ask('GET', '/v1.0/me/messages'))).value[0].subject).toBe('Lunch');
  const queries = [{ query: 'EVALUATE Sale ORDER BY Sale[City]' }];
  const rows = await good(ask('POST', `/v1.0/myorg/datasets/${datasetId}/executeQueries`, { body: { queries } }));
  expect(rows.results[0].tables[0].rows).toEqual([{ 'Sale[City]': 'Berlin' }, { 'Sale[City]': 'Oslo' }]);
  expect((await good(ask('GET', '/api/2.0/secrets/list?scope=team'))).secrets[0].key).toBe('password');
  expect((await good(ask('GET', `${UC}/recipients/partner`))).name).toBe('partner');
  expect((await good(ask('GET', '/v1.0/subscriptions'))).value).toHaveLength(1);
  expect((await good(ask('GET', '/api/v2.0/subscriptions'))).value).toHaveLength(1);
  const sharing = `${SHOP}/providers/Vendor.DataShare/accounts/giver?api-version=2021-08-01`;
  expect((await good(ask('GET', sharing))).name).toBe('giver');
}

const clientSecret = (ask: Ask, id: string, secret: string) =>
  ask('POST', `/${TENANT}/oauth2/v2.0/token`, {
    token: null,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      scope: 'https://management.azure.com/.default',
    }),
  });

const principalSecret = (ask: Ask, secret: string) =>
  ask('POST', '/oidc/v1/token', {
    token: null,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'all-apis',
      client_id: APPLICATION,
      client_secret: secret,
    }),
  });

const detect = (ask: Ask, key: string) =>
  ask('POST', '/detect?api-version=3.0', {
    token: null,
    headers: { 'ocp-apim-subscription-key': key },
    body: [{ Text: 'Der Hund ist müde.' }],
  });

const apps = (ask: Ask, key: string) => ask('GET', '/v0.1/apps', { token: null, headers: { 'x-api-token': key } });

/** The published clients of two services work with credentials from the first jar. */
async function clientsWork(jar: TestJar, topicEndpoint: string, topicKey: string, token: string): Promise<void> {
  const key = new AzureKeyCredential(topicKey);
  const publisher = new EventGridPublisherClient(jar.httpsUrl + topicEndpoint, 'EventGrid', key);
  await publisher.send([{ eventType: 'Shop.Order', subject: '/orders/5', dataVersion: '1', data: { number: 5 } }]);
  const me = await new WorkspaceClient({ host: jar.url, token }).currentUser.me();
  expect(me.userName).toBe('admin@vendor.example');
}

async function takesTheCredentials(jar: TestJar, { secrets, topicEndpoint, recipientUrl }: Filled): Promise<void> {
  const ask = askOf(jar);
  await signIn(ask, secrets.user ?? '');
  await good(clientSecret(ask, OWN_APPLICATION, secrets.application ?? ''));
  await good(publish(ask, topicEndpoint, secrets.topicKey ?? '', 'second'));
  await clientsWork(jar, topicEndpoint, secrets.topicKey ?? '', secrets.accessToken ?? '');
  await good(detect(ask, secrets.translatorKey ?? ''));
  await good(detect(ask, secrets.ownTranslatorKey ?? ''));
  await good(apps(ask, secrets.lifecycleToken ?? ''));
  await good(ask('GET', '/api/2.0/token/list', { token: secrets.accessToken ?? '' }));
  await good(principalSecret(ask, secrets.principalSecret ?? ''));
  await good(ask('GET', `${recipientUrl}/shares`, { token: secrets.recipientToken ?? '' }));
  const value = await good(ask('GET', '/api/2.0/secrets/get?scope=team&key=password'));
  expect(Buffer.from(value.value, 'base64').toString()).toBe(secrets.scope);
  const url = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/hidden/getFullUrl?${EVENTS}`;
  expect((await good(ask('POST', url))).endpointUrl).toContain(secrets.hookQuery);
  const [business] = (await good(ask('GET', '/api/v2.0/subscriptions'))).value;
  expect(business.clientState).toBe(secrets.businessState);
}

async function hasNewCredentials(jar: TestJar, { secrets, topicEndpoint, recipientUrl }: Filled): Promise<void> {
  const ask = askOf(jar);
  const refused = async (reply: ReturnType<Ask>): Promise<void> => {
    const { status } = await reply;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  };
  await refused(clientSecret(ask, OWN_APPLICATION, secrets.application ?? ''));
  await refused(publish(ask, topicEndpoint, secrets.topicKey ?? '', 'third'));
  await refused(detect(ask, secrets.translatorKey ?? ''));
  await refused(apps(ask, secrets.lifecycleToken ?? ''));
  await refused(ask('GET', '/api/2.0/token/list', { token: secrets.accessToken ?? '' }));
  await refused(principalSecret(ask, secrets.principalSecret ?? ''));
  await refused(ask('GET', `${recipientUrl}/shares`, { token: secrets.recipientToken ?? '' }));
  await refused(ask('GET', '/api/2.0/secrets/get?scope=team&key=password'));

  await signIn(ask, 'cloudjar');
  await good(clientSecret(ask, OWN_APPLICATION, 'cloudjar-app-secret'));
  const { key1 } = await good(ask('POST', `${TOPIC}/listKeys?${EVENTS}`));
  const { token_value } = await good(ask('POST', '/api/2.0/token/create', { body: { comment: 'new' } }));
  await clientsWork(jar, topicEndpoint, key1, token_value);
  const keys = await jar.keys();
  await good(detect(ask, keys.translator));
  await good(apps(ask, keys.lifecycle));
  const url = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/hidden/getFullUrl?${EVENTS}`;
  expect((await good(ask('POST', url))).endpointUrl).toMatch(/\/_jar\/inbox\/hidden$/);
  const [business] = (await good(ask('GET', '/api/v2.0/subscriptions'))).value;
  expect(business).toMatchObject({ notificationUrl: expect.stringMatching(/inbox\/books$/) });
  expect(business.clientState).toHaveLength(43);
}

/** Objects without their secret report that when they are used, and nothing is retried forever. */
async function continuesAfterResponse(jar: TestJar): Promise<void> {
  const ask = askOf(jar);
  await jar.clock.advance('1d');
  const [kept] = (await good(ask('GET', '/_jar/inbox/kept/requests'))).value;
  expect(JSON.parse(kept.body)).toEqual({ value: [{ clientState: '[redacted]', resource: 'kept' }] });
  const [job] = (await good(ask('GET', '/api/2.0/jobs/list?expand_tasks=true'))).jobs;
  expect(job.settings.tasks[0].new_cluster.docker_image).toEqual({ url: 'images.example/job' });
  const { webhooks } = await good(ask('GET', '/api/2.0/mlflow/webhooks'));
  expect(webhooks[0].url).toBe('https://hooks.example/open');
  const answer = await good(
    ask('POST', '/serving-endpoints/chat/invocations', { body: { messages: [{ role: 'user', content: 'hello' }] } }),
  );
  expect(answer.choices).toHaveLength(1);
  const { lifecycle } = await jar.keys();
  const { name } = await good(apps(ask, lifecycle).then(({ body }) => ({ status: 200, body: body[0].owner })));
  const exports = await good(
    ask('GET', `/v0.1/apps/${name}/phone/export_configurations`, {
      token: null,
      headers: { 'x-api-token': lifecycle },
    }),
  );
  expect(JSON.stringify(exports)).toContain('The connection string is empty.');
}

const readable = (secrets: Secrets): string[] => Object.values(secrets).filter((value) => value.length > 7);

/** Searches for secrets in clear text, in base64, and as hashes that could be tested against guesses. */
function noSecretIn(text: string, secrets: Secrets): void {
  const found = Object.entries(secrets).flatMap(([place, secret]) => {
    const bytes = Buffer.from(secret);
    const inner = Buffer.from(secret.slice(secret.indexOf('.') + 1));
    const digests = [bytes, inner, Buffer.from(secret.split('.')[0] ?? '')].map((each) =>
      createHash('sha256').update(each).digest(),
    );
    const hex = digests[0]?.toString('hex') ?? '';
    const forms = [
      secret,
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      ...digests.flatMap((digest) => [digest.toString('hex'), digest.toString('base64url'), digest.toString('base64')]),
      // Token ids are halves of hashes.
      hex.slice(32),
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-`,
    ];
    return forms.filter((form) => text.includes(form)).map((form) => `${place}: ${form}`);
  });
  expect(found).toEqual([]);
  expect(text).not.toContain('scrypt$');
}
