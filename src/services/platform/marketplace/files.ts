import { knownOrigin } from '../../../kernel/auth/index.ts';
import { decodeSkipToken, encodeSkipToken, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Reader } from '../../../kernel/store/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { isStream } from '../blobs/body.ts';
import { blobAnswer } from '../blobs/range-answer.ts';
import { discard, keep, stage } from '../blobs/staged.ts';
import { dropBlob } from '../blobs/store.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { type MarketFile, marketFiles } from './collections.ts';
import { listAnswer, notFound, ofProviders } from './wire.ts';

/** Images and notebooks of providers and listings, uploaded to a link that is valid for an hour. */

const PARENTS = ['PROVIDER', 'LISTING', 'LISTING_RESOURCE'] as const;
const TYPES = ['PROVIDER_ICON', 'EMBEDDED_NOTEBOOK', 'SCREENSHOT', 'APP'] as const;
/** RFC 9110, 8.3.1: the value becomes a header of downloads. Parameters consist of visible characters. */
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:; ?[\x20-\x7e]{1,200})?$/;
const LONGEST_NAME = 1000;
const LONGEST_ID = 255;
const LARGEST = 10 * 1024 * 1024;
const LINKS = 'marketplace-files';

interface Place {
  /** A link for reading a file does not permit writing. */
  readonly does: 'read' | 'write';
  readonly file: string;
  readonly until: number;
}

const linkTo = (call: PlatformCall, does: Place['does'], file: string): string =>
  `${knownOrigin(call)}/api/2.0/marketplace-provider/file-contents/${encodeSkipToken(call.jar.vault, LINKS, {
    does,
    file,
    until: call.jar.clock.now() + HOUR_MS,
  } satisfies Place)}`;

async function fileBehind(call: PlatformCall, does: Place['does'], link: string): Promise<MarketFile> {
  const place = decodeSkipToken<Place>(call.jar.vault, LINKS, link);
  if (place?.does !== does || place.until <= call.jar.clock.now())
    throw errors.PERMISSION_DENIED({ reason: 'The link is unknown or has expired.' });
  const found = (await call.jar.store.get(marketFiles, place.file))?.value;
  if (!found) throw notFound('File', place.file);
  return found;
}

const view = (call: PlatformCall, file: MarketFile): JsonMembers =>
  omitAbsent({
    ...file.fields,
    id: file.id,
    file_parent: { file_parent_type: file.parentType, parent_id: file.parent },
    status: file.blob === undefined ? 'FILE_STATUS_STAGING' : 'FILE_STATUS_PUBLISHED',
    // A link needs no other credential: people who may only read do not get it.
    download_link: file.blob === undefined || call.caller?.readOnly ? undefined : linkTo(call, 'read', file.id),
    created_at: file.createdAt,
    updated_at: file.createdAt,
  });

async function findFile(reader: Reader, accountId: string, id: string): Promise<MarketFile> {
  const found = (await reader.get(marketFiles, id))?.value;
  if (found?.accountId === accountId) return found;
  throw notFound('File', id);
}

function parentIn(sent: Sent): Pick<MarketFile, 'parentType' | 'parent'> {
  const parentType = sent.word('file_parent_type', PARENTS);
  if (parentType === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'file_parent.file_parent_type' });
  const parent = sent.need('parent_id');
  if (parent.length > LONGEST_ID)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field 'parent_id' must be at most ${LONGEST_ID} characters.` });
  return { parentType, parent };
}

function createFile(call: PlatformCall): Promise<MarketFile> {
  const sent = new Sent(call.body);
  const parent = sent.member('file_parent');
  if (!parent) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'file_parent' });
  const type = sent.word('marketplace_file_type', TYPES);
  if (type === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'marketplace_file_type' });
  const name = sent.text('display_name');
  const mimeType = sent.need('mime_type');
  if (!MIME_TYPE.test(mimeType))
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'mime_type' must be a media type, such as image/png." });
  if (name !== undefined && name.length > LONGEST_NAME)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field 'display_name' must be at most ${LONGEST_NAME} characters.`,
    });
  const file: MarketFile = {
    id: uuid(),
    accountId: accountIn(call).id,
    ...parentIn(parent),
    createdAt: call.jar.clock.now(),
    fields: omitAbsent({ marketplace_file_type: type, mime_type: mimeType, display_name: name }),
  };
  return call.jar.store.transact(async (tx) => {
    await tx.put(marketFiles, file.id, file);
    return file;
  });
}

async function upload(call: PlatformCall, link: string): Promise<void> {
  const { id } = await fileBehind(call, 'write', link);
  const { jar, body } = call;
  if (!isStream(body)) throw errors.INVALID_PARAMETER_VALUE({ reason: 'The body must be the bytes of the file.' });
  const content = await stage(jar, body, (size) => {
    if (size > LARGEST) throw errors.INVALID_PARAMETER_VALUE({ reason: `A file can have at most ${LARGEST} bytes.` });
  });
  try {
    await jar.store.transact(async (tx) => {
      const before = (await tx.get(marketFiles, id))?.value;
      if (!before) throw notFound('File', id);
      if (before.blob !== undefined) await dropBlob(tx, { blob: before.blob, size: before.size ?? 0 }, jar.clock.now());
      await tx.put(marketFiles, id, { ...before, ...(await keep(tx, content)) });
    });
  } catch (error) {
    await discard(jar, content);
    throw error;
  }
}

function deleteFile(call: PlatformCall, id: string): Promise<void> {
  return call.jar.store.transact(async (tx) => {
    const { blob, size = 0 } = await findFile(tx, accountIn(call).id, id);
    await tx.delete(marketFiles, id);
    if (blob !== undefined) await dropBlob(tx, { blob, size }, call.jar.clock.now());
  });
}

const CONTENTS = '/file-contents/{link}';

export const FILE_OPERATIONS: readonly Operation[] = [
  ofProviders('/files', {
    method: 'POST',
    operation: 'providerFiles_create',
    summary: 'Marketplace: create a file, which is uploaded to a link',
    code: routeCode([], {
      async handle(call) {
        const file = await createFile(call);
        return ok({ file_info: view(call, file), upload_url: linkTo(call, 'write', file.id) });
      },
    }),
  }),
  ofProviders('/files', {
    method: 'GET',
    operation: 'providerFiles_list',
    summary: 'Marketplace: list the files of a provider or listing',
    code: routeCode([], {
      handle(call) {
        const { 'file_parent.file_parent_type': type, 'file_parent.parent_id': id } = call.query;
        const { parentType, parent } = parentIn(new Sent({ file_parent_type: type, parent_id: id }, 'file_parent'));
        return listAnswer(call, {
          collection: marketFiles,
          filter: eq('parent', `${accountIn(call).id}/${parentType}/${parent}`),
          order: 'createdAt',
          array: 'file_infos',
          view: (file) => view(call, file),
        });
      },
    }),
  }),
  ofProviders('/files/{id}', {
    method: 'GET',
    operation: 'providerFiles_get',
    summary: 'Marketplace: read about a file',
    code: routeCode(['id'], {
      handle: async (call) =>
        ok({ file_info: view(call, await findFile(call.jar.store, accountIn(call).id, call.params.id)) }),
    }),
  }),
  ofProviders('/files/{id}', {
    method: 'DELETE',
    operation: 'providerFiles_delete',
    summary: 'Marketplace: delete a file',
    code: routeCode(['id'], {
      async handle(call) {
        await deleteFile(call, call.params.id);
        return ok({});
      },
    }),
  }),
  {
    method: 'PUT',
    path: `/marketplace-provider${CONTENTS}`,
    operation: 'providerFiles_upload',
    summary: 'Marketplace: create the link for uploading a file',
    open: true,
    accepts: 'stream',
    code: routeCode(['link'], {
      async handle(call) {
        await upload(call, call.params.link);
        return ok({});
      },
    }),
  },
  {
    method: 'GET',
    path: `/marketplace-provider${CONTENTS}`,
    operation: 'providerFiles_download',
    summary: 'Marketplace: read a file by a link',
    open: true,
    produces: 'application/octet-stream',
    code: routeCode(['link'], {
      async handle(call) {
        const { blob, size = 0, fields } = await fileBehind(call, 'read', call.params.link);
        if (blob === undefined) throw errors.NOT_FOUND({ reason: 'The file has not been uploaded yet.' });
        // Uploaded files are untrusted, so browsers must not render them as pages of this origin.
        const headers = {
          'content-type': String(fields.mime_type),
          'content-disposition': 'attachment',
          'content-security-policy': "default-src 'none'; sandbox",
        };
        return blobAnswer(call, { blob, size }, headers);
      },
    }),
  },
];
