import { sha256 } from '../../../kernel/auth/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Sealer } from '../../../kernel/store/index.ts';

const KEY_LENGTH = 32;

/** Id under which a key is stored and looked up. */
export const idOfKey = (secret: string): string => sha256(secret);

/** Secret of a seeded key: the same after every reset and on every node, different in every jar. */
export const seededSecret = (vault: Pick<Sealer, 'deriveKey'>, name: string): string =>
  vault.deriveKey(`translator key ${name}`).toString('hex').slice(0, KEY_LENGTH);

export const newSecret = (): string => uuid().replaceAll('-', '');
