import type { Vault } from '../auth/vault.ts';
import type { HttpJar } from '../http/jar.ts';
import type { Call } from '../http/route.ts';
import type { Reader } from '../store/types.ts';

/** The part of the jar that lists need: the source of items, and the vault that seals skip tokens. */
export interface ListingJar extends HttpJar {
  readonly store: Reader;
  readonly vault: Vault;
}

/** The part of a call that a list needs: of a request, or of a part of a batch request. */
export type ListingCall = Pick<Call, 'query' | 'headers' | 'path' | 'receivedAt' | 'origin' | 'url'> & {
  readonly jar: ListingJar;
};
