import { Readable } from 'node:stream';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { type AppSymbol, type SymbolUpload, symbolKey, symbols, symbolUploads } from './collections.ts';
import { uploadParts } from './store.ts';

export async function findUpload(call: Call, id: string, reader: Reader = call.jar.store): Promise<SymbolUpload> {
  const found = (await reader.get(symbolUploads, symbolKey(appOf(call).id, id.toLowerCase())))?.value;
  if (found) return found;
  throw errors.NotFound({ reason: `There is no symbol upload '${id.slice(0, 100)}' in this app.` });
}

export const noSymbol = (id: string) =>
  errors.NotFound({ reason: `There is no symbol '${id.slice(0, 100)}' in this app.` });

export async function findSymbol(call: Call, id: string, reader: Reader = call.jar.store): Promise<AppSymbol> {
  const found = (await reader.get(symbols, symbolKey(appOf(call).id, id.toLowerCase())))?.value;
  if (found) return found;
  throw noSymbol(id);
}

/** The uploaded file, by upload key. */
export async function symbolsFile({ store }: Jar, key: string) {
  const upload = (await store.get(symbolUploads, key))?.value;
  if (!upload) return undefined;
  const fileName = upload.fileName ?? `${upload.id}.bin`;
  const body = Readable.from(uploadParts({ store }, upload));
  return { contentType: 'application/octet-stream', fileName, length: upload.bytes, body };
}
