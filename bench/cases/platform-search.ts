import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres, openSqlite, type Store } from '../../src/kernel/store/index.ts';
import {
  runKey,
  runMetrics,
  runParams,
  TRACKING_COLLECTIONS,
  trackedRuns,
  valueKey,
} from '../../src/services/platform/tracking/collections.ts';
import { RUNS } from '../../src/services/platform/tracking/search/languages/runs.ts';
import { parseFilter } from '../../src/services/platform/tracking/search/parse-filter.ts';
import { parseOrder } from '../../src/services/platform/tracking/search/parse-order.ts';
import { runScope, SEARCHED_RUNS } from '../../src/services/platform/tracking/search/runs-search.ts';
import { searchPage } from '../../src/services/platform/tracking/search/search.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import { analyze } from '../lib/analyze.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { takeTurns } from '../lib/rounds.ts';

const WORKSPACE = '1';
const PAGE = 100;
/** Searches per round. */
const SEARCHES = 10;
const FEW = 5000;
/** The limit of an experiment. */
const MANY = 500_000;
const AT_ONCE = 5000;

interface Question {
  readonly title: string;
  readonly filter: string;
  readonly order: readonly string[];
}

const QUESTIONS: readonly Question[] = [
  {
    title: 'a filter by a metric and a parameter, ordered by the metric',
    filter: "metrics.acc > 0.5 AND params.optimizer = 'adam'",
    order: ['metrics.acc DESC'],
  },
  { title: 'a filter by a parameter, the newest first', filter: "params.optimizer = 'sgd'", order: [] },
  {
    title: 'ordered by an attribute with three values, then by a metric',
    filter: '',
    order: ['status', 'metrics.acc'],
  },
  { title: 'ordered by a parameter with three values, from the last on', filter: '', order: ['params.optimizer DESC'] },
  { title: 'a parameter of ten runs, ordered by a metric', filter: "params.seed = '7'", order: ['metrics.acc'] },
];

export const platformSearch: Case = {
  name: 'platform-search',
  summary: `A page of ${PAGE} runs by a filter in an order, in an experiment with many runs and in one with ${FEW.toLocaleString('en')}.`,
  async run(context) {
    return [...(await onSqlite(context)), ...(await onPostgres(context))];
  },
};

const COLLECTIONS = [...TRACKING_COLLECTIONS];

async function onSqlite(context: CaseContext): Promise<Comparison[]> {
  mkdirSync(context.folder, { recursive: true });
  const file = join(context.folder, 'jar.db');
  const store = await openSqlite({ file, collections: COLLECTIONS, report: () => {} });
  try {
    return await compare(context, 'SQLite', store);
  } finally {
    await store.close();
  }
}

async function onPostgres(context: CaseContext): Promise<Comparison[]> {
  const server = await startPostgres();
  try {
    const url = await createDatabase(server.url, 'bench');
    const store = await openPostgres({ url, collections: COLLECTIONS, report: () => {} });
    try {
      return await compare(context, 'PostgreSQL', store, () => analyze(url));
    } finally {
      await store.close();
    }
  } finally {
    await server.stop();
  }
}

async function compare(
  { quick, say }: CaseContext,
  engine: string,
  store: Store,
  filled = async () => {},
): Promise<Comparison[]> {
  const many = quick ? 50_000 : MANY;
  say(`${engine}: writing ${many} runs`);
  await fill(store, 'few', FEW);
  await fill(store, 'many', many);
  await filled();
  const comparisons: Comparison[] = [];
  for (const { title, filter, order } of QUESTIONS) {
    const ask = async (experiment: string): Promise<number> => {
      const search = {
        scopes: [runScope(WORKSPACE, experiment, 'active')],
        comparisons: parseFilter(filter, RUNS),
        order: parseOrder(order, RUNS),
        limit: PAGE,
      };
      const began = performance.now();
      for (let n = 0; n < SEARCHES; n++) await searchPage(store, SEARCHED_RUNS, search);
      return (performance.now() - began) / SEARCHES;
    };
    say(`${engine}: ${title}`);
    const figures = await takeTurns(quick ? 3 : 9, { few: () => ask('few'), many: () => ask('many') }, { warmUps: 2 });
    comparisons.push({
      title: `${title}, ${engine}`,
      unit: 'ms',
      baseline: { name: `of ${FEW.toLocaleString('en')}`, values: figures.few },
      subject: { name: `of ${many.toLocaleString('en')}`, values: figures.many },
      target: { atMost: 3 },
    });
  }
  return comparisons;
}

const OPTIMIZERS = ['adam', 'sgd', 'lion'];
const STATUSES = ['FINISHED', 'FAILED', 'RUNNING'] as const;

async function fill(store: Store, experimentId: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    const runs = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, i) =>
      sample(experimentId, start + i, count),
    );
    await store.transact(async (tx) => {
      await tx.putAll(
        trackedRuns,
        runs.map(({ run }) => [runKey(WORKSPACE, run.id), run] as const),
      );
      await tx.putAll(
        runMetrics,
        runs.map(({ of, accuracy }) => {
          const tail = { key: '', count: 1, last: { timestamp: 1, step: 0, value: accuracy } };
          const value = { ...of('acc'), value: accuracy, timestamp: 1, step: 0, series: of('').runId, tail };
          return [valueKey(WORKSPACE, value.runId, 'acc'), value] as const;
        }),
      );
      await tx.putAll(
        runParams,
        runs.flatMap(({ of, params }) =>
          Object.entries(params).map(([name, value]) => {
            const base = of(name);
            return [valueKey(WORKSPACE, base.runId, name), { ...base, value }] as const;
          }),
        ),
      );
    });
  }
}

/** Ten runs of each seed, so that a search matches the same share of an experiment of any size. */
function sample(experimentId: string, n: number, count: number) {
  // Coprime to the size of an experiment, so that values are unordered.
  const mixed = (n * 7_368_787) % count;
  const id = `${experimentId === 'many' ? 'a' : 'b'}${n.toString(16).padStart(31, '0')}`;
  const base = { workspaceId: WORKSPACE, experimentId };
  const run = {
    ...base,
    id,
    name: `run-${mixed % 100}`,
    userId: 'ada',
    status: STATUSES[mixed % 3]!,
    startTime: 1_700_000_000_000 + n,
    artifactUri: `dbfs:/${id}`,
    stage: 'active' as const,
  };
  const of = (name: string) => ({ ...base, runId: id, startTime: run.startTime, name });
  const params = { optimizer: OPTIMIZERS[mixed % 3]!, seed: String(Math.floor(n / 10)) };
  return { run, of, accuracy: mixed / count, params };
}
