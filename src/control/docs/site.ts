import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, policyHash } from '../../kernel/http/index.ts';

/** The documentation site: files that `npm run docs` makes, and that the package has. */
export interface Site {
  /** Returns undefined if the site has no such file. `path` is the part of the address after `/_jar/docs/`. */
  file(path: string): Promise<Answer | undefined>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The generator puts a digest of the content into the names of these files, so that a name never gets another content. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';

export function openSite(folder: string = builtSite()): Site {
  // Only listed files are served, so that no path leads out of the folder.
  let listed = listFiles(folder);
  return {
    async file(path) {
      // Not built when the files were listed: `npm run docs` may have run since.
      if ((await listed).size === 0) listed = listFiles(folder);
      const files = await listed;
      const name = [path === '' ? 'index.html' : path, `${path}.html`].find((each) => files.has(each));
      if (name === undefined) return undefined;
      const content = await readFile(join(folder, name)).catch(() => undefined);
      if (content === undefined) {
        // `npm run docs` has replaced the files since they were listed.
        listed = listFiles(folder);
        return undefined;
      }
      return {
        status: 200,
        headers: {
          'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
          'cache-control': name.startsWith(HASHED) ? FOREVER : 'no-cache',
          ...(name.endsWith('.html') && pageHeaders(content.toString())),
        },
        body: content,
      };
    },
  };
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  return new Set(names.filter((name) => !name.startsWith('.')));
}

/** `dist/docs` of the package or the clone that this code is in, at whatever depth the bundler puts this file. */
function builtSite(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, 'dist', 'docs');
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Allows what a page has in it and nothing else. Styles are inline in highlighted code and in drawings. */
function pageHeaders(html: string): Readonly<Record<string, string>> {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script = '']) => policyHash(script));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'content-security-policy': policy.join('; '), 'x-frame-options': 'DENY' };
}
