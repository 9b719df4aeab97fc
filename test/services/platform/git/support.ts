import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@vendor.example',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@vendor.example',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** A folder of repositories, created by git itself. */
export class Repositories {
  readonly folder = mkdtempSync(join(tmpdir(), 'repositories-'));

  git(name: string, ...args: readonly string[]): string {
    const env = { ...process.env, ...IDENTITY };
    return execFileSync('git', ['-C', join(this.folder, name), ...args], {
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  }

  /** A new repository with one commit. */
  make(name: string, files: Readonly<Record<string, string>>): string {
    mkdirSync(join(this.folder, name));
    this.git(name, 'init', '--quiet', '--initial-branch=main');
    return this.commit(name, files);
  }

  /** Returns the id of the commit. */
  commit(name: string, files: Readonly<Record<string, string>>): string {
    for (const [path, content] of Object.entries(files)) {
      const full = join(this.folder, name, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    }
    this.git(name, 'add', '--all');
    this.git(name, 'commit', '--quiet', '--allow-empty', '--message', 'a commit');
    return this.git(name, 'rev-parse', 'HEAD');
  }

  url = (name: string): string => `file://${join(this.folder, name)}`;

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** `git http-backend` behind a Node server, with optional password protection. */
export async function serveGit(folder: string, password?: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const given = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    if (password !== undefined && given !== password) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    answer(folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: (name: string) => `http://127.0.0.1:${port}/${name}/.git`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      ...IDENTITY,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => {});
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.on('close', () => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf('\r\n\r\n');
    const headers = whole.toString('latin1', 0, end).split('\r\n');
    for (const line of headers) {
      const [name = '', value = ''] = line.split(/:\s*/, 2);
      if (/^status$/i.test(name)) response.statusCode = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.end(whole.subarray(end + 4));
  });
}
