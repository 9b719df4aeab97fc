import type { Reader, Stored } from '../../../kernel/store/types.ts';
import { type Token, tokens } from '../collections.ts';
import { imprintOf, sameProof } from './secrets.ts';

/** Whose token has this secret, if anybody's. Asks the store each time: a token that was deleted on any node is gone on all of them. */
export async function findToken(store: Pick<Reader, 'get'>, secret: string): Promise<Stored<Token> | undefined> {
  const { key, proof } = imprintOf(secret);
  const found = await store.get(tokens, key, 'none');
  return found !== undefined && sameProof(found.value.proof, proof) ? found : undefined;
}
