import { Vault } from '../../src/kernel/auth/index.ts';

/** The keys of a jar that does not exist. */
export const withRandomKey = () => ({ vault: Vault.withRandomKey(), adminKey: 'another' });
