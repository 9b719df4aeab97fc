import { Type } from 'typebox';
import type { Jar } from '../../../kernel/service/index.ts';
import { users } from '../collections.ts';
import { type AppSymbol, SYMBOL_TYPES, type SymbolUpload, UPLOAD_STATES } from './collections.ts';

const MEBIBYTE = 1024 * 1024;

const text = Type.Optional(Type.String());

export const UploadView = Type.Object({
  symbol_upload_id: Type.String(),
  app_id: Type.String(),
  user: Type.Optional(Type.Object({ email: Type.String(), display_name: Type.String() })),
  status: Type.Enum([...UPLOAD_STATES]),
  symbol_type: Type.Enum([...SYMBOL_TYPES]),
  symbols_uploaded: Type.Array(Type.Object({ symbol_id: Type.String(), platform: Type.String() })),
  origin: Type.Literal('User'),
  file_name: text,
  file_size: Type.Number(),
  version: text,
  build: text,
  timestamp: Type.String(),
});

/** The platform of each symbol type. */
const PLATFORMS: Readonly<Record<SymbolUpload['type'], string>> = {
  Apple: 'ios',
  JavaScript: 'react-native',
  Breakpad: 'ndk',
  AndroidProguard: 'android',
  UWP: 'uwp',
};

export const platformOf = (type: SymbolUpload['type']): string => PLATFORMS[type];

export async function uploadView({ store }: Jar, upload: SymbolUpload) {
  const user = (await store.cached(users, upload.userId))?.value;
  return {
    symbol_upload_id: upload.id,
    app_id: upload.appId,
    ...(user && { user: { email: user.email, display_name: user.displayName } }),
    status: upload.state,
    symbol_type: upload.type,
    symbols_uploaded: upload.symbolIds.map((id) => ({ symbol_id: id, platform: platformOf(upload.type) })),
    origin: 'User',
    ...(upload.fileName !== undefined && { file_name: upload.fileName }),
    file_size: upload.bytes / MEBIBYTE,
    ...(upload.version !== undefined && { version: upload.version }),
    ...(upload.build !== undefined && { build: upload.build }),
    timestamp: upload.at,
  };
}

export const SymbolView = Type.Object({
  symbol_id: Type.String(),
  type: Type.Enum([...SYMBOL_TYPES]),
  app_id: Type.String(),
  platform: Type.String(),
  url: Type.String(),
  origin: Type.Literal('User'),
  alternate_symbol_ids: Type.Array(Type.String()),
  status: Type.Enum(['available', 'ignored']),
  version: text,
  build: text,
  symbol_upload_id: Type.String(),
});

export const symbolView = (symbol: AppSymbol) => ({
  symbol_id: symbol.id,
  type: symbol.type,
  app_id: symbol.appId,
  platform: symbol.platform,
  url: symbol.uploadId === '' ? '' : `${symbol.appId}/${symbol.uploadId}`,
  origin: 'User',
  alternate_symbol_ids: symbol.alternateIds,
  status: symbol.status,
  ...(symbol.version !== undefined && { version: symbol.version }),
  ...(symbol.build !== undefined && { build: symbol.build }),
  symbol_upload_id: symbol.uploadId,
});
