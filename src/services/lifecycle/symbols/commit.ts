import type { Tx } from '../../../kernel/store/types.ts';
import { readFile } from '../diagnostics/files.ts';
import { errors } from '../errors.ts';
import { type AppSymbol, type SymbolUpload, symbolKey, symbols, symbolUploads } from './collections.ts';
import { Mapping } from './mapping.ts';
import { platformOf } from './shape.ts';
import { uploadKey } from './store.ts';
import { symbolIdsIn } from './symbol-ids.ts';

/** Ends an upload. What is committed is looked through at once, so that it is `indexed` or `failed` when the answer comes. */
export async function commitUpload(
  tx: Tx,
  upload: SymbolUpload,
  status: 'committed' | 'aborted',
  at: string,
): Promise<SymbolUpload> {
  // Said again, since the answer to the first time was lost.
  if (upload.state === (status === 'aborted' ? 'aborted' : 'indexed')) return upload;
  if (upload.state !== 'created') {
    throw errors.BadRequest({ reason: `The upload is ${upload.state}, and cannot be ${status} any more.` });
  }
  if (status === 'committed' && upload.bytes === 0) {
    throw errors.BadRequest({ reason: 'Nothing was uploaded to the address that belongs to this upload.' });
  }
  const ended: SymbolUpload =
    status === 'aborted' ? { ...upload, state: 'aborted', at } : await indexed(tx, upload, at);
  await tx.put(symbolUploads, uploadKey(upload), ended);
  return ended;
}

async function indexed(tx: Tx, upload: SymbolUpload, at: string): Promise<SymbolUpload> {
  const file = await readFile(tx, uploadKey(upload));
  const isReadable = upload.type !== 'AndroidProguard' || Mapping.read(file.toString('utf8')) !== undefined;
  if (!isReadable) return { ...upload, state: 'failed', at };
  const found = symbolIdsIn(upload.type, file);
  const symbolIds = found.length > 0 ? found : [upload.id];
  for (const id of symbolIds) await tx.put(symbols, symbolKey(upload.appId, id), symbolOf(upload, id, symbolIds, at));
  return { ...upload, state: 'indexed', symbolIds, at };
}

function symbolOf(upload: SymbolUpload, id: string, all: readonly string[], createdAt: string): AppSymbol {
  const { appId, type, version, build } = upload;
  return {
    id,
    appId,
    uploadId: upload.id,
    type,
    platform: platformOf(type),
    status: 'available',
    ...(version !== undefined && { version }),
    ...(build !== undefined && { build }),
    alternateIds: all.filter((other) => other !== id),
    createdAt,
  };
}
