import type { Tx } from '../../../kernel/store/index.ts';
import { type Mapping, mappings, ownedKey, type Run, runs } from '../collections.ts';

/**
 * Locks taken by every transaction of a run, so that nothing is written for deleted documents: a deletion waits for the transaction and
 * then removes everything that belongs to the document.
 */

/** Thrown if the run or its mapping was deleted. */
export class DeletedDuringRun extends Error {
  readonly what: 'run' | 'mapping';

  constructor(what: DeletedDuringRun['what']) {
    super(`the ${what} was deleted during the synchronization`);
    this.what = what;
  }
}

/** A worker that has lost its lease writes nothing more, because another node executes the run. */
export async function holdRun(tx: Tx, { subscription, id, holder }: Run): Promise<void> {
  const run = (await tx.get(runs, ownedKey(subscription, id), 'share'))?.value;
  if (!run) throw new DeletedDuringRun('run');
  if (run.holder !== holder) throw new Error(`the synchronization '${id}' was taken over by another node`);
}

/** The ledger of a mapping is deleted together with it. */
export async function holdMapping(tx: Tx, { subscription, name, uid }: Mapping): Promise<void> {
  const mapping = (await tx.get(mappings, ownedKey(subscription, name), 'share'))?.value;
  if (mapping?.uid !== uid) throw new DeletedDuringRun('mapping');
}
