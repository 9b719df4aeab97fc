import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres, openSqlite } from '../../src/kernel/store/index.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { listRecords } from '../../src/services/business/api/list.ts';
import { openSession, type Session } from '../../src/services/business/api/session.ts';
import type { Place } from '../../src/services/business/api/target.ts';
import type { BusinessJar } from '../../src/services/business/jar.ts';
import { standardModel } from '../../src/services/business/model/model.ts';
import type { Api, Page } from '../../src/services/business/model/types.ts';
import { records } from '../../src/services/business/records/collection.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { COMPANY, FIRST_CHANGE, fillPostgresCustomers, fillSqliteCustomers } from '../lib/customers.ts';
import { takeTurns } from '../lib/rounds.ts';

const FEW = 1000;
const PAGE = 20;

/** Typical requests: one record by its name, records after a name, recently changed records. Each is at another position in the list. */
const QUESTIONS: Readonly<Record<string, (at: number) => string>> = {
  'by a name': (at) => `$filter=displayName eq '${nameOf(at)}'`,
  'ordered by name': (at) => `$filter=displayName ge '${nameOf(at)}'&$orderby=displayName&$top=${PAGE}`,
  'changed since': (at) =>
    `$filter=lastModifiedDateTime gt ${new Date(FIRST_CHANGE + at * 1000).toISOString()}&$top=${PAGE}`,
};

const nameOf = (n: number): string => `Customer ${String((n * 104_729) % 100_000_007).padStart(12, '0')}`;

export const businessList: Case = {
  name: 'business-list',
  summary: 'A page of customers by a filter that an index answers, over few and over many.',
  async run(context) {
    const many = context.quick ? 100_000 : 1_000_000;
    return [...(await onSqlite(context, many)), ...(await onPostgres(context, many))];
  },
};

async function onSqlite(context: CaseContext, many: number): Promise<Comparison[]> {
  mkdirSync(context.folder, { recursive: true });
  const open = async (rows: number): Promise<Store> => {
    const file = join(context.folder, `customers-${rows}.db`);
    await (await openSqlite({ file, collections: [records] })).close();
    context.say(`writing ${rows} customers`);
    fillSqliteCustomers(file, rows);
    return openSqlite({ file, collections: [records] });
  };
  return compare(context, 'SQLite', many, await open(FEW), await open(many));
}

async function onPostgres(context: CaseContext, many: number): Promise<Comparison[]> {
  const server = await startPostgres();
  const open = async (rows: number): Promise<Store> => {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: [records] });
    context.say(`writing ${rows} customers to PostgreSQL`);
    await fillPostgresCustomers(url, rows);
    return store;
  };
  try {
    return await compare(context, 'PostgreSQL', many, await open(FEW), await open(many));
  } finally {
    await server.stop();
  }
}

async function compare(
  { quick, say }: CaseContext,
  engine: string,
  rows: number,
  short: Store,
  long: Store,
): Promise<Comparison[]> {
  const lists = quick ? 20 : 100;
  const found: Comparison[] = [];
  for (const [title, question] of Object.entries(QUESTIONS)) {
    say(`${engine}: customers ${title}`);
    const figures = await takeTurns(quick ? 3 : 11, {
      short: () => averageList(lists, short, FEW, question),
      long: () => averageList(lists, long, rows, question),
    });
    found.push({
      title: `customers ${title}, ${engine}`,
      unit: 'ms',
      baseline: { name: `over ${FEW.toLocaleString('en')}`, values: figures.short },
      subject: { name: `over ${rows.toLocaleString('en')}`, values: figures.long },
      target: { atMost: 3 },
    });
  }
  await Promise.all([short.close(), long.close()]);
  return found;
}

/** Milliseconds per answer. Each request covers the last thousand records, which is the size of the short list. */
async function averageList(
  lists: number,
  store: Store,
  rows: number,
  question: (at: number) => string,
): Promise<number> {
  const session = sessionOn(store);
  const began = performance.now();
  for (let i = 0; i < lists; i++) {
    const at = rows - 50 - Math.floor(Math.random() * (FEW - 60));
    const search = question(at);
    const query = Object.fromEntries(search.split('&').map((pair) => pair.split(/=(.*)/s)));
    const request = { method: 'GET', path: 'customers', query, search, headers: {}, body: undefined } as const;
    const { body } = await listRecords(session, PLACE, request);
    if ((body as { value: unknown[] }).value.length === 0) throw new Error(`nothing was found by ${search}`);
  }
  return (performance.now() - began) / lists;
}

const api = standardModel.api('v2.0') as Api;
const company = { id: '00000000-0000-4000-8000-000000000001', key: COMPANY, name: 'Bench', tenantId: 'bench' };
const PLACE: Place = {
  company,
  page: standardModel.page(api, 'customers') as Page,
  table: standardModel.table('customer'),
  where: {},
  address: 'customers',
};

function sessionOn(store: Store): Session {
  const jar = { store, vault: { deriveKey: () => Buffer.alloc(32) } } as unknown as BusinessJar;
  const actor = {
    tenantId: 'bench',
    objectId: '',
    name: '',
    kind: 'user',
    isDelegatedAdmin: false,
    canScheduleJobs: true,
  } as const;
  return openSession({
    jar,
    model: standardModel,
    api,
    tenantId: 'bench',
    actor,
    isReader: false,
    now: 0,
    base: 'http://localhost',
    requestId: '',
    correlationId: '',
    deadline: Number.POSITIVE_INFINITY,
  });
}
