import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const BATCH = 1000;
const PAGE = 5000;
const RATES = ['log-batch', 'create', 'get'].map((end) => `ml-runs-${end}`).concat('ml-metrics-get-history');

interface Row {
  readonly key: string;
  readonly value: number;
  readonly timestamp: number;
  readonly step: number;
}

/** The same rows in the same engine, with one prepared statement and one commit per batch. */
interface Bare {
  insert(run: string, rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

export const platformTracking: Case = {
  name: 'platform-tracking',
  summary: `Batches of ${BATCH.toLocaleString('en')} metrics logged to a run over HTTP, against a bare insert of the same rows; pages of ${PAGE.toLocaleString('en')} at both ends of a long history.`,
  async run(context) {
    mkdirSync(context.folder, { recursive: true });
    const server = await startPostgres();
    try {
      const own = await createDatabase(server.url, 'bench');
      return [
        ...(await compare(context, 'SQLite', [], bareSqlite(join(context.folder, 'bare.db')))),
        ...(await compare(
          context,
          'PostgreSQL',
          ['--database-url', await createDatabase(server.url, 'bench')],
          await barePostgres(own),
        )),
      ];
    } finally {
      await server.stop();
    }
  },
};

function bareSqlite(file: string): Bare {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec(
    'CREATE TABLE point (run TEXT, key TEXT, at INTEGER, step INTEGER, value REAL, PRIMARY KEY (run, key, at, step, value)) WITHOUT ROWID',
  );
  const statement = db.prepare('INSERT INTO point VALUES (?, ?, ?, ?, ?)');
  return {
    async insert(run, rows) {
      db.exec('BEGIN IMMEDIATE');
      for (const { key, timestamp, step, value } of rows) statement.run(run, key, timestamp, step, value);
      db.exec('COMMIT');
    },
    async close() {
      db.close();
    },
  };
}

async function barePostgres(url: string): Promise<Bare> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'CREATE TABLE public.point (run text, key text, at bigint, step bigint, value float8, PRIMARY KEY (run, key, at, step, value))',
  );
  const text =
    'INSERT INTO public.point SELECT $1::text, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::float8[])';
  return {
    async insert(run, rows) {
      const columns = (['key', 'timestamp', 'step', 'value'] as const).map((name) => rows.map((row) => row[name]));
      await client.query({ name: 'insert', text, values: [run, ...columns] });
    },
    close: () => client.end(),
  };
}

/** A run in its own experiment, in a jar. */
class Run {
  readonly #jar: JarProcess;
  readonly #headers: Readonly<Record<string, string>>;
  readonly id: string;

  private constructor(jar: JarProcess, headers: Readonly<Record<string, string>>, id: string) {
    this.#jar = jar;
    this.#headers = headers;
    this.id = id;
  }

  static async create(jar: JarProcess, name: string): Promise<Run> {
    const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
    const call = new Run(jar, headers, '');
    const { experiment_id } = (await call.#post('experiments/create', { name })) as { experiment_id: string };
    const { run } = (await call.#post('runs/create', { experiment_id })) as { run: { info: { run_id: string } } };
    return new Run(jar, headers, run.info.run_id);
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const answer = await fetch(`${this.#jar.url}/api/2.0/mlflow/${path}`, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  log(metrics: readonly Row[]): Promise<unknown> {
    return this.#post('runs/log-batch', { run_id: this.id, metrics });
  }

  async page(key: string, token?: string): Promise<{ points: number; next: string | undefined }> {
    const query = new URLSearchParams({ run_id: this.id, metric_key: key, max_results: String(PAGE) });
    if (token !== undefined) query.set('page_token', token);
    const answer = await fetch(`${this.#jar.url}/api/2.0/mlflow/metrics/get-history?${query}`, {
      headers: this.#headers,
    });
    if (!answer.ok) throw new Error(`a page answered ${answer.status}`);
    const { metrics, next_page_token } = (await answer.json()) as { metrics: unknown[]; next_page_token?: string };
    return { points: metrics.length, next: next_page_token };
  }
}

const rowsOf = (from: number, keys: number): Row[] =>
  Array.from({ length: BATCH }, (_, i) => ({
    key: `metric ${i % keys}`,
    value: Math.sin(from + i),
    timestamp: 1_700_000_000_000 + from + i,
    step: from + i,
  }));

async function compare(
  context: CaseContext,
  engine: string,
  flags: readonly string[],
  bare: Bare,
): Promise<Comparison[]> {
  const jar = await startJarProcess(join(context.folder, engine), ['--clock', 'virtual', ...flags]);
  try {
    await jar.changeLimits(RATES.map((end) => ({ name: `platform.rate.${end}`, mode: 'unlimited' })));
    return [
      await batches(context, engine, jar, bare, 1),
      await batches(context, engine, jar, bare, 20),
      await pages(context, engine, jar),
    ];
  } finally {
    await bare.close();
    await jar.stop();
  }
}

/** A batch of this many metrics: one with 1,000 steps, or several with fewer. */
async function batches(
  { quick, say }: CaseContext,
  engine: string,
  jar: JarProcess,
  bare: Bare,
  keys: number,
): Promise<Comparison> {
  say(`${engine}: batches of ${keys} metrics`);
  const run = await Run.create(jar, `/Shared/batches-${keys}`);
  let from = 0;
  const next = (): Row[] => {
    from += BATCH;
    return rowsOf(from, keys);
  };
  const measured = (write: (rows: readonly Row[]) => Promise<unknown>) => (): Promise<number> => {
    const rows = next();
    return timed(async () => void (await write(rows)));
  };
  const figures = await takeTurns(
    quick ? 10 : 50,
    { bare: measured((rows) => bare.insert(run.id, rows)), logged: measured((rows) => run.log(rows)) },
    // The first requests of a process are slower, because its code is not compiled yet.
    { warmUps: 40 },
  );
  const perSecond = (times: readonly number[]): number[] => times.map((ms) => 1000 / ms);
  return {
    title: `a batch of ${BATCH.toLocaleString('en')} points of ${keys === 1 ? 'one metric' : `${keys} metrics`}, ${engine}`,
    unit: 'requests/s',
    baseline: { name: 'a bare insert', values: perSecond(figures.bare) },
    subject: { name: 'log-batch', values: perSecond(figures.logged) },
    target: { atLeast: 0.4 },
  };
}

async function pages({ quick, say }: CaseContext, engine: string, jar: JarProcess): Promise<Comparison> {
  const points = quick ? 50_000 : 1_000_000;
  say(`${engine}: writing ${points} points`);
  const run = await Run.create(jar, '/Shared/history');
  for (let from = 0; from < points; from += BATCH) await run.log(rowsOf(from, 1));
  let last: string | undefined;
  for (let token: string | undefined; ; ) {
    const { next } = await run.page('metric 0', token);
    if (next === undefined) break;
    [last, token] = [next, next];
  }
  const average = async (token: string | undefined): Promise<number> => {
    const count = quick ? 3 : 10;
    const ms = await timed(async () => {
      for (let i = 0; i < count; i++) {
        const { points: shown } = await run.page('metric 0', token);
        if (shown !== PAGE) throw new Error(`a page has ${shown} points`);
      }
    });
    return ms / count;
  };
  const figures = await takeTurns(quick ? 3 : 11, { first: () => average(undefined), last: () => average(last) });
  return {
    title: `a page of ${PAGE.toLocaleString('en')} of ${points.toLocaleString('en')} points, ${engine}`,
    unit: 'ms',
    baseline: { name: 'the first', values: figures.first },
    subject: { name: 'the last', values: figures.last },
    target: { atMost: 1.3 },
  };
}
