// Changes records of one company in one window, by turns: customers, which a subscription watches; vendors, which no subscription watches;
// and plain writes of the same documents, each read before it is written. Reports the time of each, the peak memory of the process, and
// what the receiver got when the window closed.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import type { Stored } from '../../src/kernel/store/types.ts';
import { openSession } from '../../src/services/business/api/session.ts';
import { standardModel } from '../../src/services/business/model/model.ts';
import type { Api } from '../../src/services/business/model/types.ts';
import { businessJar } from '../../src/services/business/open.ts';
import type { BusinessRecord } from '../../src/services/business/records/collection.ts';
import { companiesOf } from '../../src/services/business/records/companies.ts';
import type { Company } from '../../src/services/business/records/company.ts';
import type { Row } from '../../src/services/business/records/row.ts';
import { SERVICES } from '../../src/services.ts';
import { customerId, plainRecords } from './customers.ts';

const [folder = '', count = '0', rounds = '0'] = process.argv.slice(2);
const PER_TRANSACTION = 1000;
const WARM_UP = 3000;
const MOST_COMPARED = 20_000;

const config = loadConfig({
  flags: { port: 0, httpsPort: 0, data: join(folder, 'data'), clock: 'virtual' },
  env: {},
  cwd: '/',
});
const services = SERVICES.map((each) =>
  each.name === 'business' ? { ...each, collections: [...(each.collections ?? []), plainRecords] } : each,
);
const running = await openJar({ config, services, logLevel: 'error' });
const { jar } = running;

const admin = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' };
const ask = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
  const answer = await fetch(running.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (await answer.json()) as any;
};
const { access_token } = await ask('POST', '/_jar/tokens', admin, {});
const user = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
const listed = await ask('GET', '/api/v2.0/companies', user);
const tenantId = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString()).tid as string;
const company = (await companiesOf(jar.store, standardModel, tenantId)).find(
  ({ id }) => id === listed.value[0].id,
) as Company;
await ask('POST', '/api/v2.0/subscriptions', user, {
  notificationUrl: `${running.httpsUrl}/_jar/inbox/changes`,
  resource: `/api/v2.0/companies(${company.id})/customers`,
});

const session = openSession({
  jar: businessJar(jar),
  model: standardModel,
  api: standardModel.api('v2.0') as Api,
  tenantId,
  actor: { tenantId, objectId: 'bench', name: 'Bench', kind: 'user', isDelegatedAdmin: false, canScheduleJobs: true },
  isReader: false,
  now: jar.clock.now(),
  base: running.url,
  requestId: '',
  correlationId: '',
  deadline: Number.POSITIVE_INFINITY,
});

const share = Math.ceil(Number(count) / Number(rounds) / PER_TRANSACTION) * PER_TRANSACTION;
// The other two are only for comparison: fewer of them are changed, in lists of the same length.
const less = Math.min(share, MOST_COMPARED);
const rows = share * Number(rounds) + WARM_UP;
const file = join(folder, 'data', 'jar.db');
const filler = join(import.meta.dirname, 'fill-customers-process.js');
for (const [list, into] of [
  ['customer', 'records'],
  ['vendor', 'records'],
  ['customer', 'plain'],
] as const) {
  execFileSync(process.execPath, [filler, file, String(rows), `${company.key}/${list}`, into]);
}

let most = 0;
const changed = { customer: 0, vendor: 0, plain: 0 };

/** Changes records with all side effects, including the change record and, if the table is watched, a change for the subscription. */
async function change(table: 'customer' | 'vendor', many: number): Promise<void> {
  for (let done = 0; done < many; done += PER_TRANSACTION) {
    await session.write(company, async (books) => {
      for (let i = 0; i < PER_TRANSACTION; i++) {
        const row = await books.get(table, customerId(++changed[table]));
        await books.modify(row as Row, { city: `Malmö ${changed[table]}` });
      }
    });
    most = Math.max(most, process.memoryUsage.rss());
  }
}

async function write(many: number): Promise<void> {
  const { now } = session;
  for (let done = 0; done < many; done += PER_TRANSACTION) {
    await jar.store.transact(async (tx) => {
      for (let i = 0; i < PER_TRANSACTION; i++) {
        const key = `${company.key}/customer/${customerId(++changed.plain)}`;
        const { value } = (await tx.get(plainRecords, key)) as Stored<BusinessRecord>;
        const city = `Malmö ${changed.plain}`;
        await tx.put(plainRecords, key, {
          ...value,
          values: { ...value.values, city },
          slots: { ...value.slots, t5: city },
          modifiedAt: now,
          modifiedBy: 'bench',
        });
      }
    });
  }
}

const timed = async (body: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await body();
  return performance.now() - began;
};

for (const warmUp of [() => change('customer', WARM_UP), () => change('vendor', WARM_UP), () => write(WARM_UP)])
  await warmUp();
const figures = { watched: [] as number[], unwatched: [] as number[], plain: [] as number[] };
for (let round = 0; round < Number(rounds); round++) {
  figures.plain.push(((await timed(() => write(less))) * 1000) / less);
  figures.unwatched.push(((await timed(() => change('vendor', less))) * 1000) / less);
  figures.watched.push(((await timed(() => change('customer', share))) * 1000) / share);
}
await running.advance('30s');
most = Math.max(most, process.memoryUsage.rss());
const { value: requests } = await ask('GET', '/_jar/inbox/changes/requests', admin);
const told = requests.filter(({ handshake }: { handshake: unknown }) => handshake === null);
const entries = told.flatMap(({ body }: { body: string }) => JSON.parse(body).value);
await running.close();
process.send?.({ ...figures, most: most / 1e6, entries });
process.disconnect?.();
