import type { TestJar } from '../../src/testing/index.ts';
import { ACCOUNT, APPLICATION } from '../services/platform/sdk.ts';
import { SUBSCRIPTION } from '../support/jars.ts';
import { type Ask, askOf, good } from './ask.ts';

/** Creates something in every service, with a known text in every place that stores a secret. */

export const SHOP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
export const TOPIC = `${SHOP}/providers/Vendor.EventGrid/topics/orders`;
export const WEB = `${SHOP}/providers/Vendor.ContainerInstance/containerGroups/web`;
export const TENANT = '10000000-0000-4000-8000-000000000001';
export const OWN_APPLICATION = '30000000-0000-4000-8000-0000000000a1';
export const OWN_USER = '30000000-0000-4000-8000-000000000011';
export const COMMAND_LINE = '04b07795-8ddb-461a-bbee-02f9e1bf7b46';
export const UC = '/api/2.1/unity-catalog';
export const EVENTS = 'api-version=2025-02-15';
const SHARING = `${SHOP}/providers/Vendor.DataShare/accounts/giver`;

/** All secrets, by the place where they are stored. */
export type Secrets = Readonly<Record<string, string>>;

export interface Filled {
  readonly secrets: Secrets;
  readonly topicEndpoint: string;
  readonly companyId: string;
  readonly datasetId: string;
  readonly recipientUrl: string;
}

const given = {
  user: 'marker of the password of ann',
  application: 'marker of the secret of the nightly build',
  variable: 'marker of a secure variable',
  hookQuery: 'marker-of-the-query-of-a-hook',
  attribute: 'marker of a delivery attribute',
  businessState: 'marker of a business client state',
  mailState: 'marker of a mailbox client state',
  scope: 'marker of a value in a secret scope',
  git: 'marker-of-a-git-token',
  destination: 'marker-of-a-destination-token',
  webhook: 'marker of a webhook secret',
  webhookLogin: 'marker of a webhook authorization',
  inboxHeader: 'marker-of-a-header-in-an-inbox',
  inboxState: 'marker of a client state in an inbox',
  registry: 'marker of the password of a registry',
  volume: 'marker of a file of a secret volume',
  share: 'marker of the key of a file share',
  destinationLogin: 'marker of the login of a destination',
  webhookQuery: 'marker-of-the-query-of-a-webhook',
  openWebhook: 'marker of the secret of a model webhook',
  model: 'marker-of-the-key-of-a-model',
  connection: 'marker of the password of a connection',
  provider: 'marker-of-the-token-of-a-provider',
  image: 'marker of the login for an image of a job',
  exported: 'marker of the key of an export',
} as const;

export async function fill(jar: TestJar): Promise<Filled> {
  const ask = askOf(jar);
  await good(
    ask('PUT', `/_jar/users/${OWN_USER}`, {
      body: { username: 'ann@vendor.example', alias: 'ann', password: given.user },
    }),
  );
  const application = { alias: 'nightly', displayName: 'Nightly build', secret: given.application };
  await good(ask('PUT', `/_jar/applications/${OWN_APPLICATION}`, { body: application }));
  const signedIn = await signIn(ask, given.user);
  await good(ask('PUT', `${SHOP}?api-version=2021-04-01`, { body: { location: 'westeurope', tags: { team: 'red' } } }));
  await good(ask('PUT', `${WEB}?api-version=2023-05-01`, { body: containerGroup() }));
  await jar.clock.advance('1m');
  const events = await fillEvents(jar, ask);
  const companyId = await fillBusiness(jar, ask);
  await fillMail(jar, ask);
  const datasetId = await fillDatasets(ask);
  const platform = await fillPlatform(ask);
  await good(
    ask('PUT', `${SHARING}?api-version=2021-08-01`, {
      body: { location: 'eastus', identity: { type: 'SystemAssigned' } },
    }),
  );
  const keys = await jar.keys();
  const made = await good(
    ask('POST', '/v0.1/api_tokens', {
      token: null,
      headers: { 'x-api-token': keys.lifecycle },
      body: { description: 'ci' },
    }),
  );
  await fillExports(ask, keys.lifecycle);
  const own = await good(ask('PUT', '/_jar/translator/keys/own', { body: { tier: 'F0' } }));
  await fetch(`${jar.url}/_jar/inbox/kept`, {
    method: 'POST',
    headers: { 'x-api-token': given.inboxHeader },
    body: JSON.stringify({ value: [{ clientState: given.inboxState, resource: 'kept' }] }),
  });
  const { recipientUrl, ...platformSecrets } = platform;
  return {
    topicEndpoint: events.endpoint,
    companyId,
    datasetId,
    recipientUrl,
    secrets: {
      ...given,
      ...platformSecrets,
      topicKey: events.key,
      translatorKey: keys.translator,
      ownTranslatorKey: own.key,
      lifecycleKey: keys.lifecycle,
      lifecycleToken: made.api_token,
      refreshToken: signedIn.refresh_token,
    },
  };
}

/** With the password grant, which uses a user's own password. */
export const signIn = (ask: Ask, password: string) =>
  good(
    ask('POST', `/${TENANT}/oauth2/v2.0/token`, {
      token: null,
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: COMMAND_LINE,
        username: 'ann@vendor.example',
        password,
        scope: 'https://management.azure.com/.default openid offline_access',
      }),
    }),
  );

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const containerGroup = () => ({
  location: 'westeurope',
  properties: {
    osType: 'Linux',
    restartPolicy: 'Always',
    imageRegistryCredentials: [{ server: 'images.example', username: 'ann', password: given.registry }],
    volumes: [
      { name: 'files', secret: { file: base64(given.volume) } },
      {
        name: 'shared',
        azureFile: { shareName: 'files', storageAccountName: 'shop', storageAccountKey: base64(given.share) },
      },
    ],
    containers: [
      {
        name: 'web',
        properties: {
          image: 'nginx',
          resources: { requests: { cpu: 1, memoryInGB: 1.5 } },
          environmentVariables: [{ name: 'SECRET', secureValue: given.variable }],
        },
      },
    ],
  },
});

async function fillEvents(jar: TestJar, ask: Ask) {
  await good(ask('PUT', `${TOPIC}?${EVENTS}`, { body: { location: 'westeurope' } }));
  await jar.clock.advance('1m');
  const subscribe = async (name: string, query: string, more: object = {}) => {
    const endpointUrl = `${jar.httpsUrl}/_jar/inbox/${name}${query}`;
    const destination = { endpointType: 'WebHook', properties: { endpointUrl, ...more } };
    const path = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/${name}?${EVENTS}`;
    await good(ask('PUT', path, { body: { properties: { destination } } }));
    await jar.clock.advance('1m');
  };
  const secretAttribute = {
    name: 'x-attribute',
    properties: { value: given.attribute, isSecret: true },
    type: 'Static',
  };
  await subscribe('hidden', `?code=${given.hookQuery}`, { deliveryAttributeMappings: [secretAttribute] });
  await subscribe('plain', '');
  const { endpoint } = (await good(ask('GET', `${TOPIC}?${EVENTS}`))).properties;
  const { key1 } = await good(ask('POST', `${TOPIC}/listKeys?${EVENTS}`));
  await publish(ask, new URL(endpoint).pathname, key1, 'first');
  await jar.settled();
  return { endpoint: new URL(endpoint).pathname, key: String(key1) };
}

export const publish = (ask: Ask, endpoint: string, key: string, id: string) =>
  ask('POST', endpoint, {
    token: null,
    headers: { 'aeg-sas-key': key },
    body: [
      {
        id,
        eventType: 'Shop.Order',
        subject: `/orders/${id}`,
        eventTime: '2026-03-03T21:00:00Z',
        dataVersion: '1',
        data: {},
      },
    ],
  });

async function fillBusiness(jar: TestJar, ask: Ask): Promise<string> {
  const [company] = (await good(ask('GET', '/api/v2.0/companies'))).value;
  const path = `/api/v2.0/companies(${company.id})`;
  await good(ask('POST', `${path}/customers`, { body: { displayName: 'Kiosk by the Lake', city: 'Lindau' } }));
  const notificationUrl = `${jar.httpsUrl}/_jar/inbox/books`;
  const body = { notificationUrl, resource: `${path}/customers`, clientState: given.businessState };
  await good(ask('POST', '/api/v2.0/subscriptions', { body }));
  return company.id;
}

async function fillMail(jar: TestJar, ask: Ask): Promise<void> {
  await jar.mailbox('admin').send({ from: 'carol@fabrikam.example', subject: 'Lunch', text: 'At noon?' });
  const body = {
    changeType: 'created',
    resource: 'me/mailFolders/inbox/messages',
    clientState: given.mailState,
    notificationUrl: `${jar.httpsUrl}/_jar/inbox/news`,
    expirationDateTime: new Date(jar.clock.now().getTime() + 86_400_000).toISOString(),
  };
  await good(ask('POST', '/v1.0/subscriptions', { body }));
}

async function fillDatasets(ask: Ask): Promise<string> {
  const columns = [{ name: 'City', dataType: 'String' }];
  const body = { name: 'Sales', defaultMode: 'Push', tables: [{ name: 'Sale', columns }] };
  const { id } = await good(ask('POST', '/v1.0/myorg/datasets', { body }));
  const rows = [{ City: 'Berlin' }, { City: 'Oslo' }];
  await good(ask('POST', `/v1.0/myorg/datasets/${id}/tables/Sale/rows`, { body: { rows } }));
  return id;
}

async function fillExports(ask: Ask, key: string): Promise<void> {
  const api = (method: string, path: string, body?: object) =>
    good(ask(method, `/v0.1${path}`, { token: null, headers: { 'x-api-token': key }, body }));
  const { name } = await api('GET', '/user');
  await api('POST', '/apps', { name: 'phone', display_name: 'Phone', os: 'Android', platform: 'Java' });
  await api('POST', `/apps/${name}/phone/export_configurations`, {
    type: 'blob_storage_connection_string',
    connection_string: `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${base64(given.exported)};EndpointSuffix=core.example`,
  });
}

type Post = (path: string, body: object) => ReturnType<typeof good>;

/** Secrets that nothing else in the story uses. */
async function fillLogins(api: Post, catalog: Post): Promise<void> {
  const login = { url: 'https://hooks.example/team', username: 'ann', password: given.destinationLogin };
  await api('/notification-destinations', { display_name: 'login', config: { generic_webhook: login } });
  await api('/notification-destinations', { display_name: 'post', config: { email: { addresses: ['a@b.example'] } } });
  const events = [{ entity: 'MODEL_VERSION', action: 'CREATED' }];
  await api('/mlflow/webhooks', {
    name: 'open',
    url: `https://hooks.example/open?key=${given.webhookQuery}`,
    events,
    secret: given.openWebhook,
  });
  const external_model = {
    name: 'gpt-4',
    provider: 'openai',
    task: 'llm/v1/chat',
    openai_config: { openai_api_key_plaintext: given.model },
  };
  await api('/serving-endpoints', { name: 'chat', config: { served_entities: [{ name: 'gpt', external_model }] } });
  const new_cluster = {
    spark_version: '15.4.x-scala2.12',
    node_type_id: 'Standard_DS3_v2',
    num_workers: 1,
    docker_image: { url: 'images.example/job', basic_auth: { username: 'ann', password: given.image } },
  };
  const notebook_task = { notebook_path: '/Shared/nightly' };
  await api('/jobs/create', { name: 'nightly', tasks: [{ task_key: 't', notebook_task, new_cluster }] });
  const options = { host: 'db.example', port: '5432', user: 'ann', password: given.connection };
  await catalog('/connections', { name: 'pg', connection_type: 'POSTGRESQL', options });
  const profile = { shareCredentialsVersion: 1, endpoint: 'https://share.example/', bearerToken: given.provider };
  await catalog('/providers', {
    name: 'them',
    authentication_type: 'TOKEN',
    recipient_profile_str: JSON.stringify(profile),
  });
}

async function fillPlatform(ask: Ask) {
  const api: Post = (path, body) => good(ask('POST', `/api/2.0${path}`, { body }));
  await fillLogins(api, (path, body) => good(ask('POST', UC + path, { body })));
  const { token_value } = await api('/token/create', { comment: 'ci', lifetime_seconds: 86_400 });
  await api('/secrets/scopes/create', { scope: 'team' });
  await api('/secrets/put', { scope: 'team', key: 'password', string_value: given.scope });
  await api('/git-credentials', { git_provider: 'gitHub', git_username: 'ann', personal_access_token: given.git });
  const config = { slack: { url: `https://hooks.example/services?token=${given.destination}` } };
  await api('/notification-destinations', { display_name: 'team', config });
  const http_url_spec = {
    url: 'https://hooks.example/models',
    secret: given.webhook,
    authorization: given.webhookLogin,
  };
  await api('/mlflow/registered-models/create', { name: 'm' });
  await api('/mlflow/registry-webhooks/create', { events: ['MODEL_VERSION_CREATED'], model_name: 'm', http_url_spec });
  const { Resources } = await good(ask('GET', '/api/2.0/preview/scim/v2/ServicePrincipals'));
  const principal = Resources.find((each: { applicationId: string }) => each.applicationId === APPLICATION);
  const { secret } = await api(`/accounts/${ACCOUNT}/servicePrincipals/${principal.id}/credentials/secrets`, {});
  const recipient = await good(
    ask('POST', `${UC}/recipients`, { body: { name: 'partner', authentication_type: 'TOKEN' } }),
  );
  const codeOf = (made: { tokens: { activation_url: string }[] }) =>
    String(made.tokens[0]?.activation_url.split('?')[1]);
  const code = codeOf(recipient);
  const waiting = await good(
    ask('POST', `${UC}/recipients`, { body: { name: 'waiting', authentication_type: 'TOKEN' } }),
  );
  const profile = await good(ask('GET', `${UC}/public/data_sharing_activation/${code}`, { token: null }));
  return {
    accessToken: String(token_value),
    principalSecret: String(secret),
    usedCode: code,
    activationCode: codeOf(waiting),
    recipientToken: String(profile.bearerToken),
    recipientUrl: new URL(profile.endpoint).pathname,
  };
}
