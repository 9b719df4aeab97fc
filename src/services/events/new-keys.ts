import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../kernel/store/index.ts';

const KEY_BYTES = 32;

export const newKey = (vault: Pick<Sealer, 'seal'>): string => vault.seal(randomBytes(KEY_BYTES).toString('base64'));

/** Access keys of a topic or a domain, sealed for the store. */
export const newKeys = (vault: Pick<Sealer, 'seal'>) => ({ key1: newKey(vault), key2: newKey(vault) });
