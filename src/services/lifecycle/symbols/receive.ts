import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { ApiError } from '../../../kernel/http/errors.ts';
import { type Answer, routeCode } from '../../../kernel/http/route.ts';
import { etag } from '../../../kernel/ids.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import { dropFile, putFile, readFile } from '../diagnostics/files.ts';
import { readLink } from '../diagnostics/links.ts';
import { errors } from '../errors.ts';
import { type SymbolUpload, symbolUploads } from './collections.ts';

/** Takes an upload as a store of blobs does: whole, or in blocks of which a list then says how they follow each other. */

const MOST_BYTES = 100 * 1024 * 1024;
const MOST_BLOCKS = 50_000;

export const receiveFile = routeCode(['link'], {
  query: Type.Object({
    comp: Type.Optional(Type.Enum(['block', 'blocklist'])),
    blockid: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  responses: { 201: 'Uploaded' },
  async handle(call): Promise<Answer> {
    const { use, name } = readLink(call, call.params.link);
    if (use !== 'upload') throw errors.Forbidden({ reason: 'The address is not one to upload to.' });
    const { comp, blockid = '' } = call.query;
    const bytes = await bytesOf(call.body as AsyncIterable<Buffer>);
    if (comp === 'block') await putBlock(call.jar, name, blockid, bytes);
    else if (comp === 'blocklist') await joinBlocks(call.jar, name, blockIdsIn(bytes.toString('utf8')));
    else await call.jar.store.transact((tx) => putWhole(tx, call.jar, name, bytes));
    const lastModified = new Date(call.jar.clock.now()).toUTCString();
    return { status: 201, headers: { etag: `"${etag()}"`, 'last-modified': lastModified } };
  },
});

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () =>
  new ApiError(413, 'PayloadTooLarge', `The file is larger than ${MOST_BYTES} bytes, which is the most there may be.`);

async function openUpload(tx: Tx, key: string): Promise<SymbolUpload> {
  const upload = (await tx.get(symbolUploads, key))?.value;
  if (!upload) throw errors.NotFound({ reason: 'The upload is not there any more.' });
  if (upload.state === 'created') return upload;
  throw errors.Conflict({ reason: `The upload is ${upload.state}, and takes nothing more.` });
}

async function putWhole(tx: Tx, { clock }: Jar, key: string, bytes: Buffer): Promise<void> {
  const upload = await openUpload(tx, key);
  await putFile(tx, key, bytes);
  await tx.put(symbolUploads, key, { ...upload, bytes: bytes.length, at: new Date(clock.now()).toISOString() });
}

/** Ids are whatever the client likes. */
const blockName = (key: string, id: string): string => `${key}/block-${createHash('sha256').update(id).digest('hex')}`;

function putBlock({ store }: Jar, key: string, id: string, bytes: Buffer): Promise<void> {
  if (id === '') throw errors.BadRequest({ reason: "A block needs a 'blockid'." }, { target: 'blockid' });
  return store.transact(async (tx) => {
    await openUpload(tx, key);
    await putFile(tx, blockName(key, id), bytes);
  });
}

/** `<BlockList><Latest>AAAA</Latest>…</BlockList>`. */
function blockIdsIn(xml: string): string[] {
  const ids = [...xml.matchAll(/<(Latest|Committed|Uncommitted)>([^<]*)<\/\1>/g)].map(([, , id]) => id as string);
  if (ids.length <= MOST_BLOCKS) return ids;
  throw errors.BadRequest({ reason: `A list may have at most ${MOST_BLOCKS} blocks.` });
}

async function joinBlocks(jar: Jar, key: string, ids: readonly string[]): Promise<void> {
  await jar.store.transact(async (tx) => {
    const blocks: Buffer[] = [];
    let length = 0;
    for (const id of ids) {
      const block = await readFile(tx, blockName(key, id));
      if (block.length === 0) throw errors.BadRequest({ reason: `There is no block '${id.slice(0, 100)}'.` });
      length += block.length;
      if (length > MOST_BYTES) throw tooLarge();
      blocks.push(block);
    }
    await putWhole(tx, jar, key, Buffer.concat(blocks));
    for (const id of new Set(ids)) await dropFile(tx, blockName(key, id));
  });
}
