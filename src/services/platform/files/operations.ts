import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import { byId } from '../catalog/core/chain.ts';
import { treeOfVolume } from '../catalog/volumes/tree.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import type { TreeNode } from '../tree/collections.ts';
import { findById } from '../tree/nodes.ts';
import { findDirectory, findFile, readable } from './access.ts';
import { createDirectory, deleteDirectory, listDirectory } from './directories.ts';
import { fileAnswer, fileHead } from './download.ts';
import { filesErrors } from './errors.ts';
import { LINK_PATH, linkTo, readLink, untilOf } from './links.ts';
import { abortLink, abortUpload, completeUpload, partLinks, receivePart } from './multipart.ts';
import { receiveBytes, resumableLink } from './resumable.ts';
import { beginUpload } from './sessions.ts';
import { deleteFile, uploadFile } from './upload.ts';

type AtPath = PlatformCall & { readonly params: { readonly path: string } };

const FILE = '/fs/files/{path*}';
const DIRECTORY = '/fs/directories/{path*}';

const row = (
  method: Operation['method'],
  path: string,
  name: string,
  summary: string,
  handle: (call: PlatformCall) => Promise<Answer>,
  rest: Partial<Operation> = {},
): Operation => ({
  method,
  path,
  operation: `files_${name}`,
  summary: `Files: ${summary}`,
  ...rest,
  code: routeCode([], { handle }),
});

/** For paths that end in a file path. */
const atPath = (
  method: Operation['method'],
  path: string,
  name: string,
  summary: string,
  handle: (call: PlatformCall, path: string) => Promise<Answer>,
  rest: Partial<Operation> = {},
): Operation => row(method, path, name, summary, (call) => handle(call, `/${(call as AtPath).params.path}`), rest);

const done = async (action: Promise<void>): Promise<Answer> => {
  await action;
  return noContent();
};

/** `action` selects the effect of a `POST` to a file. */
async function act(call: PlatformCall, path: string): Promise<Answer> {
  const { action, upload_type: type } = call.query;
  if (action === 'initiate-upload') {
    const kind = type === 'resumable' ? 'resumable' : 'multipart';
    return ok({ [`${kind}_upload`]: { session_token: await beginUpload(call, path, kind) } });
  }
  if (action === 'complete-upload') {
    await completeUpload(call, path);
    return ok({});
  }
  throw errors.INVALID_PARAMETER_VALUE({
    reason: "The parameter 'action' must be one of initiate-upload, complete-upload.",
  });
}

async function downloadLink(call: PlatformCall): Promise<Answer> {
  const { path, expire_time: expires } = call.query;
  if (typeof path !== 'string' || path === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'path' });
  const place = await readable(call, path);
  const { id } = await findFile(call.jar.store, place);
  const linked = { does: 'download', volume: place.chain.target.id, node: id } as const;
  return ok({ url: linkTo(call, linked, untilOf(call, expires)), headers: [] });
}

/** The file of a link, also after it was moved. */
async function linkedFile(call: PlatformCall): Promise<TreeNode> {
  const { volume: id, node } = readLink(call, 'download');
  const { store } = call.jar;
  const volume = await byId(store, id);
  const file = volume && (await findById(store, treeOfVolume(volume), node))?.at(-1);
  if (!file) throw filesErrors.NOT_FOUND({ path: '(of the link)' });
  return file;
}

const BYTES = 'application/octet-stream';

/** Links need no other credential. */
const linkRow = (
  method: Operation['method'],
  name: string,
  summary: string,
  admits: Parameters<typeof readLink>[1][],
  handle: (call: PlatformCall) => Promise<Answer>,
  rest: Partial<Operation> = {},
): Operation => ({
  method,
  path: `${LINK_PATH}/{link}`,
  operation: `files_${name}`,
  summary: `Files: ${summary}`,
  open: true,
  ...rest,
  code: routeCode(['link'], {
    admit: (call) => void readLink(call, ...admits),
    handle,
  }),
});

async function receive(call: PlatformCall): Promise<Answer> {
  if (readLink(call, 'part', 'resume').does === 'resume') return receiveBytes(call);
  return { status: 200, headers: { etag: await receivePart(call) } };
}

/** Operations on the files of volumes. */
export const FILE_OPERATIONS: readonly Operation[] = [
  atPath('PUT', FILE, 'upload', 'write one', (call, path) => done(uploadFile(call, path)), { accepts: 'stream' }),
  atPath(
    'GET',
    FILE,
    'download',
    'read one, or a range of it',
    async (call, path) => {
      const place = await readable(call, path);
      return fileAnswer(call, () => findFile(call.jar.store, place));
    },
    { produces: BYTES },
  ),
  atPath('HEAD', FILE, 'getMetadata', 'read the size and time of one', async (call, path) =>
    fileHead(call, await findFile(call.jar.store, await readable(call, path))),
  ),
  atPath('DELETE', FILE, 'delete', 'delete one', (call, path) => done(deleteFile(call, path))),
  atPath('POST', FILE, 'act', 'start or complete an upload in parts', act),
  atPath('PUT', DIRECTORY, 'createDirectory', 'make a directory', (call, path) => done(createDirectory(call, path))),
  atPath('GET', DIRECTORY, 'listDirectoryContents', 'list a directory', async (call, path) =>
    ok(await listDirectory(call, path)),
  ),
  atPath('HEAD', DIRECTORY, 'getDirectoryMetadata', 'check whether a directory exists', async (call, path) => {
    await findDirectory(call.jar.store, await readable(call, path));
    return { status: 200 };
  }),
  atPath('DELETE', DIRECTORY, 'deleteDirectory', 'delete an empty directory', (call, path) =>
    done(deleteDirectory(call, path)),
  ),
  row(
    'POST',
    '/fs/create-upload-part-urls',
    'createUploadPartUrls',
    'create links for parts of an upload',
    async (call) => ok(await partLinks(call)),
  ),
  row(
    'POST',
    '/fs/create-abort-upload-url',
    'createAbortUploadUrl',
    'create a link that aborts an upload',
    async (call) => ok(await abortLink(call)),
  ),
  row(
    'POST',
    '/fs/create-resumable-upload-url',
    'createResumableUploadUrl',
    'create a link for a resumable upload',
    async (call) => ok(await resumableLink(call)),
  ),
  row('POST', '/fs/create-download-url', 'createDownloadUrl', 'create a link to read one', downloadLink),
  linkRow('GET', 'readLinked', 'read one by a link', ['download'], (call) => fileAnswer(call, () => linkedFile(call)), {
    produces: BYTES,
  }),
  linkRow('PUT', 'writeLinked', 'upload by a link', ['part', 'resume'], receive, { accepts: 'stream' }),
  linkRow('DELETE', 'abortLinked', 'abort an upload by a link', ['abort', 'resume'], async (call) =>
    done(abortUpload(call)),
  ),
];
