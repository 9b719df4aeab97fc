import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resourceGroups } from '../../src/kernel/arm/collections.ts';
import { gatewayFilter, TAGS } from '../../src/kernel/arm/filter.ts';
import type { Vault } from '../../src/kernel/auth/vault.ts';
import { compileFilter } from '../../src/kernel/odata/compile.ts';
import { readList } from '../../src/kernel/odata/list.ts';
import { entityShape } from '../../src/kernel/odata/shape.ts';
import { openPostgres, openSqlite } from '../../src/kernel/store/index.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { fillPostgresItems, fillSqliteItems, HIGHEST_PRICE, itemShape, items } from '../lib/items.ts';
import { putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';

const PAGE = 100;
/** There are ten kinds, so that a page of one kind is full. */
const FEW = 1000;
const CONNECTIONS = 32;
const LISTED_GROUPS = 20;

export const odata: Case = {
  name: 'odata',
  summary: `A filtered and ordered page of ${PAGE} documents, and what reading the filter costs of the request that it comes with.`,
  async run(context) {
    const many = context.quick ? 100_000 : 1_000_000;
    return [await onSqlite(context, many), await onPostgres(context, many), await costOfReading(context)];
  },
};

async function onSqlite(context: CaseContext, many: number): Promise<Comparison> {
  mkdirSync(context.folder, { recursive: true });
  const open = async (rows: number): Promise<Store> => {
    const file = join(context.folder, `items-${rows}.db`);
    const store = await openSqlite({ file, collections: [items] });
    await store.close();
    context.say(`writing ${rows} documents`);
    fillSqliteItems(file, rows);
    return openSqlite({ file, collections: [items] });
  };
  return comparePages(context, 'filtered, ordered page, SQLite', many, await open(FEW), await open(many));
}

async function onPostgres(context: CaseContext, many: number): Promise<Comparison> {
  const server = await startPostgres();
  const open = async (rows: number): Promise<Store> => {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: [items] });
    context.say(`writing ${rows} documents to PostgreSQL`);
    await fillPostgresItems(url, rows);
    return store;
  };
  try {
    return await comparePages(context, 'filtered, ordered page, PostgreSQL', many, await open(FEW), await open(many));
  } finally {
    await server.stop();
  }
}

async function comparePages(
  { quick }: CaseContext,
  title: string,
  rows: number,
  short: Store,
  long: Store,
): Promise<Comparison> {
  const pages = quick ? 30 : 200;
  const figures = await takeTurns(quick ? 3 : 11, {
    short: () => averagePage(pages, short, 0),
    long: () => averagePage(pages, long, HIGHEST_PRICE / 2),
  });
  await Promise.all([short.close(), long.close()]);
  return {
    title,
    unit: 'ms',
    baseline: { name: `over ${FEW.toLocaleString('en')}`, values: figures.short },
    subject: { name: `over ${rows.toLocaleString('en')}`, values: figures.long },
    target: { atMost: 3 },
  };
}

const vault = { deriveKey: () => Buffer.alloc(32) } as unknown as Vault;

/** Milliseconds per page, each with a different filter. `above` is the range of the lower price bound in which a page is full. */
async function averagePage(pages: number, store: Store, above: number): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < pages; i++) {
    const from = above === 0 ? -Math.random() : Math.random() * above;
    const filter = `kind eq 'k${i % 10}' and price ge ${from} and startswith(title,'Title')`;
    const { items: found } = await readList({
      store,
      vault,
      now: 0,
      shape: itemShape,
      list: 'items',
      rules: { size: PAGE, most: PAGE, top: 'total' },
      options: { filter, orderBy: 'price' },
    });
    if (found.length !== PAGE) throw new Error(`a page of ${found.length} instead of ${PAGE}`);
  }
  return (performance.now() - began) / pages;
}

const TYPICAL = "tagName eq 'team' and tagValue eq 'bench' and startswith(name,'group')";

const groupShape = entityShape({
  name: 'resource groups',
  collection: resourceGroups,
  properties: { name: { type: 'Edm.String', ignoreCase: true }, tags: TAGS },
  scan: 'bounded',
});

/** Server time of a request with a filter, and the share of parsing and compiling that filter. */
async function costOfReading({ folder, quick, say }: CaseContext): Promise<Comparison> {
  const jar = await startJarProcess(join(folder, 'jar'), ['--clock', 'virtual']);
  try {
    const { token, list, of } = await groupAddresses(jar);
    const headers = { authorization: `Bearer ${token}` };
    for (let n = 0; n < LISTED_GROUPS; n++) {
      const body = JSON.stringify(GROUP_BODY);
      await fetch(jar.url + of(`group-${n}`), {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
    }
    const url = `${jar.url}${list}&$filter=${encodeURIComponent(TYPICAL)}`;
    const answer = (await (await fetch(url, { headers })).json()) as { value: unknown[] };
    if (answer.value.length !== LISTED_GROUPS) throw new Error(`the filter found ${answer.value.length} groups`);
    say('requests with a filter');
    const load = { url, method: 'GET', headers, connections: CONNECTIONS, seconds: quick ? 2 : 4 } as const;
    const figures = await takeTurns(
      quick ? 2 : 5,
      {
        request: async () => {
          const { serverBusy, perSecond } = await putLoadOn(jar, load);
          return (serverBusy / perSecond) * 1e6;
        },
        reading: async () => costOfCompiling(quick ? 20_000 : 100_000),
      },
      { warmUps: 2 },
    );
    return {
      title: `reading and translating a $filter, of a request that lists ${LISTED_GROUPS} groups by it`,
      unit: 'µs',
      baseline: { name: "the request, of the server's processor", values: figures.request },
      subject: { name: 'parse, bind and translate', values: figures.reading },
      target: { atMost: 0.05 },
    };
  } finally {
    await jar.stop();
  }
}

/** Processor time of this process in microseconds per filter, compiled from its text each time. */
function costOfCompiling(times: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) {
    compileFilter(groupShape, TYPICAL, 0, (node, source) => gatewayFilter(node, source, ['Microsoft']));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
