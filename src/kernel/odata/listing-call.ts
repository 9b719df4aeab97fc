import type { Vault } from '../auth/vault.ts';
import type { HttpJar } from '../http/jar.ts';
import type { Call } from '../http/route.ts';
import type { Reader } from '../store/types.ts';

/** What lists need of the jar: where their items are, and what seals their skip tokens. */
export interface ListingJar extends HttpJar {
  readonly store: Reader;
  readonly vault: Vault;
}

/** What a list needs of a call: a request of its own, or one that came inside of another. */
export type ListingCall = Pick<Call, 'query' | 'headers' | 'path' | 'receivedAt' | 'origin' | 'url'> & {
  readonly jar: ListingJar;
};
