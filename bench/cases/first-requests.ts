import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Comparison } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { timed } from '../lib/rounds.ts';
import { request } from '../lib/server-process.ts';

/** Maximum additional time of a service's first request compared with later ones, because its code is loaded with it. */
const MORE_MS = 150;

const SUBSCRIPTION = '/subscriptions/10000000-0000-4000-8000-0000000000f1';
const TENANT = '10000000-0000-4000-8000-000000000001';

interface Asked {
  readonly path: string;
  readonly credential: 'token' | 'adminKey' | 'apiToken' | 'none';
}

/** One request per service that works on stored data; none that loads data of its own, such as detector weights or the sample company. */
const REQUESTS: Readonly<Record<string, Asked>> = {
  resources: { path: `${SUBSCRIPTION}/resourcegroups?api-version=2022-12-01`, credential: 'token' },
  identity: { path: `/${TENANT}/v2.0/.well-known/openid-configuration`, credential: 'none' },
  containers: {
    path: `${SUBSCRIPTION}/providers/Vendor.ContainerInstance/containerGroups?api-version=2023-05-01`,
    credential: 'token',
  },
  events: { path: `${SUBSCRIPTION}/providers/Vendor.EventGrid/topics?api-version=2022-06-15`, credential: 'token' },
  business: { path: '/v2.0/production/api/v2.0/companies', credential: 'token' },
  translator: { path: '/languages?api-version=3.0', credential: 'none' },
  lifecycle: { path: '/v0.1/user', credential: 'apiToken' },
  'control API': { path: '/_jar/users', credential: 'adminKey' },
};

export const firstRequests: Case = {
  name: 'first-requests',
  summary: `The first request of each service after a start, beside a later one and ${MORE_MS} ms.`,
  async run({ quick, folder, say }) {
    const prepared = await prepare(folder);
    const rows: Comparison[] = [];
    for (const [service, asked] of Object.entries(REQUESTS)) {
      say(service);
      const first: number[] = [];
      const later: number[] = [];
      for (let round = 0; round < (quick ? 2 : 7); round++) {
        const jar = await startJarProcess(folder);
        first.push(await timed(() => ask(jar, asked, prepared)));
        for (let warm = 0; warm < 3; warm++) await ask(jar, asked, prepared);
        later.push((await timed(() => ask(jar, asked, prepared))) + MORE_MS);
        await jar.stop();
      }
      rows.push({
        title: service,
        unit: 'ms',
        baseline: { name: `a later request + ${MORE_MS} ms`, values: later },
        subject: { name: 'the first request', values: first },
        target: { atMost: 1 },
      });
    }
    return rows;
  },
};

type Credentials = Readonly<Record<Exclude<Asked['credential'], 'none'>, Readonly<Record<string, string>>>>;

/** Sends every request once, so that everything that is created by the very first request exists. */
async function prepare(folder: string): Promise<Credentials> {
  const jar = await startJarProcess(folder);
  const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim();
  const { body } = await request(`${jar.url}/_jar/keys`, { authorization: `Bearer ${adminKey}` });
  const credentials: Credentials = {
    token: { authorization: `Bearer ${await jar.token()}` },
    adminKey: { authorization: `Bearer ${adminKey}` },
    apiToken: { 'x-api-token': (JSON.parse(body) as { lifecycle: string }).lifecycle },
  };
  for (const asked of Object.values(REQUESTS)) await ask(jar, asked, credentials);
  await jar.stop();
  return credentials;
}

async function ask({ url }: JarProcess, { path, credential }: Asked, credentials: Credentials): Promise<void> {
  const { status, body } = await request(url + path, credential === 'none' ? {} : credentials[credential]);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
}
