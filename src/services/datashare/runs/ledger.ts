import type { Tx } from '../../../kernel/store/index.ts';
import type { Mapping } from '../collections.ts';
import type { DataShareJar } from '../jar.ts';
import { removeLater } from '../model/removals.ts';

/** What was copied by a mapping is remembered file by file; that may be a lot, so it is forgotten by and by. */
export async function forgetMapping(tx: Tx, { uid }: Pick<Mapping, 'uid'>, { clock }: DataShareJar): Promise<void> {
  await removeLater(tx, { of: 'mapping', uid }, clock.now());
}
