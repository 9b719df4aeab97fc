import type { Jar } from '../../src/kernel/service/jar.ts';
import { endpoints, queuedMails } from '../../src/services/mail/collections.ts';
import { endpointKey, endpointRules } from '../../src/services/platform/network/connectivity/collections.ts';
import { openBooks } from '../services/business/support.ts';
import { control, openWebhooks } from '../services/business/webhooks/support.ts';
import { container, groupBody, makeResourceGroup, putGroup } from '../services/containers/small-groups.ts';
import { CONSUMER, giver, good, makeAccounts, PROVIDER, SOURCE, TARGET, taker } from '../services/datashare/support.ts';
import { event, makeTopic, publish, subscribe, webHook } from '../services/events/delivering/grid.ts';
import { askToken, TENANT } from '../services/identity/support.ts';
import { makeApp, person } from '../services/lifecycle/support.ts';
import type { Bench } from '../support/jars.ts';

const ACCOUNT =
  '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop/providers/Vendor.Storage/storageAccounts/store';

/** Fills every list of the control API with several items, through ordinary use of a jar. */
export async function fillLists(bench: Bench, jar: Jar): Promise<void> {
  await directory(bench);
  await inboxes(bench);
  await keys(bench);
  await invitations(bench);
  await addresses(bench);
  await sharing(bench);
  await containerGroups(bench);
  await datasets(bench);
  await hierarchy(bench);
  await events(bench);
  await subscriptions(bench);
  await mails(bench);
  await queued(jar);
  await platform(bench);
  await privateEndpoints(jar);
  await work(jar);
  for (const name of ['one', 'two', 'three']) {
    await put(bench, `snapshots/${name}`);
    await bench.jar.clock.advance('1s');
  }
  await changes(bench);
  await faults(bench);
  await signIns(bench);
  await requests(bench);
}

/** Of a user and of an application, and failures of an unknown user and an unknown application. */
async function signIns({ jar }: Bench): Promise<void> {
  const user = { grant_type: 'password', client_id: '04b07795-8ddb-461a-bbee-02f9e1bf7b46', scope: MANAGEMENT };
  const application = { grant_type: 'client_credentials', scope: MANAGEMENT };
  for (const [tenant, form] of [
    ['common', { ...user, username: 'admin', password: 'cloudjar' }],
    ['vendor.example', { ...user, username: 'admin', password: 'wrong' }],
    ['common', { ...user, username: 'nobody', password: 'cloudjar' }],
    [TENANT, { ...application, client_id: SEEDED, client_secret: 'cloudjar-app-secret' }],
    [TENANT, { ...application, client_id: 'unknown', client_secret: 'secret' }],
  ] as const) {
    const headers = { 'user-agent': `test of ${form.grant_type}` };
    await askToken(jar, form, `/${tenant}/oauth2/v2.0/token`, headers);
  }
}

const MANAGEMENT = 'https://management.vendor.example/.default';
const SEEDED = '10000000-0000-4000-8000-0000000000a1';

/** Requests of clients that send their own ids, and one of them again. */
async function requests(bench: Bench): Promise<void> {
  for (const i of [1, 2]) {
    const headers = {
      'client-request-id': `mine-${i}`,
      traceparent: `00-${String(i).repeat(32)}-${'a'.repeat(16)}-01`,
    };
    await bench.call('GET', '/subscriptions?api-version=2022-12-01', { headers });
  }
  const { body } = await control(bench, 'GET', "requests?$filter=clientRequestId eq 'mine-2'");
  const { status, text } = await control(bench, 'POST', `requests/${body.value[0].id}/send`, { token: 'fresh' });
  if (status !== 200) throw new Error(text);
}

async function containerGroups(bench: Bench): Promise<void> {
  await makeResourceGroup(bench);
  const port = { ports: [{ port: 80 }] };
  const ipAddress = { type: 'Public', ...port, dnsNameLabel: 'listed' };
  await putGroup(bench, 'calm', groupBody([container('main', 'busybox', port)], { ipAddress }));
  await putGroup(bench, 'ends', groupBody([container('main', 'simulated/exit:1')], { restartPolicy: 'Never' }));
  const two = [container('main', 'simulated/crash'), container('other', 'busybox')];
  await putGroup(bench, 'crashes', groupBody(two, { restartPolicy: 'OnFailure' }));
  await bench.jar.clock.advance('1m');
}

async function put(bench: Bench, path: string, body?: unknown): Promise<void> {
  const { status, text } = await control(bench, 'PUT', path, body);
  if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${text}`);
}

async function directory(bench: Bench): Promise<void> {
  for (let i = 0; i < 4; i++) {
    const id = `40000000-0000-4000-8000-00000000000${i}`;
    const names = { displayName: `Person ${(i * 3) % 4}`, givenName: `G${i % 2}`, surname: `S${i}` };
    const username = `person-${i}@vendor.example`;
    await put(bench, `users/${id}`, { username, alias: `Person-${i}`, ...names, ...(i === 2 && { password: 'open' }) });
    const redirectUris = [`https://app-${i}.example/`];
    const secret = i === 1 ? { secret: 'confidential' } : { public: i === 2, implicit: i === 3 };
    await put(bench, `applications/${id.replace('40', '50')}`, { alias: `App-${i}`, redirectUris, ...secret });
  }
}

async function inboxes(bench: Bench): Promise<void> {
  for (const [i, name] of ['box', 'other', 'third'].entries()) {
    const inbox = bench.jar.inbox(name);
    for (let n = 0; n <= i; n++) await fetch(inbox.url, { method: 'POST', body: 'x'.repeat(n) });
    await bench.jar.clock.advance('1s');
  }
  const box = bench.jar.inbox('box');
  await fetch(`${box.url}/below?validationToken=abc`, { method: 'POST' });
  await box.respond({ status: 202, delayMs: 1 });
  await fetch(`${box.url}/more`, { method: 'PUT', body: 'y'.repeat(9) });
  await box.respond({});
}

async function datasets(bench: Bench): Promise<void> {
  const token = await bench.jar.token({ user: 'licensed' });
  const ask = (path: string, body: object, as?: string) =>
    bench.call('POST', `/v1.0/myorg/${path}`, { body, ...(as !== undefined && { token: as }) });
  const { id: group } = (await ask('groups', { name: 'Sales' })).body;
  const table = { name: 'T', columns: [{ name: 'n', dataType: 'Int64' }] };
  for (const [place, name, defaultMode, policy, as] of [
    ['', 'First', 'Push', 'None', undefined],
    [`groups/${group}/`, 'second', 'PushStreaming', 'basicFIFO', undefined],
    ['', 'Third', 'Streaming', 'None', token],
  ] as const) {
    const made = await ask(
      `${place}datasets?defaultRetentionPolicy=${policy}`,
      { name, defaultMode, tables: [table] },
      as,
    );
    const rows = Array.from({ length: name.length % 3 }, (_, n) => ({ n }));
    await ask(`${place}datasets/${made.body.id}/tables/T/rows`, { rows }, as);
    await bench.jar.clock.advance('1s');
  }
}

/** Management groups, a further subscription in one of them, and groups of other subscriptions. */
async function hierarchy(bench: Bench): Promise<void> {
  const other = await bench.jar.token({ user: 'other', ttl: '365d' });
  const arm = async (path: string, body: object, token?: string): Promise<void> => {
    const { status, text } = await bench.call('PUT', path, { body, ...(token !== undefined && { token }) });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    await bench.jar.settled();
  };
  const groups = '/providers/Vendor.Management/managementGroups';
  const version = 'api-version=2020-05-01';
  await arm(`${groups}/company?${version}`, { properties: { displayName: 'The company' } });
  const parent = { id: `${groups}/company` };
  await arm(`${groups}/shop?${version}`, { properties: { displayName: 'Shop', details: { parent } } });
  await arm(`${groups}/elsewhere?${version}`, {}, other);
  const properties = { displayName: 'Test', workload: 'DevTest' };
  await arm('/providers/Vendor.Subscription/aliases/test?api-version=2021-10-01', { properties });
  await bench.jar.clock.advance('1m');
  await arm(`${groups}/shop/subscriptions/10000000-0000-4000-8000-0000000000f1?${version}`, {});
  const others = '/subscriptions/20000000-0000-4000-8000-0000000000f1/resourceGroups/theirs';
  await arm(`${others}?api-version=2021-04-01`, { location: 'eastus' }, other);
  const store = `${others}/providers/Vendor.Storage/storageAccounts/theirstore?api-version=2023-01-01`;
  await arm(store, { location: 'eastus', sku: { name: 'Standard_LRS' }, kind: 'StorageV2' }, other);
  const own = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/mine';
  await arm(`${own}?api-version=2021-04-01`, { location: 'westeurope', tags: { env: 'test' } });
}

async function keys(bench: Bench): Promise<void> {
  await put(bench, 'translator/keys/Second', { tier: 'S1', region: 'westus' });
  await put(bench, 'translator/keys/third', { tier: 'F0', region: 'eastus', kind: 'speech' });
}

async function invitations(bench: Bench): Promise<void> {
  const ann = await person(bench, 'ann');
  await bench.jar.clock.advance('1h');
  const bob = await person(bench, 'Bob');
  await makeApp(ann, 'phone');
  await makeApp(bob, 'Radio');
  await ann.call('POST', '/orgs', { display_name: 'Acme', name: 'acme' });
  await ann.call('POST', '/apps/ann/phone/invitations', { user_email: 'lin@vendor.example', role: 'viewer' });
  await bench.jar.clock.advance('1m');
  await bob.call('POST', '/apps/Bob/Radio/invitations', { user_email: 'Kim@vendor.example', role: 'manager' });
  await bench.jar.clock.advance('1m');
  await ann.call('POST', '/orgs/acme/invitations', { user_email: 'lin@vendor.example' });
  await ann.call('POST', '/orgs/acme/invitations', { user_email: 'moe@vendor.example' });
}

/** Requests of two accounts (one approved, one refused, one pending), and results of queries. */
async function platform(bench: Bench): Promise<void> {
  const decisions = [
    ['admin', 'secret-scopes', 'approve', { limit: 1500 }],
    ['admin', 'principals', 'refuse', { reason: 'No.' }],
    ['other', 'secret-scopes', undefined, undefined],
  ] as const;
  for (const [user, limit, decision, sent] of decisions) {
    const token = await bench.jar.token({ user, ttl: '365d' });
    const body = { limit, requested: user === 'other' ? 3000 : 20_000, reason: 'growth' };
    const made = await bench.call('POST', '/api/2.0/platform/limit-increases', { token, body });
    if (made.status !== 200) throw new Error(made.text);
    await bench.jar.clock.advance('1s');
    if (decision) await control(bench, 'POST', `platform/limit-increases/${made.body.id}/${decision}`, sent);
  }
  const token = await bench.jar.token({ user: 'admin', ttl: '365d' });
  const saved = async (display_name: string): Promise<string> => {
    const body = { query: { display_name, query_text: 'SELECT 1' } };
    const { status, text, body: query } = await bench.call('POST', '/api/2.0/sql/queries', { token, body });
    if (status !== 200) throw new Error(text);
    return query.id;
  };
  const results = [
    { queryId: await saved('orders'), columns: ['n'], rows: [[1]] },
    { queryId: await saved('parcels'), error: 'DIVIDE_BY_ZERO' },
    { statement: 'SELECT n FROM orders', columns: ['n'], rows: [[1], [2]] },
    { statement: 'SELECT name, n FROM orders', columns: ['name', 'n'], rows: [['pears', 3]] },
    { statement: 'SELECT n FROM parcels', error: 'TABLE_OR_VIEW_NOT_FOUND' },
  ];
  for (const result of results) {
    const kept = await control(bench, 'PUT', 'platform/query-results', result);
    if (kept.status !== 200) throw new Error(kept.text);
    await bench.jar.clock.advance('1s');
  }
}

async function events(bench: Bench): Promise<void> {
  const [orders, parcels] = [await makeTopic(bench, 'orders'), await makeTopic(bench, 'parcels')];
  await makeTopic(bench, 'cloud', { inputSchema: 'CloudEventSchemaV1_0' });
  const queue = (queueName: string) => ({
    endpointType: 'StorageQueue',
    properties: { resourceId: ACCOUNT, queueName, queueMessageTimeToLiveInSeconds: 604_800 },
  });
  for (const name of ['first', 'second', 'third']) {
    const expiry = name === 'first' ? {} : { expirationTimeUtc: `20${name === 'second' ? 40 : 41}-01-01T00:00:00Z` };
    await subscribe(bench, orders.id, name, { destination: queue(name), ...expiry });
    await bench.jar.clock.advance('1s');
  }
  for (const name of ['works', 'fails', 'breaks', 'ends']) {
    const inbox = bench.jar.inbox(name);
    await subscribe(bench, parcels.id, name, { destination: webHook(inbox.httpsUrl) });
    if (name !== 'works') await inbox.respond({ status: name === 'fails' ? 500 : 503 });
  }
  for (const [i, topic] of [orders, parcels, orders, orders].entries()) {
    await publish(bench, topic, event({ subject: `/orders/${i % 3}`, eventType: `Shop.Order${(i * 2) % 3}` }));
    await bench.jar.clock.advance('10s');
  }
  // Enough of them to put the failing endpoints on probation.
  await publish(bench, parcels, ...Array.from({ length: 10 }, () => event({ subject: '/parcels' })));
  await bench.jar.clock.advance('10s');
  const { body } = await control(bench, 'GET', 'events/queues');
  await control(bench, 'POST', `events/queues/${body.value[0].id}/receive`, { visibilityTimeout: 90_000 });
}

async function subscriptions(bench: Bench): Promise<void> {
  const hooks = await openWebhooks(bench);
  const other = await bench.jar.token({ user: 'other', ttl: '365d' });
  const others = await openWebhooks(bench, 'v1.0', other);
  for (const set of ['vendors', 'items', 'accounts']) {
    const { subscriptionId } = await hooks.make(set, `gone-${set}`);
    await bench.jar.clock.advance('1m');
    await hooks.remove(subscriptionId);
  }
  await hooks.make('customers', 'told');
  await bench.jar.clock.advance('1m');
  const flow = await hooks.make('vendors', 'told-too');
  await control(bench, 'PATCH', `business/subscriptions/${flow.subscriptionId}`, { flow: true });
  await bench.jar.clock.advance('1m');
  await others.make('items', 'told-others');
}

/** Work of a kind without a handler, in each of its states. */
async function work({ store, clock }: Jar): Promise<void> {
  const now = clock.now();
  await store.transact(async (tx) => {
    for (let i = 0; i < 6; i++) {
      const dueAt = i < 3 ? now : now + 1e9 + i;
      await tx.schedule({ id: `test ${i}`, kind: `test.${i % 2}`, dueAt, payload: { i } });
    }
  });
  const request = { kinds: ['test.0', 'test.1'], now, limit: 3, leaseMs: 3_600_000 };
  const claimed = await store.work.claim(request);
  await store.transact(async (tx) => {
    for (const item of claimed.slice(0, 2)) await tx.park(item, `why ${item.id}`);
  });
}

/** The last step that depends on time: the clock must not advance afterwards, or the pending changes are sent. */
async function changes(bench: Bench): Promise<void> {
  // Pending until another user changes a record of the company, which does not happen.
  const delegated = await openBooks(bench, 'v2.0', await bench.jar.token({ user: 'delegated-admin', ttl: '365d' }));
  const others = await openBooks(bench, 'v1.0', await bench.jar.token({ user: 'other', ttl: '365d' }));
  await delegated.make('vendors', { displayName: 'Supplier' });
  const { id } = await delegated.make('customers', { displayName: 'Buyer' });
  await delegated.patch(`customers(${id})`, { displayName: 'Great buyer' });
  await others.make('items', { displayName: 'Thing' });
}

async function faults(bench: Bench): Promise<void> {
  const path = '/subscriptions/nothing*';
  const rules = [
    { match: { path, direction: 'inbound', service: 'resources', method: 'GET' }, effect: { status: 503 }, nth: 1 },
    { match: { path: '/other/*' }, effect: { latencyMs: 20, throttledAs500: true }, every: 2 },
    { match: { path }, effect: { drop: true }, count: 3 },
    { match: { path: '/other/*' }, effect: { dropAnswer: true }, share: 0.5 },
    { match: { path, direction: 'outbound' }, effect: { duplicate: true } },
    { match: { path, direction: 'outbound' }, effect: { outOfOrder: true } },
    { match: { path, direction: 'outbound' }, effect: { afterDelete: true } },
  ];
  for (const rule of rules) {
    const { status, text } = await control(bench, 'POST', 'faults', rule);
    if (status !== 201) throw new Error(`${JSON.stringify(rule)}: ${text}`);
  }
  await bench.call('GET', '/subscriptions/nothing?api-version=2022-12-01');
}

/** Addresses of two users, one of whom has verified one address. */
async function addresses(bench: Bench): Promise<void> {
  const place = '/providers/Vendor.DataShare/locations/eastus';
  const post = async (user: string, action: string, body: object): Promise<void> => {
    const token = await bench.jar.token({ user, ttl: '365d' });
    const { status, text } = await bench.call('POST', `${place}/${action}?api-version=2021-08-01`, { token, body });
    if (status !== 200) throw new Error(`${action}: ${text}`);
  };
  for (const [user, email] of [
    ['admin', 'ada@first.example'],
    ['admin', 'Ada@Second.example'],
    ['other', 'otto@first.example'],
  ] as const) {
    await post(user, 'registerEmail', { email });
    await bench.jar.clock.advance('1s');
  }
  const { body } = await control(bench, 'GET', 'datashare/registrations');
  const [{ email, activationCode }] = body.value.filter((each: { email: string }) => each.email.startsWith('otto'));
  await post('other', 'activateEmail', { email, activationCode });
}

/** Three shares, two of them accepted twice; synchronizations that fail, because there are no files, by request and on a schedule. */
async function sharing(bench: Bench): Promise<void> {
  const [give, take] = [await giver(bench), await taker(bench)];
  await makeAccounts(give, take);
  await bench.jar.settled();
  const schedule = { kind: 'ScheduleBased', properties: { recurrenceInterval: 'Hour', synchronizationTime: LONG_AGO } };
  for (const [name, subscriptions] of [
    ['figures', ['figures', 'copies']],
    ['numbers', ['numbers']],
    ['unused', []],
  ] as const) {
    const share = `${PROVIDER}/shares/${name}`;
    await good(give('PUT', share, { properties: { description: `The ${name}`, terms: 'Be kind' } }));
    await bench.jar.clock.advance('1s');
    await good(give('PUT', `${share}/invitations/pending`, { properties: { targetEmail: 'nobody@other.example' } }));
    const container = { kind: 'Container', properties: { ...SOURCE, containerName: name } };
    const { properties: set } = await good(give('PUT', `${share}/dataSets/all`, container));
    if (name !== 'unused') await good(give('PUT', `${share}/synchronizationSettings/hourly`, schedule));
    for (const taken of subscriptions) {
      const invited = { properties: { targetEmail: 'other@other.example' } };
      const { properties: sent } = await good(give('PUT', `${share}/invitations/${taken}`, invited));
      const subscription = `${CONSUMER}/shareSubscriptions/${taken}`;
      const expiry = taken === 'copies' ? { expirationDate: '2999-01-01T00:00:00Z' } : {};
      await good(
        take('PUT', subscription, {
          properties: { invitationId: sent.invitationId, sourceShareLocation: 'eastus', ...expiry },
        }),
      );
      const target = { ...TARGET, containerName: taken, dataSetId: set.dataSetId };
      await good(take('PUT', `${subscription}/dataSetMappings/all`, { kind: 'Container', properties: target }));
      await good(take('POST', `${subscription}/synchronize`, { synchronizationMode: 'FullSync' }));
      await bench.jar.settled();
    }
  }
  await good(take('PUT', `${CONSUMER}/shareSubscriptions/copies/triggers/hourly`, schedule));
  await bench.jar.clock.advance('70m');
}

const LONG_AGO = '2026-01-01T00:00:00Z';

/** Mail into three mailboxes, with and without a meeting, and to external recipients, which is kept. */
async function mails(bench: Bench): Promise<void> {
  const send = async (mail: object): Promise<void> => {
    const { status, text } = await control(bench, 'POST', 'mail/send', mail);
    if (status !== 201) throw new Error(`${JSON.stringify(mail)}: ${text}`);
    await bench.jar.clock.advance('1s');
  };
  const attachments = [{ name: 'a.txt', contentBytes: Buffer.from('hello').toString('base64') }];
  await send({ to: 'admin', from: 'Carol <carol@fabrikam.example>', subject: 'Lunch', text: 'At noon?', attachments });
  await send({ to: ['admin', 'licensed'], cc: 'other', from: 'dan@fabrikam.example', subject: 'budget', text: 'x' });
  for (const [subject, start, isCancelled] of [
    ['Review', '2031-01-06T09:00:00Z', false],
    ['Offsite', '2031-01-07', false],
    ['Retro', '2031-01-05T10:00:00Z', false],
    ['Retro', '2031-01-05T10:00:00Z', true],
  ] as const) {
    const meeting = { start, uid: `${subject}@fabrikam.example`, sequence: isCancelled ? 1 : 0, isCancelled };
    await send({ to: 'admin', from: 'erin@fabrikam.example', subject, meeting });
  }
  for (const [user, to] of [
    ['admin', 'ann@fabrikam.example'],
    ['licensed', 'bob@fabrikam.example'],
    ['admin', 'Cyd@fabrikam.example'],
  ] as const) {
    const token = await bench.jar.token({ user, ttl: '365d' });
    const message = { subject: `To ${to}`, toRecipients: [{ emailAddress: { address: to } }] };
    const { status, text } = await bench.call('POST', '/v1.0/me/sendMail', { token, body: { message } });
    if (status !== 202) throw new Error(`sendMail: ${text}`);
    await bench.jar.clock.advance('1s');
  }
}

/** The state that a relay and receivers leave if they do not answer. */
async function queued({ store, clock }: Jar): Promise<void> {
  await store.transact(async (tx) => {
    for (const i of [0, 1, 2])
      await tx.put(endpoints, `endpoint-${i}`, {
        tenantId: `${1 + (i % 2)}0000000-0000-4000-8000-000000000001`,
        address: `https://receiver-${i}.example`,
        minutes: [],
        lost: (i * 2) % 3,
        lastAt: clock.now() + i,
      });
    for (const i of [0, 1, 2])
      await tx.put(queuedMails, `queued-${i}`, {
        id: `queued-${i}`,
        mailbox: `10000000-0000-4000-8000-00000000001${1 + (i % 2)}`,
        from: `sender-${i}@vendor.example`,
        subject: `About ${(i * 2) % 3}`,
        messageId: `<${i}@vendor.example>`,
        recipients: i === 0 ? [] : [`someone-${i}@fabrikam.example`],
        blob: 'none',
        queuedAt: clock.now() + i,
        relayed: 2 - i,
      });
  });
}

/** Private endpoints of two accounts, in several states. */
async function privateEndpoints({ store, clock }: Jar): Promise<void> {
  await store.transact(async (tx) => {
    for (const [i, state] of (['PENDING', 'ESTABLISHED', 'REJECTED', 'EXPIRED'] as const).entries()) {
      const rule = {
        id: `endpoint-${3 - i}`,
        accountId: `account-${i % 2}`,
        configurationId: `configuration-${i % 3}`,
        region: i < 2 ? 'westus2' : 'eastus',
        target: { resource_id: `${ACCOUNT}${i}`, group_id: i % 2 === 0 ? 'blob' : 'dfs' },
        state,
        createdAt: clock.now() + i * 1000,
        updatedAt: clock.now() + i * 1000,
      };
      await tx.put(endpointRules, endpointKey(rule.accountId, rule.configurationId, rule.id), rule);
    }
  });
}
