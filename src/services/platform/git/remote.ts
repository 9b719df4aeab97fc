import * as fs from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FsClient, HttpClient } from 'isomorphic-git';
import { ApiError } from '../../../kernel/http/index.ts';
import { Calls, OutboundError } from '../../../kernel/outbound/index.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { boundOf, rowOf } from '../limits/declared.ts';
import { limitExceeded } from '../limits/take.ts';
import { settingsOf } from '../settings.ts';
import { gitErrors } from './errors.ts';
import { MemoryFs } from './memory-fs.ts';
import { checkPack, PackTooLarge, packIn } from './pack.ts';

/**
 * Reads repositories with `isomorphic-git`: it needs no binary, reads a local folder without copying it, and sends requests through the
 * jar's guarded client. The system's `git` is not always installed, and would bypass the guard. The library is loaded with the first
 * repository.
 */

/** A readable commit. */
export interface GitSnapshot {
  readonly head: string;
  readonly branch?: string;
  readonly tag?: string;
  tree(oid: string): Promise<readonly GitEntry[]>;
  blob(oid: string): Promise<Buffer>;
}

export interface GitEntry {
  readonly name: string;
  readonly oid: string;
  /** `other`: symbolic links and submodules. */
  readonly type: 'file' | 'directory' | 'other';
}

export interface Wanted {
  readonly branch?: string;
  readonly tag?: string;
  /** A full or abbreviated hash. */
  readonly commit?: string;
}

/** The parts of a call that reading a repository needs; due work has them too. */
export type GitCall = Pick<PlatformCall, 'jar' | 'facts' | 'signal'>;

interface RemoteRequest {
  readonly url: string;
  /** The id of the repo, for its size limit. */
  readonly repo: string;
  readonly authorization: string | undefined;
  /** Default: the branch that the repository's HEAD points to. */
  readonly wanted: Wanted;
}

/** For one request to a git server, including packs of hundreds of megabytes. */
const TIMEOUT_MS = 120_000;
const GITDIR = '/git';
const MOST_REFS_BYTES = 32 * 1024 * 1024;
const MOST_OBJECTS = 1_000_000;
const TREES_BYTES = 64 * 1024 * 1024;

const loadGit = async () => (await import('isomorphic-git')).default;
type Git = Awaited<ReturnType<typeof loadGit>>;

/** Throws if repositories must not be read from the address. */
export function checkUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (!parsed || !/^(https?|file):$/.test(parsed.protocol))
    throw gitErrors.GIT_URL_NOT_ON_ALLOW_LIST({
      url: shown(url),
      reason: 'it starts with neither https:// nor file://',
    });
  if (parsed.username !== '' || parsed.password !== '') throw gitErrors.GIT_SENSITIVE_TOKEN_DETECTED();
  return parsed;
}

/** Removes credentials from addresses. */
const shown = (url: string): string => url.replace(/\/\/[^/@]*@/, '//').slice(0, 300);

/** Whether git accepts the name as a branch or tag: names become parts of paths in a repository. */
export const isRefName = (name: string): boolean => REF.test(name);
const REF = /^(?![-/])(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\\p{Cc}]+$/u;
const COMMIT = /^[0-9a-f]{4,40}$/i;

function checkWanted(url: string, { branch, tag, commit }: Wanted): void {
  const names = [branch, tag].filter((name) => name !== undefined);
  if (!names.every(isRefName) || (commit !== undefined && !COMMIT.test(commit)))
    throw unknownRef(url, { branch, tag, commit });
}

/** The commit that a branch or tag of a repository points to. */
export async function openRemote(call: GitCall, request: RemoteRequest): Promise<GitSnapshot> {
  const url = checkUrl(request.url);
  checkWanted(request.url, request.wanted);
  try {
    const git = await loadGit();
    return await (url.protocol === 'file:' ? openFolder(git, call, url, request) : fetchRemote(git, call, request));
  } catch (error) {
    throw asGitError(error, request.url);
  }
}

function asGitError(error: unknown, url: string): unknown {
  if (error instanceof ApiError) return error;
  // The library quotes the answers of servers that do not speak git; such answers may be internal to this machine.
  if (error instanceof Error && ['SmartHttpError', 'ParseError'].includes(error.name))
    return gitErrors.GIT_REMOTE_ERROR({ url: shown(url), reason: 'its server does not speak the Git protocol' });
  if (error instanceof OutboundError && (error.failure === 'Blocked' || error.failure === 'BadAddress'))
    return gitErrors.GIT_URL_NOT_ON_ALLOW_LIST({ url: shown(url), reason: error.message });
  const reason = error instanceof Error ? error.message.slice(0, 300).toWellFormed() : 'it failed';
  return gitErrors.GIT_REMOTE_ERROR({ url: shown(url), reason }, { cause: error });
}

/** Reads only folders below those in the configuration. */
async function openFolder(git: Git, call: GitCall, url: URL, { wanted }: RemoteRequest): Promise<GitSnapshot> {
  const allowed = settingsOf(call.jar).gitFolders ?? [];
  const refused = (reason: string) => gitErrors.GIT_URL_NOT_ON_ALLOW_LIST({ url: shown(url.href), reason });
  if (allowed.length === 0) throw refused('no folder is allowed (services.platform.gitFolders)');
  if (url.host !== '') throw refused('it names another machine');
  const folder = await realpath(fileURLToPath(url)).catch(() => undefined);
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => undefined)));
  const isAllowed = (path: string): boolean =>
    roots.some(
      (root) => root !== undefined && (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)),
    );
  // The same error whether or not the folder exists, so that callers cannot probe for folders.
  if (folder === undefined || !isAllowed(folder))
    throw refused('it is not below an allowed folder (services.platform.gitFolders)');
  const inner = await realpath(join(folder, '.git')).catch(() => folder);
  const gitdir = isAllowed(inner) && (await stat(inner)).isDirectory() ? inner : folder;
  const repository = { fs, gitdir, cache: {} };
  if (wanted.commit !== undefined) return snapshotOfCommit(git, repository, url.href, wanted.commit);
  const has = (ref: string): Promise<string | undefined> =>
    git.resolveRef({ ...repository, ref }).catch(() => undefined);
  const current = await git.currentBranch({ fs, gitdir }).catch(() => undefined);
  const chosen = wanted.tag !== undefined || wanted.branch !== undefined ? wanted : current ? { branch: current } : {};
  const oid = await has(refOf(chosen) ?? 'HEAD');
  if (oid === undefined) throw unknownRef(url.href, chosen);
  return snapshotOf(git, repository, oid, chosen);
}

const refOf = ({ branch, tag }: Wanted): string | undefined =>
  tag !== undefined ? `refs/tags/${tag}` : branch !== undefined ? `refs/heads/${branch}` : undefined;

const unknownRef = (url: string, { branch, tag, commit }: Wanted) => {
  const what =
    tag !== undefined
      ? `tag '${tag}'`
      : branch !== undefined
        ? `branch '${branch}'`
        : commit === undefined
          ? 'commit'
          : `commit '${commit}'`;
  return gitErrors.GIT_UNKNOWN_REF({ url: shown(url), what: what.slice(0, 300) });
};

/** Fetches only the newest commit, without its history. */
async function fetchRemote(git: Git, call: GitCall, request: RemoteRequest): Promise<GitSnapshot> {
  const { url, wanted, authorization } = request;
  return Calls.during(call.signal, async (calls) => {
    const http = guardedHttp(call, request.repo, calls);
    // A new object for each call, since the library writes its protocol version into it.
    const headers = (): Record<string, string> => (authorization === undefined ? {} : { authorization });
    if (wanted.commit !== undefined) {
      // Servers return commits only through refs that contain them, so all refs are fetched.
      const whole = await emptyRepository(git, url);
      await git.fetch({ ...whole, http, url, headers: headers(), singleBranch: false, tags: true });
      return snapshotOfCommit(git, whole, url, wanted.commit);
    }
    const refs = await git.listServerRefs({ http, url, headers: headers(), symrefs: true });
    const target = refs.find(({ ref }) => ref === 'HEAD')?.target?.replace(/^refs\/heads\//, '');
    const chosen =
      wanted.tag !== undefined || wanted.branch !== undefined ? wanted : target === undefined ? {} : { branch: target };
    const ref = refOf(chosen);
    if (ref === undefined || !refs.some((each) => each.ref === ref)) throw unknownRef(url, chosen);
    const repository = await emptyRepository(git, url);
    const fetched = await git.fetch({
      ...repository,
      http,
      url,
      headers: headers(),
      ref,
      singleBranch: true,
      depth: 1,
      tags: false,
    });
    if (!fetched.fetchHead) throw unknownRef(url, chosen);
    return snapshotOf(git, repository, fetched.fetchHead, chosen);
  });
}

async function emptyRepository(git: Git, url: string) {
  const fs = new MemoryFs();
  await git.init({ fs, gitdir: GITDIR, bare: true });
  await git.addRemote({ fs, gitdir: GITDIR, remote: 'origin', url });
  return { fs, gitdir: GITDIR, cache: {} };
}

async function snapshotOfCommit(git: Git, repository: Repository, url: string, commit: string): Promise<GitSnapshot> {
  const oid = await git.expandOid({ ...repository, oid: commit.toLowerCase() }).catch(() => undefined);
  const found = oid && (await snapshotOf(git, repository, oid, {}).catch(() => undefined));
  if (!found) throw unknownRef(url, { commit });
  return found;
}

/** Sends the library's requests through the guarded client; no answer may be larger than a repo. */
function guardedHttp(call: GitCall, repo: string, calls: Calls): HttpClient {
  const { jar } = call;
  const scope = [workspaceIn(call).id, repo];
  const most = jar.limits.checkBound(boundOf('repo-size'), scope, 0).maximum;
  const tooLarge = (current: number) => limitExceeded({ row: rowOf('repo-size'), scope, maximum: most, current });
  return {
    async request({ url, method = 'GET', headers = {}, body }) {
      const parts: Uint8Array[] = [];
      if (body) for await (const part of body) parts.push(part);
      const sent = Buffer.concat(parts);
      const isFetch = method === 'POST' && !sent.includes('command=ls-refs');
      const answer = await jar.outbound.send({
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(sent.length > 0 && { body: sent }),
        redirects: 3,
        timeoutMs: TIMEOUT_MS,
        maxBodyBytes: isFetch ? most : MOST_REFS_BYTES,
        calls,
      });
      if (answer.truncated && !isFetch) throw new Error(`its list of branches has more than ${MOST_REFS_BYTES} bytes`);
      if (answer.truncated) throw tooLarge(most + 1);
      if (isFetch && answer.status === 200) await checkFetched(answer.body, most, tooLarge);
      const received = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      return {
        url,
        method,
        statusCode: answer.status,
        statusMessage: String(answer.status),
        headers: Object.fromEntries(received),
        body: once(answer.body),
      };
    },
  };
}

/** Allows extra bytes for directory names, and for files that a sparse checkout omits. */
async function checkFetched(answer: Buffer, most: number, tooLarge: (bytes: number) => Error): Promise<void> {
  const pack = packIn(answer);
  // The library handles answers that contain a message instead of a pack.
  if (pack.length === 0) return;
  try {
    await checkPack(pack, { file: most, total: 2 * most + TREES_BYTES, objects: MOST_OBJECTS });
  } catch (error) {
    throw error instanceof PackTooLarge ? tooLarge(error.bytes) : error;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const TYPES: Readonly<Record<string, GitEntry['type']>> = { '100644': 'file', '100755': 'file', '040000': 'directory' };

interface Repository {
  readonly fs: FsClient;
  readonly gitdir: string;
  readonly cache: object;
}

async function snapshotOf(git: Git, repository: Repository, oid: string, chosen: Wanted): Promise<GitSnapshot> {
  const { oid: head } = await git.readCommit({ ...repository, oid });
  return {
    ...chosen,
    head,
    async tree(of) {
      const { tree } = await git.readTree({ ...repository, oid: of });
      return tree.map(({ path, oid: id, mode }) => ({ name: path, oid: id, type: TYPES[mode] ?? 'other' }));
    },
    blob: async (of) => Buffer.from((await git.readBlob({ ...repository, oid: of })).blob),
  };
}
