import { hash, randomBytes } from 'node:crypto';

export const TOKEN_PREFIX = 'dapi';
const SECRET_BYTES = 16;
/** A longer value cannot be a token of this service and is not hashed. */
const LONGEST_TOKEN = 200;

/** `dapi` and 32 hexadecimal digits. */
export const newTokenValue = (): string => TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('hex');

/**
 * The id of a token is derived from its value, and is the key under which the token is stored. Returns undefined if no token can have this
 * value.
 */
export const tokenIdOf = (value: string): string | undefined =>
  value.length > LONGEST_TOKEN ? undefined : hash('sha256', value, 'hex');
