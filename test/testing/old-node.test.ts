import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as source from '../../src/testing/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a program prints that imports cloudjar/testing by its name, on a Node that takes itself for `version`. */
async function importOn(version: string): Promise<string> {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const program = `${pretend}
    try { console.log(Object.keys(await import('cloudjar/testing')).join()); } catch (error) { console.log(error.message); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
  return stdout.trim();
}

test('on an older Node cloudjar/testing says which one it needs', async () => {
  for (const version of ['20.19.2', '22.4.0', '23.11.0']) {
    expect(await importOn(version)).toBe(
      `cloudjar/testing needs Node 24 (this is ${version}): run your tests with it, for instance by npx -p node@24 npm test`,
    );
  }
});

test('on a Node that is new enough it has all that the source exports', async () => {
  expect(await importOn(process.versions.node)).toBe(Object.keys(source).join());
});

test('where the package is not built yet it says how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-unbuilt-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['bin', 'scripts']) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await expect(import(pathToFileURL(join(folder, 'bin/testing.mjs')).href)).rejects.toThrow(
    'cloudjar is not built yet: run npx cloudjar --version once, which builds it',
  );
});
