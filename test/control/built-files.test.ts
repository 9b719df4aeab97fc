import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBuiltFiles } from '../../src/control/files/built-files.ts';

const build = async (folder: string, ...scripts: readonly string[]): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (const script of scripts) await writeFile(join(folder, 'assets', script), `// ${script}`);
  await writeFile(join(folder, 'index.html'), scripts.map((each) => `<script src="assets/${each}"></script>`).join(''));
};

test('a running jar serves what was built after its start, and then what was built again', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'cloudjar-built-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'site');
  const files = openBuiltFiles({ name: 'site', folder, pageHeaders: () => ({}) });
  const textOf = async (path: string): Promise<string | undefined> => (await files.file(path))?.body?.toString();
  expect(await textOf('')).toBeUndefined();
  for (const script of ['first-1.js', 'second-2.js']) {
    await build(folder, script);
    expect(await textOf('')).toContain(script);
    expect(await textOf(`assets/${script}`)).toBe(`// ${script}`);
  }
  expect(await textOf('assets/first-1.js')).toBeUndefined();
  // A page loads its files at the same time.
  const scripts = ['a-3.js', 'b-3.js', 'c-3.js'];
  await build(folder, ...scripts);
  expect(await Promise.all(scripts.map((each) => textOf(`assets/${each}`)))).toEqual(
    scripts.map((each) => `// ${each}`),
  );
  expect(await textOf('../site/index.html')).toBeUndefined();
});
