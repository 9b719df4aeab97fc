import { hash, randomBytes } from 'node:crypto';

export const TOKEN_PREFIX = 'dapi';
const SECRET_BYTES = 16;
/** A longer one is none of ours, and is not even hashed. */
const LONGEST_TOKEN = 200;

/** `dapi` and 32 hexadecimal digits. */
export const newTokenValue = (): string => TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('hex');

/** The id of a token follows from its value, and is the key under which the token is stored. Undefined: no token has this value. */
export const tokenIdOf = (value: string): string | undefined =>
  value.length > LONGEST_TOKEN ? undefined : hash('sha256', value, 'hex');
