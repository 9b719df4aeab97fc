import { collection, text } from '../../../kernel/store/index.ts';

/** Symbols make the addresses and obfuscated names in stack traces readable. They are kept for 180 days. */

export const SYMBOL_TYPES = ['Apple', 'JavaScript', 'Breakpad', 'AndroidProguard', 'UWP'] as const;
export type SymbolType = (typeof SYMBOL_TYPES)[number];

export const UPLOAD_STATES = ['created', 'committed', 'aborted', 'processing', 'indexed', 'failed'] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

export interface SymbolUpload {
  readonly id: string;
  readonly appId: string;
  /** The user who started the upload. */
  readonly userId: string;
  readonly type: SymbolType;
  readonly state: UploadState;
  readonly fileName?: string;
  readonly version?: string;
  readonly build?: string;
  /** Size of the complete file. */
  readonly bytes: number;
  /** The blocks of the file, in order. */
  readonly blocks: readonly string[];
  /** Size of each received block, whether used yet or not. */
  readonly arrived: Readonly<Record<string, number>>;
  /** When it was last changed. */
  readonly at: string;
  readonly createdAt: string;
  /** Symbol ids found in the file. */
  readonly symbolIds: readonly string[];
}

/** Keyed by `app/upload`. Its blocks are files: see `blockFile`. */
export const symbolUploads = collection<SymbolUpload>('lifecycle.symbol_uploads', {
  fields: {
    appId: text(({ appId }) => appId),
    type: text(({ type }) => type),
    state: text(({ state }) => state),
    version: text(({ version }) => version),
    build: text(({ build }) => build),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'createdAt']],
});

export interface AppSymbol {
  readonly id: string;
  readonly appId: string;
  readonly uploadId: string;
  readonly type: SymbolType;
  readonly platform: string;
  readonly status: 'available' | 'ignored';
  readonly version?: string;
  readonly build?: string;
  /** The other symbol ids of the same upload. */
  readonly alternateIds: readonly string[];
  readonly createdAt: string;
}

/** Keyed by `app/symbol`. */
export const symbols = collection<AppSymbol>('lifecycle.symbols', {
  fields: { appId: text(({ appId }) => appId), createdAt: text(({ createdAt }) => createdAt) },
  indexes: [['appId', 'createdAt']],
});

export const symbolKey = (appId: string, id: string): string => `${appId}/${id}`;

export const SYMBOL_COLLECTIONS = [symbolUploads, symbols];
