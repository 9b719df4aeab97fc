import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentStamp, statStamp } from '../../scripts/lib/stamp.mjs';
import { tempTree } from './temp-tree.ts';

test('the stamp of a source tree changes with a file edited, added, renamed or removed, and not otherwise', () => {
  const base = tempTree({ 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'other.txt': 'x' });
  const stamp = () => statStamp(base, ['src']);
  const seen = [stamp()];
  expect(stamp()).toBe(seen[0]);

  writeFileSync(join(base, 'other.txt'), 'not an input');
  expect(stamp()).toBe(seen[0]);

  const changes = [
    () => writeFileSync(join(base, 'src/a.ts'), 'longer'),
    () => utimesSync(join(base, 'src/a.ts'), 1, 1),
    () => writeFileSync(join(base, 'src/deep/c.ts'), 'b'),
    () => rmSync(join(base, 'src/deep/b.ts')),
  ];
  for (const change of changes) {
    change();
    expect(seen).not.toContain(stamp());
    seen.push(stamp());
  }
});

test('the stamp of manifests follows their content, not their times', () => {
  const base = tempTree({ 'package.json': '{}', 'package-lock.json': '{}' });
  const files = [join(base, 'package.json'), join(base, 'package-lock.json')];
  const before = contentStamp(files);
  utimesSync(files[0] ?? '', 1, 1);
  expect(contentStamp(files)).toBe(before);
  writeFileSync(files[1] ?? '', '{"packages":{}}');
  expect(contentStamp(files)).not.toBe(before);
});
