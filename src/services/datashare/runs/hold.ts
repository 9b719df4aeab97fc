import type { Tx } from '../../../kernel/store/index.ts';
import { type Mapping, mappings, ownedKey, type Run, runs } from '../collections.ts';

/**
 * What every transaction of a run holds, so that nothing is written for what is gone: whoever deletes it waits for the transaction, and
 * removes afterwards all that belonged to it.
 */

/** The run, or the mapping that it copies by, was deleted. */
export class Gone extends Error {
  readonly what: 'run' | 'mapping';

  constructor(what: Gone['what']) {
    super(`the ${what} was deleted while the synchronization was under way`);
    this.what = what;
  }
}

/** Whoever has lost its lease writes nothing more: another node is at it. */
export async function holdRun(tx: Tx, { subscription, id, holder }: Run): Promise<void> {
  const run = (await tx.get(runs, ownedKey(subscription, id), 'share'))?.value;
  if (!run) throw new Gone('run');
  if (run.holder !== holder) throw new Error(`the synchronization '${id}' was taken over by another node`);
}

/** What was copied by a mapping is forgotten with it. */
export async function holdMapping(tx: Tx, { subscription, name, uid }: Mapping): Promise<void> {
  const mapping = (await tx.get(mappings, ownedKey(subscription, name), 'share'))?.value;
  if (mapping?.uid !== uid) throw new Gone('mapping');
}
