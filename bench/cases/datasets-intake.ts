import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/lib/node-flags.mjs';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Maximum memory, independent of the number of rows. */
const MOST_MB = 300;

interface Told {
  /** Milliseconds per 10,000 rows. */
  readonly bare: readonly number[];
  readonly pushed: readonly number[];
  readonly plain: readonly number[];
  readonly retained: readonly number[];
  /** Megabytes. */
  readonly most: number;
}

export const datasetsIntake: Case = {
  name: 'datasets-intake',
  summary:
    'Rows pushed to a dataset by requests of 10,000, each checked, typed, stored and recorded before it is answered.',
  async run(context) {
    mkdirSync(context.folder, { recursive: true });
    const onSqlite = await compare(context, 'SQLite', '');
    const server = await startPostgres();
    try {
      return [...onSqlite, ...(await compare(context, 'PostgreSQL', await createDatabase(server.url, 'bench')))];
    } finally {
      await server.stop();
    }
  },
};

async function compare({ quick, folder, say }: CaseContext, engine: string, database: string): Promise<Comparison[]> {
  const rows = quick ? 300_000 : 1_000_000;
  say(`${engine}: pushing ${rows} rows`);
  const { bare, pushed, plain, retained, most } = await inOwnProcess([
    folder,
    database,
    quick ? '3' : '41',
    String(rows),
  ]);
  const speed = (values: readonly number[]): number[] => values.map((ms) => 10_000_000 / ms);
  return [
    {
      title: `rows a second, ${engine}`,
      unit: 'requests/s',
      baseline: { name: 'a bare prepared insert', values: speed(bare) },
      subject: { name: 'pushed', values: speed(pushed) },
      target: { atLeast: 0.4 },
      note: 'Rows, not requests. The client is in the same process.',
    },
    {
      title: `10,000 rows into a full table, ${engine}`,
      unit: 'ms',
      baseline: { name: 'without a retention policy', values: plain },
      subject: { name: 'with basicFIFO', values: retained },
      target: { atMost: 1.2 },
    },
    {
      title: `resident memory, ${rows.toLocaleString('en')} rows pushed, ${engine}`,
      unit: 'MB',
      baseline: { name: 'the limit', values: [MOST_MB] },
      subject: { name: 'jar and client', values: [most] },
      target: { atMost: 1 },
    },
  ];
}

/** Bundled, as the jar itself runs. */
async function inOwnProcess(args: readonly string[]): Promise<Told> {
  const outdir = mkdtempSync(join(ROOT, 'dist/bench-'));
  try {
    const { build } = await import('esbuild');
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['bench/lib/intake-process.ts'],
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
    const child = fork(join(outdir, 'intake-process.js'), args, { execArgv: NODE_FLAGS });
    return await new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as Told));
      child.once('exit', (code) => reject(new Error(`the pushes ended with ${code}`)));
    });
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
