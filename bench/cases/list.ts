import { join } from 'node:path';
import { resourceGroups } from '../../src/kernel/arm/collections.ts';
import { openPostgres, openSqlite } from '../../src/kernel/store/index.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { groupAddresses } from '../lib/documents.ts';
import { fillPostgres, fillStore, keyOfGroup } from '../lib/groups.ts';
import { collectPages, fetchAnyPage } from '../lib/pages.ts';
import { takeTurns } from '../lib/rounds.ts';

const PAGE = 100;
const FEW = 1000;
/** The maximum page size, so that a long list is walked quickly. */
const LONG_STEP = 1000;

export const list: Case = {
  name: 'list',
  summary: `One page of ${PAGE} documents by key, at random places of the list.`,
  async run(context) {
    const many = context.quick ? 100_000 : 1_000_000;
    const short = await makeJar(context, 'few', FEW);
    const long = await makeJar(context, 'many', many);
    const onSqlite = await compareStores(context, 'store, SQLite', {
      short: { store: await openFile(short.folder), ...short },
      long: { store: await openFile(long.folder), ...long },
    });
    return [onSqlite, await compareJars(context, short, long), await onPostgres(context, short, long)];
  },
};

interface Filled {
  readonly folder: string;
  readonly subscriptionId: string;
  readonly rows: number;
}

const openFile = (folder: string): Promise<Store> =>
  openSqlite({ file: join(folder, 'data', 'jar.db'), collections: [resourceGroups] });

/** A jar's data folder with this many resource groups. */
async function makeJar({ folder, say }: CaseContext, name: string, rows: number): Promise<Filled> {
  const own = join(folder, name);
  const jar = await startJarProcess(own);
  const { subscriptionId } = await groupAddresses(jar);
  await jar.stop();
  say(`writing ${rows} resource groups`);
  const store = await openFile(own);
  await fillStore(store, subscriptionId, rows);
  await store.close();
  return { folder: own, subscriptionId, rows };
}

interface FilledStore extends Filled {
  readonly store: Store;
}

async function compareStores(
  { quick }: CaseContext,
  title: string,
  { short, long }: Record<'short' | 'long', FilledStore>,
): Promise<Comparison> {
  const pages = quick ? 30 : 200;
  const figures = await takeTurns(quick ? 3 : 11, {
    short: () => averagePage(pages, () => readAnyPage(short)),
    long: () => averagePage(pages, () => readAnyPage(long)),
  });
  await Promise.all([short.store.close(), long.store.close()]);
  return comparison(title, long.rows, figures);
}

async function readAnyPage({ store, subscriptionId, rows }: FilledStore): Promise<number> {
  const place = keyOfGroup(subscriptionId, Math.floor(Math.random() * (rows - PAGE - 1)));
  const prefix = place.slice(0, place.lastIndexOf('/') + 1);
  const page = await store.query(resourceGroups, { prefix, after: [place], limit: PAGE });
  return page.items.length;
}

async function compareJars({ quick, say }: CaseContext, short: Filled, long: Filled): Promise<Comparison> {
  // A virtual clock counts the gateway's throttles without enforcing them.
  const start = ({ folder }: Filled) => startJarProcess(folder, ['--clock', 'virtual']);
  const jars = [await start(short), await start(long)] as const;
  say('collecting the links of pages');
  const shortPages = await collectPages(jars[0], PAGE, PAGE);
  const longPages = await collectPages(jars[1], PAGE, LONG_STEP);
  const pages = quick ? 20 : 100;
  const figures = await takeTurns(quick ? 3 : 11, {
    short: () => averagePage(pages, () => fetchAnyPage(shortPages)),
    long: () => averagePage(pages, () => fetchAnyPage(longPages)),
  });
  await Promise.all(jars.map((jar) => jar.stop()));
  return comparison('over HTTP, SQLite', long.rows, figures);
}

async function onPostgres(context: CaseContext, short: Filled, long: Filled): Promise<Comparison> {
  const server = await startPostgres();
  const fill = async (filled: Filled): Promise<FilledStore> => {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: [resourceGroups] });
    context.say(`writing ${filled.rows} resource groups to PostgreSQL`);
    await fillPostgres(url, filled.subscriptionId, filled.rows);
    return { store, ...filled };
  };
  try {
    return await compareStores(context, 'store, PostgreSQL', { short: await fill(short), long: await fill(long) });
  } finally {
    await server.stop();
  }
}

/** Milliseconds per page, averaged over `pages`. */
async function averagePage(pages: number, read: () => Promise<number>): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < pages; i++) {
    const found = await read();
    if (found !== PAGE) throw new Error(`a page of ${found} instead of ${PAGE}`);
  }
  return (performance.now() - began) / pages;
}

function comparison(title: string, rows: number, figures: Record<'short' | 'long', number[]>): Comparison {
  return {
    title,
    unit: 'ms',
    baseline: { name: `over ${FEW.toLocaleString('en')}`, values: figures.short },
    subject: { name: `over ${rows.toLocaleString('en')}`, values: figures.long },
    target: { atMost: 2 },
  };
}
