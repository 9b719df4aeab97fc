import type { Tx } from '../../../kernel/store/index.ts';
import type { Mapping } from '../collections.ts';
import { draftPrefix, forgetLedger } from '../copying/index.ts';
import type { DataShareJar } from '../jar.ts';
import { placeOf } from '../model/kinds.ts';
import { removeLater } from '../model/removals.ts';
import { StorageProblem } from '../storage/index.ts';
import type { Remains } from '../work.ts';

/** A mapping's ledger has one entry per file and can be large, so due work removes it. */
export async function forgetMapping(
  tx: Tx,
  { uid, kind, properties }: Mapping,
  { clock }: DataShareJar,
  operation?: string,
): Promise<void> {
  const account = placeOf(kind, properties)?.account;
  const known = { ...(operation !== undefined && { operation }), ...(account !== undefined && { account }) };
  await removeLater(tx, { of: 'mapping', uid, ...known }, clock.now());
}

/** Removes the ledger of a mapping and the drafts of unfinished large files. Finished files stay. */
export async function forgetCopies({ store, storage, log }: DataShareJar, { uid, account }: Remains): Promise<void> {
  await forgetLedger(store, uid);
  if (account === undefined) return;
  try {
    await storage.account(account).forgetDrafts(draftPrefix(uid));
  } catch (error) {
    if (!(error instanceof StorageProblem)) throw error;
    log.warn({ account, err: error }, 'drafts of a deleted mapping could not be removed');
  }
}
