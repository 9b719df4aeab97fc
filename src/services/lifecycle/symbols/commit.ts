import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { LifecycleJar } from '../jar.ts';
import { withUnpackingSlot } from '../unpacking.ts';
import { type AppSymbol, type SymbolUpload, symbolKey, symbols, symbolUploads } from './collections.ts';
import { Mapping } from './mapping.ts';
import { platformOf } from './shape.ts';
import { readUpload, uploadKey } from './store.ts';
import { symbolIdsIn } from './symbol-ids.ts';

/** Results of examining an upload. */
export interface Findings {
  readonly isReadable: boolean;
  readonly symbolIds: readonly string[];
}

/** Examines an uploaded file. Runs outside the transaction that uses the result, because it can take a while. */
export const examine = (jar: LifecycleJar, upload: SymbolUpload): Promise<Findings> =>
  withUnpackingSlot(jar, async () => {
    if (upload.type === 'Apple') {
      return { isReadable: true, symbolIds: await symbolIdsIn(await readUpload(jar, upload)) };
    }
    const isReadable =
      upload.type !== 'AndroidProguard' || (await Mapping.read(await readUpload(jar, upload))) !== undefined;
    return { isReadable, symbolIds: [] };
  });

/** Ends an upload. When the response is sent, the upload is `indexed`, `failed` or `aborted`. */
export async function commitUpload(
  tx: Tx,
  upload: SymbolUpload,
  status: 'committed' | 'aborted',
  findings: Findings | undefined,
  at: string,
): Promise<SymbolUpload> {
  // A repeated request, because the first response was lost.
  if (upload.state === (status === 'aborted' ? 'aborted' : 'indexed')) return upload;
  if (upload.state !== 'created') {
    throw errors.BadRequest({ reason: `The upload is ${upload.state} and can no longer be ${status}.` });
  }
  if (status === 'committed' && !findings) {
    throw errors.BadRequest({ reason: 'No file was uploaded to the URL of this upload.' });
  }
  const ended: SymbolUpload = findings
    ? await withSymbols(tx, upload, findings, at)
    : { ...upload, state: 'aborted', at };
  await tx.put(symbolUploads, uploadKey(upload), ended);
  return ended;
}

async function withSymbols(tx: Tx, upload: SymbolUpload, findings: Findings, at: string): Promise<SymbolUpload> {
  if (!findings.isReadable) return { ...upload, state: 'failed', at };
  const symbolIds = findings.symbolIds.length > 0 ? findings.symbolIds : [upload.id];
  await tx.putAll(
    symbols,
    symbolIds.map((id) => [symbolKey(upload.appId, id), symbolOf(upload, id, symbolIds, at)]),
  );
  return { ...upload, state: 'indexed', symbolIds, at };
}

/** Limited, because each symbol lists all others of the upload. */
const MOST_ALTERNATES = 100;

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
    alternateIds: all.filter((other) => other !== id).slice(0, MOST_ALTERNATES),
    createdAt,
  };
}
