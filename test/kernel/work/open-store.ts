import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { collections } from './harness.ts';

/** Opens the store at a file or at the address of a PostgreSQL database. */
export function openStore(location: string): Promise<Store> {
  return openSqlite({ collections, file: location });
}
