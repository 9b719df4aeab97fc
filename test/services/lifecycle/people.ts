import { fileURLToPath } from 'node:url';
import type { Bench } from '../../support/jars.ts';
import { by, type Person } from './support.ts';

/** A jar that starts with an app of `owner` and one of the organization `acme`, and with users in every role. */
export const SEED = fileURLToPath(new URL('./seed.json', import.meta.url));

/** A seeded user by name. */
export const seeded = (bench: Bench, name: string): Person => {
  const token = `seeded-token-of-${name}`;
  return { name, email: `${name}@vendor.example`, token, call: by(bench, token) };
};
