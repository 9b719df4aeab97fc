import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { dropFile, partsOf } from '../diagnostics/files.ts';
import { type SymbolUpload, symbolKey, symbols, symbolUploads } from './collections.ts';
import { EXPIRE_UPLOAD } from './work.ts';

/** The real service's retention. */
const KEPT_DAYS = 180;

export const uploadKey = ({ appId, id }: Pick<SymbolUpload, 'appId' | 'id'>): string => symbolKey(appId, id);
const expiryId = (upload: SymbolUpload): string => `${EXPIRE_UPLOAD.kind}/${uploadKey(upload)}`;

/** Stores a new upload and schedules its expiry. */
export async function addUpload(tx: Tx, upload: SymbolUpload): Promise<void> {
  const key = uploadKey(upload);
  await tx.put(symbolUploads, key, upload, { ifNoneMatch: '*' });
  const dueAt = Date.parse(upload.createdAt) + KEPT_DAYS * DAY_MS;
  await tx.schedule(EXPIRE_UPLOAD.at(dueAt, { key }, expiryId(upload)));
}

export const blockFile = (upload: Pick<SymbolUpload, 'appId' | 'id'>, block: string): string =>
  `${uploadKey(upload)}/block-${block}`;

/** The uploaded file in parts. */
export async function* uploadParts({ store }: Pick<Jar, 'store'>, upload: SymbolUpload): AsyncGenerator<Buffer> {
  for (const block of upload.blocks) yield* partsOf(store, blockFile(upload, block));
}

export async function readUpload(jar: Pick<Jar, 'store'>, upload: SymbolUpload): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of uploadParts(jar, upload)) parts.push(part);
  return Buffer.concat(parts);
}

export async function dropBlocks(tx: Tx, upload: SymbolUpload, blocks: readonly string[]): Promise<void> {
  for (const block of blocks) await dropFile(tx, blockFile(upload, block));
}

/** Deletes an upload with its blocks, and the symbols found in it unless a newer upload also has them. */
export async function dropUpload(tx: Tx, upload: SymbolUpload): Promise<void> {
  const key = uploadKey(upload);
  await tx.delete(symbolUploads, key);
  await dropBlocks(tx, upload, Object.keys(upload.arrived));
  for (const id of upload.symbolIds) {
    const symbol = await tx.get(symbols, symbolKey(upload.appId, id));
    if (symbol?.value.uploadId === upload.id) await tx.delete(symbols, symbol.key);
  }
}

export const cancelExpiry = (tx: Tx, upload: SymbolUpload): Promise<boolean> => tx.cancel(expiryId(upload));
