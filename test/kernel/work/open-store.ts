import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { collections } from './harness.ts';

/** Opens the store at a file or at the address of a PostgreSQL database. */
export function openStore(location: string): Promise<Store> {
  if (location.startsWith('postgres://')) return openPostgres({ collections, url: location });
  return openSqlite({ collections, file: location });
}
