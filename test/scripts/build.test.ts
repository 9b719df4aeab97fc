import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build, isBuilt } from '../../scripts/lib/build.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { tempTree } from './temp-tree.ts';

const MAIN = "const { greet } = await import('./greet.ts');\nconsole.log(greet('jar'));\n";
const greeting = (word: string) => `export const greet = (name: string): string => \`${word} \${name}\`;\n`;

function project() {
  const base = tempTree({ 'src/main.ts': MAIN, 'src/greet.ts': greeting('hello') });
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'));
  const plan = { base, outdir: join(base, 'dist'), entries: { cli: 'src/main.ts' }, inputs: ['src'] };
  const output = () => execFileSync(process.execPath, [join(base, 'dist/cli.js')], { encoding: 'utf8' }).trim();
  const chunks = () => readdirSync(join(base, 'dist/chunks')).filter((name) => name.endsWith('.js'));
  return { base, plan, output, chunks };
}

test('a build runs, counts as up to date, and no longer after an edit', async () => {
  const { base, plan, output } = project();
  expect(isBuilt(plan)).toBe(false);
  await build({}, plan);
  expect(output()).toBe('hello jar');
  expect(isBuilt(plan)).toBe(true);
  writeFileSync(join(base, 'src/greet.ts'), greeting('good day'));
  expect(isBuilt(plan)).toBe(false);
  await build({}, plan);
  expect(output()).toBe('good day jar');
});

test('the chunks of the build before stay for a jar that is running, until a clean build', async () => {
  const { base, plan, chunks } = project();
  await build({}, plan);
  const before = chunks();
  writeFileSync(join(base, 'src/greet.ts'), greeting('good day'));
  await build({}, plan);
  expect(chunks()).toEqual(expect.arrayContaining(before));
  expect(chunks().length).toBeGreaterThan(before.length);
  await build({ force: true, clean: true }, plan);
  expect(chunks()).toHaveLength(before.length);
});

test('a source that does not compile fails the build with its place and leaves the last good one', async () => {
  const { base, plan, output } = project();
  await build({}, plan);
  writeFileSync(join(base, 'src/greet.ts'), 'export const greet = (;\n');
  await expect(build({}, plan)).rejects.toThrow(/src\/greet\.ts:1:/);
  expect(output()).toBe('hello jar');
  expect(isBuilt(plan)).toBe(false);
});
