import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FLOORS } from '../../scripts/lib/layers.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (page: string): string => readFileSync(root + page, 'utf8');

it('the page about the architecture shows the floors of the kernel, the highest first', () => {
  const floors: string[][] = [];
  for (const [, floor = '', room = ''] of textOf('docs/architecture.md').matchAll(/^\| (\d*) ?\| `([a-z]+)` \|/gm)) {
    if (floor === '') floors[0]!.push(room);
    else {
      floors.unshift([room]);
      expect(Number(floor)).toBe(FLOORS.length - floors.length + 1);
    }
  }
  expect(floors).toEqual(FLOORS);
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
