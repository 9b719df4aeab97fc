import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: ROOT });

const CODE = /^(`{3,})[\s\S]*?^\1$/gm;

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The page without code, in which `#` begins a comment and brackets are not links. */
const proseOf = (page: string): string =>
  textOf(page)
    .replaceAll(CODE, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));

/** The anchors of headings; repeated ones are numbered. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#+ (.*)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let i = 1; anchors.has(unique); i++) unique = `${anchor}-${i}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Titles of sections without text or code before the next heading. */
function emptySections(page: string): string[] {
  const sections = textOf(page)
    .replaceAll(CODE, 'code')
    .split(/^(?=#+ )/m);
  return sections.flatMap((section) => {
    const [title = '', ...rest] = section.split('\n');
    return title.startsWith('#') && rest.join('').trim() === '' ? [title] : [];
  });
}

describe.each(PAGES)('%s', (page) => {
  it('has something to say under every heading', () => {
    expect(emptySections(page)).toEqual([]);
  });

  it('leads to pages and headings that are there', () => {
    const missing = [...proseOf(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)].filter(
      ([, target = '', anchor]) => {
        if (/^\w+:/.test(target)) return false;
        const file = target === '' ? page : join(dirname(page), target);
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && !anchorsOf(file).has(anchor);
      },
    );
    expect(missing.map(([link]) => link)).toEqual([]);
  });
});

it('looks at links', () => {
  expect(PAGES.length).toBeGreaterThan(40);
  expect(anchorsOf('docs/services/datasets.md')).toContain('change-records');
  expect(proseOf('docs/services/datasets.md')).toContain('](datasets-queries.md)');
});
