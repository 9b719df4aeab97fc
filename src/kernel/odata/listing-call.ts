import type { Vault } from '../auth/vault.ts';
import type { HttpJar } from '../http/jar.ts';
import type { Call } from '../http/route.ts';
import type { Store } from '../store/types.ts';

/** What lists need of the jar: where their items are, and what seals their skip tokens. */
export interface ListingJar extends HttpJar {
  readonly store: Store;
  readonly vault: Vault;
}

export type ListingCall = Call<Call['params'], Call['query'], unknown, ListingJar>;
