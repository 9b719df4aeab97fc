import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packedTarball } from './packed.ts';
import { makeProject, type Project } from './project.ts';

/** The files that `npm install --save-dev cloudjar` adds to a user's project. */

const MB = 1_000_000;
let project: Project;

beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project?.remove());

const installed = (): string => join(project.folder, 'node_modules');
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the package', () => {
  test('is small: the tarball, and what it installs', async () => {
    expect(statSync(await packedTarball()).size).toBeLessThan(24 * MB);
    const sizes = filesBelow(installed()).map((file) => statSync(file).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * MB);
  });

  test('needs no other package and runs no script at its installation', () => {
    expect(readdirSync(installed()).filter((name) => !name.startsWith('.'))).toEqual(['cloudjar']);
    const manifest = JSON.parse(readFileSync(join(installed(), 'cloudjar/package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('private');
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts).not.toHaveProperty(script);
    }
  });

  test('holds what runs and what is read, and nothing else', () => {
    const folder = join(installed(), 'cloudjar');
    const files = filesBelow(folder).map((file) => file.slice(folder.length + 1));
    const expected =
      /^(bin\/\w+\.[mc]?js|dist\/[\w.-]+\.(js|d\.c?ts|cjs)|dist\/licenses\.txt|dist\/chunks\/[\w.-]+\.js|dist\/docs\/[\w./@-]+\.(html|js|css|json|webp)|dist\/console\/(index\.html|licenses\.txt|assets\/[\w.-]+\.(js|css))|docs\/([\w-]+\/)?[\w-]+\.md|scripts\/lib\/[\w-]+\.mjs|src\/services\/translator\/detector\/weights\/languages\.br|package\.json|(README|CHANGELOG|NOTICE)\.md|LICENSE)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    expect(files).toContain('LICENSE');
    expect(files.filter((file) => file.endsWith('.md') && file.startsWith('docs/')).length).toBeGreaterThan(50);
    // The documentation site, which the jar serves at /_jar/docs.
    expect(files).toEqual(expect.arrayContaining(['dist/docs/index.html', 'dist/docs/guides/testing.html']));
    // The console, which the jar serves at /console/.
    expect(files).toEqual(expect.arrayContaining(['dist/console/index.html', 'dist/console/licenses.txt']));
  });

  test('names the licence of every package in its bundle', () => {
    const text = readFileSync(join(installed(), 'cloudjar/dist/licenses.txt'), 'utf8');
    for (const name of ['undici', 'pg', 'rhea', '@kubernetes/client-node', 'typebox'])
      expect(text).toContain(`\n${name} `);
    // Each with the text of its licence or, if its package has none, with its authors or origin.
    const parts = text.split(/^-{80}\n\n/m).slice(1);
    expect(parts.filter((part) => part.trim().split('\n').length < 2 && !part.includes('https://'))).toEqual([]);
  });
});
