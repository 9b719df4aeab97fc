import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LEVELS } from '../../scripts/lib/layers.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (page: string): string => readFileSync(root + page, 'utf8');

it('docs/architecture.md lists the levels of the kernel, the highest first', () => {
  const levels: string[][] = [];
  for (const [, level = '', module = ''] of textOf('docs/architecture.md').matchAll(/^\| (\d*) ?\| `([a-z]+)` \|/gm)) {
    if (level === '') levels[0]!.push(module);
    else {
      levels.unshift([module]);
      expect(Number(level)).toBe(LEVELS.length - levels.length + 1);
    }
  }
  expect(levels).toEqual(LEVELS);
});

const PATH = /`((?:(?:src|test|scripts)\/)?(?:kernel|services|control|jar|support|lib|docs)\/[\w./-]*)`/g;
/** The hypothetical folder of the example in docs/contributing/adding-a-service.md. */
const EXAMPLE = /^(src|test)\/services\/bells$/;

it.each(['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })])(
  'files that %s names exist',
  (page) => {
    const named = [...textOf(page).matchAll(PATH)].map(([, path = '']) => path).filter((path) => !EXAMPLE.test(path));
    expect(named.filter((path) => ![path, `src/${path}`].some((each) => existsSync(root + each)))).toEqual([]);
  },
);
