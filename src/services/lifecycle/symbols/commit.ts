import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { LifecycleJar } from '../jar.ts';
import { inTurn } from '../unpacking.ts';
import { type AppSymbol, type SymbolUpload, symbolKey, symbols, symbolUploads } from './collections.ts';
import { Mapping } from './mapping.ts';
import { platformOf } from './shape.ts';
import { readUpload, uploadKey } from './store.ts';
import { symbolIdsIn } from './symbol-ids.ts';

/** What was found in an upload. */
export interface Findings {
  readonly isReadable: boolean;
  readonly symbolIds: readonly string[];
}

/** Looks through what was uploaded. Not part of the transaction that uses it, since that may take a while. */
export const examine = (jar: LifecycleJar, upload: SymbolUpload): Promise<Findings> =>
  inTurn(jar, async () => {
    if (upload.type === 'Apple') {
      return { isReadable: true, symbolIds: await symbolIdsIn(await readUpload(jar, upload)) };
    }
    const isReadable =
      upload.type !== 'AndroidProguard' || (await Mapping.read(await readUpload(jar, upload))) !== undefined;
    return { isReadable, symbolIds: [] };
  });

/** Ends an upload. It is `indexed` or `failed` when the answer comes. */
export async function commitUpload(
  tx: Tx,
  upload: SymbolUpload,
  status: 'committed' | 'aborted',
  findings: Findings | undefined,
  at: string,
): Promise<SymbolUpload> {
  // Said again, since the answer to the first time was lost.
  if (upload.state === (status === 'aborted' ? 'aborted' : 'indexed')) return upload;
  if (upload.state !== 'created') {
    throw errors.BadRequest({ reason: `The upload is ${upload.state}, and cannot be ${status} any more.` });
  }
  if (status === 'committed' && !findings) {
    throw errors.BadRequest({ reason: 'Nothing was uploaded to the address that belongs to this upload.' });
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

/** Each of them names the others, which must not add up. */
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
