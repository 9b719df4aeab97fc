import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { tempTree } from './temp-tree.ts';

/** Lints one planted file with the project's configuration and returns the report as text. */
function lint(path: string, code: string): string {
  const folder = tempTree({ [path]: `${code}\n` });
  for (const part of ['biome.json', '.gitignore', 'scripts/lint'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr, status } = spawnSync(process.execPath, [biome, 'lint', path], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

const FORBIDDEN = [
  'export const a = Date.now();',
  'export const a = new Date();',
  'setTimeout(() => {}, 1);',
  'setInterval(() => {}, 1);',
  'setImmediate(() => {});',
  'globalThis.setTimeout(() => {}, 1);',
  'export const a = Math.random();',
  "import { randomUUID } from 'node:crypto';\nexport const a = randomUUID();",
  'export const a = crypto.randomUUID();',
];

test.each(FORBIDDEN)('in the kernel and in services, lint refuses %s', (code) => {
  expect(lint('src/kernel/work/planted.ts', code)).toMatch(/Take time and timers from the jar's clock/);
  expect(lint('src/services/mail/planted.ts', code)).toMatch(/Take time and timers from the jar's clock/);
});

test('timers cannot be imported under another name', () => {
  const code = "import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(1);";
  expect(lint('src/services/mail/planted.ts', code)).toMatch(/Take timers from the jar's clock/);
});

test('real time, the ids and what stands above the services may use them', () => {
  for (const path of [
    'src/kernel/time/planted.ts',
    'src/kernel/ids/planted.ts',
    'src/cli/planted.ts',
    'test/planted.ts',
  ]) {
    expect(lint(path, FORBIDDEN[0] ?? '')).toBe('');
  }
});

test('a date made from a number, and the words in a text or a comment, are no violation', () => {
  const code = "// Date.now() is refused here\nexport const a = new Date(0);\nexport const b = 'setTimeout(1)';";
  expect(lint('src/kernel/work/planted.ts', code)).toBe('');
});
