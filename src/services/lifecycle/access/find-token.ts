import type { Store } from '../../../kernel/store/types.ts';
import { type HeldToken, tokens } from '../collections.ts';
import { imprintOf, sameProof } from './secrets.ts';
import { tokenIndexOf } from './token-index.ts';

/**
 * Whose token has this secret, if anybody's. On SQLite memory knows all of them. Where there may be other nodes the store is asked each
 * time: a token that was deleted on any of them is gone on all.
 */
export function findToken(store: Store, secret: string): HeldToken | undefined | Promise<HeldToken | undefined> {
  const { id, proof } = imprintOf(secret);
  const held = tokenIndexOf(store)?.find({ id, proof }) ?? (store.engine === 'sqlite' ? undefined : 'unknown');
  return held === 'unknown' ? readToken(store, id, proof) : held;
}

async function readToken(store: Store, id: string, proof: string): Promise<HeldToken | undefined> {
  const token = (await store.get(tokens, id))?.value;
  return token !== undefined && sameProof(token.proof, proof) ? token : undefined;
}
