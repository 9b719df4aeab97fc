import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { type Answer, ApiError } from '../../../kernel/http/index.ts';
import { etag, uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { putFile } from '../diagnostics/files.ts';
import { readLink, SIGNED } from '../diagnostics/links.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type SymbolUpload, symbolUploads } from './collections.ts';
import { blockFile, dropBlocks } from './store.ts';

/**
 * Receives an upload like a blob store: as a whole, or in blocks followed by a list that orders them. A whole file is also stored in
 * blocks, each in its own transaction, so that a large file does not block other writers.
 */

const MOST_BYTES = 100 * 1024 * 1024;
const MOST_BLOCKS = 1000;
/** Block size for files sent as a whole. */
const BLOCK_BYTES = 2 * 1024 * 1024;
/** Unused blocks count until the block list arrives. */
const MOST_ARRIVED_BYTES = 2 * MOST_BYTES;

export const receiveFile = routeCode(['link'], {
  query: Type.Object({
    ...SIGNED,
    comp: Type.Optional(Type.Enum(['block', 'blocklist'])),
    blockid: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  responses: { 201: 'Uploaded' },
  admit: (call) => void uploadOf(call),
  async handle(call): Promise<Answer> {
    const { jar } = call;
    const name = uploadOf(call);
    const { comp, blockid = '' } = call.query;
    const stream = call.body as AsyncIterable<Buffer>;
    if (comp === 'block') await takeBlock(jar, name, blockid, stream);
    else if (comp === 'blocklist') await useBlocks(jar, name, blockIdsIn((await bytesOf(stream)).toString('utf8')));
    else await takeWhole(jar, name, stream);
    const lastModified = new Date(jar.clock.now()).toUTCString();
    return { status: 201, headers: { etag: `"${etag()}"`, 'last-modified': lastModified } };
  },
});

/** The upload that a signed URL belongs to. */
function uploadOf(call: Parameters<typeof readLink>[0]): string {
  const { use, name } = readLink(call);
  if (use !== 'upload') throw errors.Forbidden({ reason: 'The URL does not allow uploads.' });
  return name;
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of piecesOf(stream, MOST_BYTES)) pieces.push(piece);
  return pieces[0] ?? Buffer.alloc(0);
}

/** Splits a stream into pieces of equal size; only the last one is shorter. */
async function* piecesOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  let inAll = 0;
  for await (let chunk of stream) {
    inAll += chunk.length;
    if (inAll > MOST_BYTES) throw tooLarge();
    while (length + chunk.length >= size) {
      const missing = size - length;
      yield Buffer.concat([...chunks, chunk.subarray(0, missing)]);
      chunk = chunk.subarray(missing);
      chunks = [];
      length = 0;
    }
    chunks.push(chunk);
    length += chunk.length;
  }
  if (length > 0) yield Buffer.concat(chunks);
}

const tooLarge = () =>
  new ApiError(413, 'PayloadTooLarge', `The file is larger than the maximum of ${MOST_BYTES} bytes.`);

/** Changes an upload that is still open. */
function change(
  { store, clock }: Jar,
  key: string,
  changed: (tx: Tx, upload: SymbolUpload) => Promise<Partial<SymbolUpload>>,
): Promise<void> {
  return store.transact(async (tx) => {
    const upload = (await tx.get(symbolUploads, key))?.value;
    if (!upload) throw errors.NotFound({ reason: 'The upload no longer exists.' });
    if (upload.state !== 'created') {
      throw errors.Conflict({ reason: `The upload is ${upload.state} and accepts no more data.` });
    }
    const at = new Date(clock.now()).toISOString();
    await tx.put(symbolUploads, key, { ...upload, at, ...(await changed(tx, upload)) });
  });
}

/** Storing the first block discards the previous content. */
async function takeWhole(jar: Jar, key: string, stream: AsyncIterable<Buffer>): Promise<void> {
  await change(jar, key, async (tx, upload) => {
    await dropBlocks(tx, upload, Object.keys(upload.arrived));
    return { bytes: 0, blocks: [], arrived: {} };
  });
  const ids: string[] = [];
  for await (const piece of piecesOf(stream, BLOCK_BYTES)) {
    const id = uuid();
    await putBlock(jar, key, id, piece);
    ids.push(id);
  }
  await useBlocks(jar, key, ids);
}

async function takeBlock(jar: Jar, key: string, id: string, stream: AsyncIterable<Buffer>): Promise<void> {
  if (id === '') throw errors.BadRequest({ reason: "A block needs a 'blockid'." }, { target: 'blockid' });
  await putBlock(jar, key, id, await bytesOf(stream));
}

/** Hashed, because block ids are chosen by the client. */
const blockName = (id: string): string => createHash('sha256').update(id).digest('hex');

function putBlock(jar: Jar, key: string, id: string, bytes: Buffer): Promise<void> {
  const block = blockName(id);
  return change(jar, key, async (tx, upload) => {
    const arrived = { ...upload.arrived, [block]: bytes.length };
    const sizes = Object.values(arrived);
    if (sizes.length > MOST_BLOCKS) throw tooManyBlocks();
    if (sizes.reduce((sum, size) => sum + size, 0) > MOST_ARRIVED_BYTES) throw tooLarge();
    await putFile(tx, blockFile(upload, block), bytes);
    // Replacing a block that is in use invalidates the file.
    return upload.blocks.includes(block) ? { arrived, blocks: [], bytes: 0 } : { arrived };
  });
}

const tooManyBlocks = () => errors.BadRequest({ reason: `A file can have at most ${MOST_BLOCKS} blocks.` });

/** Parses `<BlockList><Latest>AAAA</Latest>…</BlockList>`. */
function blockIdsIn(xml: string): string[] {
  const ids = [...xml.matchAll(/<(Latest|Committed|Uncommitted)>([^<]*)<\/\1>/g)].map(([, , id]) => id as string);
  if (ids.length <= MOST_BLOCKS) return ids;
  throw tooManyBlocks();
}

/** Blocks that are not in the list are deleted. */
function useBlocks(jar: Jar, key: string, ids: readonly string[]): Promise<void> {
  return change(jar, key, async (tx, upload) => {
    const blocks = ids.map(blockName);
    const used = new Map<string, number>();
    let bytes = 0;
    for (const [index, block] of blocks.entries()) {
      const size = upload.arrived[block];
      if (size === undefined) throw errors.BadRequest({ reason: `There is no block '${ids[index]?.slice(0, 100)}'.` });
      used.set(block, size);
      bytes += size;
    }
    if (bytes > MOST_BYTES) throw tooLarge();
    const others = Object.keys(upload.arrived).filter((block) => !used.has(block));
    await dropBlocks(tx, upload, others);
    return { bytes, blocks, arrived: Object.fromEntries(used) };
  });
}
