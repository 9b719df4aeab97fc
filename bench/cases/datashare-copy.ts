import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/lib/node-flags.mjs';
import { openSqlite } from '../../src/kernel/store/index.ts';
import { copyCollections } from '../../src/services/datashare/copying/index.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { copyContainer, SOURCE, TARGET } from '../lib/copies.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = 10;
const MEGABYTE = 1024 ** 2;
/** Maximum memory in addition to that of an idle process. */
const MOST_MB = 60;

interface Told {
  /** Megabytes. */
  readonly idle: number;
  readonly most: number;
  readonly sizeWritten: number;
  readonly ms: number;
}

export const dataShareCopy: Case = {
  name: 'datashare-copy',
  summary:
    'A full synchronization between folders: every file hashed, written to a draft, synced, renamed and recorded in the ledger; and the memory that one huge file takes.',
  async run(context) {
    const rows = [
      { title: 'files of 1 MiB', files: context.quick ? 100 : 1000, bytes: MEGABYTE, target: { atMost: 2 } },
      { title: 'files of 4 KiB', files: context.quick ? 200 : 2000, bytes: 4096 },
    ];
    const compared: Comparison[] = [];
    for (const row of rows) compared.push(await againstPlainCopy(context, row));
    return [...compared, await memory(context)];
  },
};

interface Row extends Pick<Comparison, 'title' | 'target'> {
  readonly files: number;
  readonly bytes: number;
}

async function againstPlainCopy({ quick, folder, say }: CaseContext, row: Row): Promise<Comparison> {
  const { title, target, files, bytes } = row;
  const root = mkdtempSync(join(folder, 'files-'));
  say(`writing ${files} ${title}`);
  for (let i = 0; i < files; i++) {
    const place = join(root, SOURCE, `folder ${i % FOLDERS}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file ${i}`), randomBytes(bytes));
  }
  const store = await openSqlite({ file: join(root, 'copy.db'), collections: copyCollections });
  const plain = join(root, 'plain');
  let run = 0;
  const figures = await takeTurns(quick ? 2 : 5, {
    plain: async () => {
      rmSync(plain, { recursive: true, force: true });
      return timed(() => copyAndHash(join(root, SOURCE), plain));
    },
    copy: async () => {
      rmSync(join(root, TARGET), { recursive: true, force: true });
      return timed(() => copyContainer(store, root, String(run++)));
    },
  });
  await store.close();
  rmSync(root, { recursive: true });
  return {
    title: `${files.toLocaleString('en')} ${title}`,
    unit: 'ms',
    baseline: { name: 'fs.cp, and SHA-256 of each file', values: figures.plain },
    subject: { name: 'a full synchronization', values: figures.copy },
    ...(target && { target }),
    note: 'The baseline syncs nothing to the disk; the synchronization syncs every file before it is recorded.',
  };
}

async function copyAndHash(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    createHash('sha256')
      .update(await readFile(join(entry.parentPath, entry.name)))
      .digest();
  }
}

async function memory({ quick, folder, say }: CaseContext): Promise<Comparison> {
  const gigabytes = quick ? 0.25 : 5;
  const root = mkdtempSync(join(folder, 'large-'));
  mkdirSync(join(root, SOURCE), { recursive: true });
  const file = join(root, SOURCE, 'large');
  writeFileSync(file, '');
  truncateSync(file, gigabytes * 1024 ** 3);
  say(`one file of ${gigabytes} GB`);
  const { idle, most, sizeWritten, ms } = await inOwnProcess(root);
  if (sizeWritten !== gigabytes * 1024 ** 3) throw new Error(`only ${sizeWritten} bytes were written`);
  rmSync(root, { recursive: true });
  return {
    title: `memory for one file of ${gigabytes} GB`,
    unit: 'MB',
    baseline: { name: 'the limit', values: [MOST_MB] },
    subject: { name: 'resident, more than before the copy', values: [most - idle] },
    target: { atMost: 1 },
    note: `${Math.round(sizeWritten / MEGABYTE / (ms / 1000))} MB/s`,
  };
}

/** Bundled, as the jar itself runs: compiling sources also takes memory. */
async function inOwnProcess(root: string): Promise<Told> {
  const bundle = mkdtempSync(join(ROOT, 'dist/bench-'));
  try {
    const { build } = await import('esbuild');
    const outfile = join(bundle, 'copy-process.js');
    const entryPoints = ['bench/lib/copy-process.ts'];
    const asJar = { bundle: true, format: 'esm', platform: 'node', packages: 'external' } as const;
    await build({ ...asJar, absWorkingDir: ROOT, entryPoints, outfile, logLevel: 'error' });
    const child = fork(outfile, [root], { execArgv: NODE_FLAGS });
    return await new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as Told));
      child.once('exit', (code) => reject(new Error(`the copy ended with ${code}`)));
    });
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
}
