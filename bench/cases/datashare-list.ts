import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Vault } from '../../src/kernel/auth/vault.ts';
import { type ListPage, readList } from '../../src/kernel/odata/list.ts';
import { openPostgres, openSqlite } from '../../src/kernel/store/index.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { ownedKey, type Run, runs } from '../../src/services/datashare/collections.ts';
import { PROVIDER_SHAPE, startedOnly } from '../../src/services/datashare/runs/filter.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import { analyze } from '../lib/analyze.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { takeTurns } from '../lib/rounds.ts';

const FEW = 1000;
const PAGE = 100;
const FIRST = Date.UTC(2020, 0, 1);
const MINUTE = 60_000;
/** Only this many of the oldest runs have failed: a scan from the newest run on passes all others first. */
const FAILED = 100;

const timeOf = (n: number): string => new Date(FIRST + n * MINUTE).toISOString();

/** Typical requests, for a list of `rows` entries. */
const QUESTIONS: Readonly<Record<string, (rows: number) => string | undefined>> = {
  'the newest': () => undefined,
  'by their status': () => "status eq 'Failed'",
  'of a time': (rows) => {
    const at = Math.floor(Math.random() * (rows - PAGE));
    return `startTime ge ${timeOf(at)} and startTime lt ${timeOf(at + PAGE)}`;
  },
};

export const dataShareList: Case = {
  name: 'datashare-list',
  summary:
    'A page of the synchronizations of a share by filter, and one by a token from within, over few and over many.',
  async run(context) {
    const many = context.quick ? 100_000 : 1_000_000;
    return [...(await onSqlite(context, many)), ...(await onPostgres(context, many))];
  },
};

async function onSqlite(context: CaseContext, many: number): Promise<Comparison[]> {
  mkdirSync(context.folder, { recursive: true });
  const open = async (rows: number): Promise<Store> => {
    const store = await openSqlite({ file: join(context.folder, `runs-${rows}.db`), collections: [runs] });
    await fill(context, store, rows);
    return store;
  };
  return compare(context, 'SQLite', many, await open(FEW), await open(many));
}

async function onPostgres(context: CaseContext, many: number): Promise<Comparison[]> {
  const server = await startPostgres();
  const open = async (rows: number): Promise<Store> => {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: [runs] });
    await fill(context, store, rows);
    await analyze(url);
    return store;
  };
  try {
    return await compare(context, 'PostgreSQL', many, await open(FEW), await open(many));
  } finally {
    await server.stop();
  }
}

async function fill({ say }: CaseContext, store: Store, rows: number): Promise<void> {
  say(`writing ${rows} synchronizations`);
  for (let at = 0; at < rows; at += 5000) {
    const some = Array.from({ length: Math.min(5000, rows - at) }, (_, i) => runOf(at + i));
    await store.transact((tx) =>
      tx.putAll(
        runs,
        some.map((run) => [ownedKey(run.subscription, run.id), run] as const),
      ),
    );
  }
}

function runOf(n: number): Run {
  const at = FIRST + n * MINUTE;
  // Unordered, like random ids.
  const id = `00000000-0000-4000-8000-${String((n * 7919) % 100_000_007).padStart(12, '0')}`;
  return {
    id,
    subscription: 'consumer',
    subscriptionKey: 'account/consumer',
    share: 'share',
    shareKey: 'account/share',
    mode: 'Incremental',
    status: n < FAILED ? 'Failed' : 'Succeeded',
    queuedAt: at,
    startTime: at,
    endTime: at + 500,
    durationMs: 500,
    consumer: { name: 'Otto Other', email: 'other@other.example', tenantName: 'Other Example' },
  };
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
  const add = async (title: string, ask: (store: Store, of: number) => Promise<unknown>): Promise<void> => {
    say(`${engine}: synchronizations ${title}`);
    const figures = await takeTurns(quick ? 3 : 11, {
      short: () => average(lists, () => ask(short, FEW)),
      long: () => average(lists, () => ask(long, rows)),
    });
    found.push({
      title: `synchronizations ${title}, ${engine}`,
      unit: 'ms',
      baseline: { name: `over ${FEW.toLocaleString('en')}`, values: figures.short },
      subject: { name: `over ${rows.toLocaleString('en')}`, values: figures.long },
      target: { atMost: 3 },
    });
  };
  for (const [title, question] of Object.entries(QUESTIONS))
    await add(title, (store, of) => pageOf(store, { filter: question(of) }));
  const tokens = new Map<Store, string>();
  for (const [store, of] of [
    [short, FEW],
    [long, rows],
  ] as const) {
    const middle = await pageOf(store, { filter: `startTime lt ${timeOf(of / 2)}` });
    tokens.set(store, String(middle.skipToken));
  }
  await add('by a token', (store, of) =>
    pageOf(store, { filter: `startTime lt ${timeOf(of / 2)}`, skipToken: String(tokens.get(store)) }),
  );
  await Promise.all([short.close(), long.close()]);
  return found;
}

async function average(lists: number, ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < lists; i++) await ask();
  return (performance.now() - began) / lists;
}

const vault = { deriveKey: () => Buffer.alloc(32) } as unknown as Vault;

async function pageOf(
  store: Store,
  options: { readonly filter?: string | undefined; readonly skipToken?: string },
): Promise<ListPage<Run>> {
  const page = await readList<Run>({
    store,
    vault,
    now: 0,
    shape: PROVIDER_SHAPE,
    options: {
      ...(options.filter !== undefined && { filter: options.filter }),
      ...(options.skipToken !== undefined && { skipToken: options.skipToken }),
    },
    rewrite: startedOnly,
    filter: { op: 'eq', field: 'share', value: 'share' },
    order: [{ field: 'orderTime', descending: true }],
    list: 'share',
    rules: { size: PAGE, most: PAGE, top: 'page' },
  });
  if (page.items.length !== PAGE) throw new Error(`${page.items.length} instead of ${PAGE} were found`);
  return page;
}
