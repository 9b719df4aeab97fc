import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Case } from '../lib/case.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const ROWS = 1000;

/** The exports of baseline/kysely.mjs; imported on demand, because its package is not one of the project's own. */
interface KyselyDocuments {
  compile(key: string): unknown;
  get(key: string): Promise<string | undefined>;
}

const baseline = (name: string): string => fileURLToPath(new URL(`../baseline/${name}`, import.meta.url));

export const whyNoKysely: Case = {
  name: 'why-no-kysely',
  summary:
    'A get by key through the query builder Kysely, against a prepared statement on the same connection; and what loading it costs.',
  async run({ quick, folder }) {
    const db = new DatabaseSync(join(folder, 'docs.db'));
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE docs (key TEXT PRIMARY KEY, body TEXT NOT NULL)');
    const insert = db.prepare('INSERT INTO docs VALUES (?, ?)');
    for (let n = 0; n < ROWS; n++)
      insert.run(`key-${n}`, JSON.stringify({ name: `document ${n}`, tags: { team: 'bench' } }));
    const statement = db.prepare('SELECT body FROM docs WHERE key = ?');
    const { openKysely } = (await import(baseline('kysely.mjs'))) as { openKysely(db: DatabaseSync): KyselyDocuments };
    const kysely = openKysely(db);
    const rounds = quick ? 3 : 11;
    const calls = quick ? 2000 : 20_000;
    const average = (call: (key: string) => unknown) => () => microseconds(calls, call);
    const gets = await takeTurns(rounds, {
      prepared: average(async (key) => statement.get(key)?.body),
      kysely: average((key) => kysely.get(key)),
      compile: average((key) => kysely.compile(key)),
    });
    db.close();
    const bundled = join(folder, 'kysely.mjs');
    await build({
      entryPoints: [baseline('kysely.mjs')],
      outfile: bundled,
      bundle: true,
      format: 'esm',
      platform: 'node',
    });
    const program = (file: string) => () => timed(async () => execFileSync(process.execPath, [file]));
    const loads = await takeTurns(rounds, {
      empty: program(baseline('empty.mjs')),
      kysely: program(baseline('kysely.mjs')),
      bundled: program(bundled),
    });
    const empty = { name: 'empty program', values: loads.empty };
    const prepared = { name: 'prepared statement', values: gets.prepared };
    return [
      { title: 'get by key', unit: 'µs', baseline: prepared, subject: { name: 'Kysely', values: gets.kysely } },
      {
        title: 'the compile step alone',
        unit: 'µs',
        baseline: prepared,
        subject: { name: 'Kysely compile()', values: gets.compile },
      },
      {
        title: 'start of a program',
        unit: 'ms',
        baseline: empty,
        subject: { name: 'with Kysely', values: loads.kysely },
      },
      {
        title: 'start of a program',
        unit: 'ms',
        baseline: empty,
        subject: { name: 'with Kysely in a bundle', values: loads.bundled },
      },
    ];
  },
};

async function microseconds(calls: number, call: (key: string) => unknown): Promise<number> {
  const took = await timed(async () => {
    for (let n = 0; n < calls; n++) await call(`key-${n % ROWS}`);
  });
  return (took / calls) * 1000;
}
