import type { Store } from '../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS, wallNow } from '../../kernel/time/index.ts';
import { usedLinks } from './collections.ts';
import { issuePass, type Pass, type PassKeys, type Role, readPass } from './passes.ts';

export const CONSOLE_PATH = '/console';

/** Long enough to hand the link to somebody else; a new one costs one command. */
export const LINK_LIFETIME_MS = HOUR_MS;
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;

/** Clocks of nodes that share a database may differ by this much. */
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;
const MOST_FORGOTTEN = 100;

export interface ConsoleLink {
  /** Path and fragment. Browsers do not send the fragment, so no log and no `Referer` contains the code. */
  readonly path: string;
  readonly expiresAt: number;
}

/** `page` is a path in the console: `requests`. */
export function makeLink(keys: PassKeys, role: Role, page = ''): ConsoleLink {
  const expiresAt = wallNow() + LINK_LIFETIME_MS;
  const code = issuePass(keys, 'link', { role, expiresAt });
  return { path: `${CONSOLE_PATH}/${page}#enter=${code}`, expiresAt };
}

export type Redeemed = Pass | 'unknown' | 'expired' | 'used';

interface RedeemOptions {
  readonly store: Store;
  readonly keys: PassKeys;
  /** When this jar was started, by the system's clock. */
  readonly startedAt: number;
}

/** Marks the code as used; of several concurrent attempts only one succeeds. */
export async function redeemCode(code: string, { store, keys, startedAt }: RedeemOptions): Promise<Redeemed> {
  const pass = readPass(keys, 'link', code);
  if (!pass) return 'unknown';
  if (pass.expiresAt <= wallNow()) return 'expired';
  // A jar in memory with configured keys does not know which links were used before its start.
  if (store.isInMemory && pass.expiresAt - LINK_LIFETIME_MS < startedAt) return 'expired';
  return store.transact(async (tx) => {
    await tx.lock(`console link ${pass.id}`);
    if (await tx.get(usedLinks, pass.id)) return 'used';
    await tx.put(usedLinks, pass.id, { expiresAt: pass.expiresAt });
    const over = { op: 'lt', field: 'expiresAt', value: wallNow() - CLOCKS_DIFFER_MS } as const;
    const { items } = await tx.query(usedLinks, { filter: over, limit: MOST_FORGOTTEN });
    for (const { key } of items) await tx.delete(usedLinks, key);
    return pass;
  });
}
