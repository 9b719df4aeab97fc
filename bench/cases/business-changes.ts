import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/lib/node-flags.mjs';
import type { Case } from '../lib/case.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROUNDS = 10;
/** Maximum memory, independent of the number of changes. */
const MOST_MB = 300;

interface Told {
  /** Microseconds per change. */
  readonly watched: readonly number[];
  readonly unwatched: readonly number[];
  readonly plain: readonly number[];
  /** Megabytes. */
  readonly most: number;
  readonly entries: readonly { readonly changeType: string }[];
}

export const businessChanges: Case = {
  name: 'business-changes',
  summary:
    'Customers changed in one notification window, with a subscription that watches them: each a record, a change record and a change for the subscriber, in transactions of a thousand on disk; and one collection entry when the window closes.',
  async run({ quick, folder, say }) {
    const count = quick ? 20_000 : 1_000_000;
    say(`${count} changes in one window`);
    const { watched, unwatched, plain, most, entries } = await inOwnProcess(folder, count, quick ? 2 : ROUNDS);
    if (entries.length !== 1 || entries[0]?.changeType !== 'collection') {
      throw new Error(`the receiver was to get one collection entry, and got ${JSON.stringify(entries).slice(0, 500)}`);
    }
    return [
      {
        title: 'a record changed, and a document written',
        unit: 'µs',
        baseline: { name: 'the same document, read and written', values: plain },
        subject: { name: 'a record that is watched', values: watched },
        target: { atMost: 2 },
        note: 'A record has its relations kept, its rules asked, its change recorded and explained, and is put into the window.',
      },
      {
        title: 'a record changed, with a subscription that watches',
        unit: 'µs',
        baseline: { name: 'a record that nobody watches', values: unwatched },
        subject: { name: 'one that is watched', values: watched },
        note: 'What notifications take of it.',
      },
      {
        title: `resident memory, ${count.toLocaleString('en')} changes in one window`,
        unit: 'MB',
        baseline: { name: 'the limit', values: [MOST_MB] },
        subject: { name: 'jar', values: [most] },
        target: { atMost: 1 },
      },
    ];
  },
};

async function inOwnProcess(folder: string, count: number, rounds: number): Promise<Told> {
  const bundle = mkdtempSync(join(ROOT, 'dist/bench-'));
  try {
    return await runBundled(bundle, [folder, String(count), String(rounds)]);
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
}

/** Bundled, as the jar itself runs: with sources, Node keeps its TypeScript parser in memory, which is as large as the jar. */
async function runBundled(outdir: string, args: readonly string[]): Promise<Told> {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['bench/lib/changes-process.ts', 'bench/lib/fill-customers-process.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  const child = fork(join(outdir, 'changes-process.js'), args, { execArgv: NODE_FLAGS });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Told));
    child.once('exit', (code) => reject(new Error(`the changes ended with ${code}`)));
  });
}
