import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from '../../kernel/http/index.ts';

/** Files that a command of the clone builds below `dist`, and that the package contains: the documentation site and the console. */
export interface BuiltFiles {
  /** Returns undefined if there is no such file. `accepted` is the header `Accept-Encoding`. */
  file(path: string, accepted?: unknown): Promise<Answer | undefined>;
}

export interface BuiltFilesOptions {
  /** The folder below `dist`. */
  readonly name: string;
  readonly folder?: string;
  /** Headers of HTML files. */
  pageHeaders(html: string): Readonly<Record<string, string>>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The generator puts a digest of the content into the names of these files, so that a name never gets another content. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';

const asGzip = promisify(gzip);
const COMPRESSIBLE: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.json', '.svg']);

/** Whether the command that builds the files has run, as it has for every published package. */
export const isBuilt = (name: string): boolean => existsSync(join(builtFolder(name), 'index.html'));

export function openBuiltFiles({ name, pageHeaders, folder = builtFolder(name) }: BuiltFilesOptions): BuiltFiles {
  // Only listed files are served, so that no path leads out of the folder.
  let listing = list(folder);
  /** Compressed once: the content of a file with a digest in its name never changes. */
  const compressed = new Map<string, Promise<Buffer>>();
  const compress = (file: string, content: Buffer): Promise<Buffer> => {
    if (!file.startsWith(HASHED)) return asGzip(content);
    const made = compressed.get(file) ?? asGzip(content);
    compressed.set(file, made);
    return made;
  };
  const listAgain = (): Promise<Listing> => {
    compressed.clear();
    listing = list(folder);
    return listing;
  };
  return {
    async file(path, accepted) {
      const names = [path === '' ? 'index.html' : path, `${path}.html`];
      let { files, builtAt } = await listing;
      // The command that builds the files may have run since they were listed.
      if (!names.some((each) => files.has(each)) && (await timeOf(folder)) !== builtAt)
        ({ files, builtAt } = await listAgain());
      const file = names.find((each) => files.has(each));
      if (file === undefined) return undefined;
      const content = await readFile(join(folder, file)).catch(() => undefined);
      if (content === undefined) {
        // The files have been replaced since they were listed.
        await listAgain();
        return undefined;
      }
      const isPage = file.endsWith('.html');
      const zipped = !isPage && COMPRESSIBLE.has(extname(file)) && /\bgzip\b/.test(String(accepted ?? ''));
      return {
        status: 200,
        headers: {
          'content-type': CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
          'cache-control': file.startsWith(HASHED) ? FOREVER : 'no-cache',
          vary: 'accept-encoding',
          ...(zipped && { 'content-encoding': 'gzip' }),
          ...(isPage && pageHeaders(content.toString())),
        },
        body: zipped ? await compress(file, content) : content,
      };
    },
  };
}

/** When the files were built; 0 if they are not. */
const timeOf = (folder: string): Promise<number> =>
  stat(join(folder, 'index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

interface Listing {
  readonly builtAt: number;
  readonly files: ReadonlySet<string>;
}

/** The time first: if the files are replaced meanwhile, it is that of the older ones, and the next file that is missing leads to another listing. */
const list = async (folder: string): Promise<Listing> => ({
  builtAt: await timeOf(folder),
  files: await listFiles(folder),
});

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  return new Set(names.filter((name) => !name.startsWith('.')));
}

/** In the package or the clone that this code is in, at whatever depth the bundler puts this file. */
function builtFolder(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, 'dist', name);
}
