import { sha256 } from '../../../kernel/auth/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Sealer } from '../../../kernel/store/index.ts';

const KEY_LENGTH = 32;

/** Under which a key is kept and looked up. */
export const idOfKey = (secret: string): string => sha256(secret);

/** The secret of a seeded key: the same after every reset and on every node, and no other jar's. */
export const seededSecret = (vault: Pick<Sealer, 'deriveKey'>, name: string): string =>
  vault.deriveKey(`translator key ${name}`).toString('hex').slice(0, KEY_LENGTH);

export const newSecret = (): string => uuid().replaceAll('-', '');
