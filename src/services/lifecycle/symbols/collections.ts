import { collection, text } from '../../../kernel/store/index.ts';

/** What makes the addresses and short names in stack traces readable. It is kept for 180 days. */

export const SYMBOL_TYPES = ['Apple', 'JavaScript', 'Breakpad', 'AndroidProguard', 'UWP'] as const;
export type SymbolType = (typeof SYMBOL_TYPES)[number];

export const UPLOAD_STATES = ['created', 'committed', 'aborted', 'processing', 'indexed', 'failed'] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

export interface SymbolUpload {
  readonly id: string;
  readonly appId: string;
  /** Who began it. */
  readonly userId: string;
  readonly type: SymbolType;
  readonly state: UploadState;
  readonly fileName?: string;
  readonly version?: string;
  readonly build?: string;
  /** Of what has arrived whole. */
  readonly bytes: number;
  /** The blocks that it is made of, in their order. */
  readonly blocks: readonly string[];
  /** The bytes of each block that has arrived, whether it is used or not yet. */
  readonly arrived: Readonly<Record<string, number>>;
  /** When it last changed. */
  readonly at: string;
  readonly createdAt: string;
  /** What was found in it. */
  readonly symbolIds: readonly string[];
}

/** By `app/upload`. Its blocks are files: see `blockFile`. */
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
  /** The others of the same upload. */
  readonly alternateIds: readonly string[];
  readonly createdAt: string;
}

/** By `app/symbol`. */
export const symbols = collection<AppSymbol>('lifecycle.symbols', {
  fields: { appId: text(({ appId }) => appId), createdAt: text(({ createdAt }) => createdAt) },
  indexes: [['appId', 'createdAt']],
});

export const symbolKey = (appId: string, id: string): string => `${appId}/${id}`;

export const SYMBOL_COLLECTIONS = [symbolUploads, symbols];
