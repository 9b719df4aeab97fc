import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../site/lib/headings.mjs';

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
    const anchor = anchorOf(heading);
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

/** Lists of operations, which are generated from code or compared with it row by row. */
const LISTS = /-operations\.md$/;
const FIRST = ['What works', 'Quick start'];
const LAST = ['Differences from the real service', 'Reference'];

describe('the order of a service page', () => {
  const pages = PAGES.filter((page) => /^docs\/services\//.test(page) && !LISTS.test(page));

  it.each(pages)('%s: what works, quick start, topics, differences, reference', (page) => {
    const headings = [...proseOf(page).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
    expect(headings[0]).toBe('What works');
    const topics = headings.filter((heading) => ![...FIRST, ...LAST].includes(heading));
    const has = (heading: string): boolean => headings.includes(heading);
    expect(headings).toEqual([...FIRST.filter(has), ...topics, ...LAST.filter(has)]);
    for (const heading of topics)
      expect(heading).not.toMatch(/differ|decisions|^(limits|errors|settings|operations)$/i);
  });
});

it('every page with an example that can run is read by a test that runs it', () => {
  const runners = globSync('test/**/*.test.ts', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => /\b(blocksOf|markedCode|typeScriptOf|runTypeScript|stripTypeScriptTypes)\b/.test(text));
  // Marked commands, and programs; the code of a service in a page for its developers is no program.
  const withExamples = PAGES.filter((page) => /^<!-- run -->$|^import .* from '(cloudjar\/|@)/m.test(textOf(page)));
  expect(withExamples.length).toBeGreaterThan(40);
  const unread = withExamples.filter((page) => {
    const stem = page.replace(/^.*\//, '').replace(/\.md$/, '');
    const names = [page, `'${stem}'`, `${stem}.md`, `'${stem.replace(/^events-/, '')}'`];
    return !runners.some((text) => names.some((name) => text.includes(name)));
  });
  expect(unread).toEqual([]);
});
