import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type JarFile, jarFileName, readJarFile, removeJarFile, writeJarFile } from '../../src/cli/jar-file.ts';
import { ownProcessStart } from '../../src/cli/process-identity.ts';
import { temporaryFolder } from './cli.ts';

const HERE = jarFileName(process.pid);

/** The file of a process with the id of this one; `processStart` distinguishes them. */
function jarFile(processStart: string | undefined, startedAt: string): JarFile {
  const common = { url: 'http://127.0.0.1:7400', httpsUrl: 'https://localhost:7443', version: '0.2.0' };
  return { ...common, pid: process.pid, startedAt, ...(processStart !== undefined && { processStart }) };
}

test('jars in several containers that share a folder keep their files apart, though their process ids are the same', async () => {
  const folder = temporaryFolder();
  const mine = jarFile(ownProcessStart(), '2026-01-01T00:00:00.000Z');
  const others = jarFile('1', '2026-01-02T00:00:00.000Z');
  await writeJarFile(folder, mine);
  await writeJarFile(folder, others, 'node-2');
  expect(readdirSync(folder).sort()).toEqual([jarFileName(process.pid, 'node-2'), HERE].sort());
  expect(readJarFile(folder)).toEqual({ ...mine, path: join(folder, HERE) });

  removeJarFile(folder, others, 'node-2');
  expect(readdirSync(folder)).toEqual([HERE]);
});

test('a start removes the files of killed jars of its own container, but not of another container', async () => {
  const folder = temporaryFolder();
  const gone = { ...jarFile('1', '2026-01-01T00:00:00.000Z'), pid: 4_194_305 };
  for (const container of ['node-1', 'node-2']) await writeJarFile(folder, gone, container);
  await writeJarFile(folder, jarFile(ownProcessStart(), '2026-01-02T00:00:00.000Z'), 'node-1');
  expect(readdirSync(folder).sort()).toEqual(
    [jarFileName(gone.pid, 'node-2'), jarFileName(process.pid, 'node-1')].sort(),
  );
});
