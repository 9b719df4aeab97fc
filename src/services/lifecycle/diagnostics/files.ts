import type { Store, Tx } from '../../../kernel/store/index.ts';
import { nextTurn } from '../../../kernel/time/index.ts';
import { fileParts } from './collections.ts';

/** Data too large for a document: attachments and symbols. Stored in parts of bounded size. */

const PART_BYTES = 384 * 1024;

const partKey = (name: string, index: number): string => `${name}//${String(index).padStart(6, '0')}`;

/** Replaces any previous content. */
export async function putFile(tx: Tx, name: string, bytes: Buffer): Promise<void> {
  await dropFile(tx, name);
  for (let index = 0; index * PART_BYTES < bytes.length; index++) {
    const part = bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
    await tx.put(fileParts, partKey(name, index), { base64: part.toString('base64') });
  }
}

/** Other work gets its turn between two parts. */
export async function* partsOf(store: Store, name: string): AsyncGenerator<Buffer> {
  for (let index = 0; ; index++) {
    const part = await store.get(fileParts, partKey(name, index));
    if (!part) return;
    yield Buffer.from(part.value.base64, 'base64');
    await new Promise<void>(nextTurn);
  }
}

export async function readFile(store: Store, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of partsOf(store, name)) parts.push(part);
  return Buffer.concat(parts);
}

export async function dropFile(tx: Tx, name: string): Promise<void> {
  for (let index = 0; await tx.delete(fileParts, partKey(name, index)); index++);
}
