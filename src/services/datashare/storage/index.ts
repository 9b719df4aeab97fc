import type { Calls } from '../../../kernel/outbound/index.ts';
import { BadConnectionString } from '../../../kernel/outbound/index.ts';
import { BlobClient, readStorageAccount, type StorageAccount } from '../../../kernel/outbound/storage/index.ts';
import { BlobFileStore } from './blob/store.ts';
import { FolderFileStore } from './folder/store.ts';
import { checkAccount, isConfigurableAccount } from './names.ts';
import { storageProblem } from './problem.ts';
import type { FileStore } from './types.ts';

export { isProblem, messageOf, StorageProblem, type StorageProblemCode, storageProblem } from './problem.ts';
export {
  type FileDraft,
  type FilePage,
  type FileReader,
  type FileStore,
  PIECE_BYTES,
  type StoredFile,
} from './types.ts';

export interface StorageOptions {
  /** The folder with one folder per account without a connection string. */
  readonly root: string;
  /** Connection strings of blob storage by account name. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly outbound: ConstructorParameters<typeof BlobClient>[0]['outbound'];
  /** Requests to blob storage that are cancelled together when the jar closes. */
  readonly calls: Calls;
}

export interface Storage {
  /** Throws a `StorageProblem` if the name is invalid. */
  account(name: string): FileStore;
}

/** The storage accounts of a jar: blob storage for accounts with a connection string, folders for all others. */
export function openStorage({ root, accounts, outbound, calls }: StorageOptions): Storage {
  const configured = new Map(Object.entries(accounts));
  return {
    account(name) {
      const connection = configured.get(name);
      if (connection === undefined) {
        checkAccount(name);
        return new FolderFileStore(root, name);
      }
      if (!isConfigurableAccount(name)) throw storageProblem('AccountNameInvalid', { account: name });
      const account = readAccount(name, connection);
      return new BlobFileStore(name, new BlobClient({ outbound, account, calls, trusted: true }), calls);
    },
  };
}

function readAccount(name: string, connection: string): StorageAccount {
  try {
    return readStorageAccount(connection, ['blob']);
  } catch (error) {
    if (error instanceof BadConnectionString) {
      throw storageProblem('AccountMisconfigured', { account: name, reason: error.message }, { cause: error });
    }
    throw error;
  }
}
