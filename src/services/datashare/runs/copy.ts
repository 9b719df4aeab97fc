import { readCached } from '../../../kernel/store/index.ts';
import { type Mapping, mappings, ownedKey, type Run, type RunDataSet, runDataSets } from '../collections.ts';
import { sourceOf } from '../consumers/mapping.ts';
import { type CopyTally, type CopyTask, type CopyWatch, copyFiles, forgetProgress, tallyOf } from '../copying/index.ts';
import type { DataShareJar } from '../jar.ts';
import { type Place, placeOf } from '../model/kinds.ts';
import { cachedReader } from '../model/places.ts';
import { StorageProblem } from '../storage/index.ts';
import { DeletedDuringRun, holdMapping } from './hold.ts';
import { messagesOf } from './messages.ts';

/** Executes a run for one data set. */

const NOTHING = { filesRead: 0, filesWritten: 0, sizeRead: 0, sizeWritten: 0 };

/** Returns false if the run was stopped. Problems with the data are the result of this data set, not errors of the program. */
export async function copyDataSet(jar: DataShareJar, run: Run, mapping: Mapping, watch: CopyWatch): Promise<boolean> {
  const { store, clock } = jar;
  const key = ownedKey(run.id, mapping.dataSetId);
  const source = await sourceOf(store, mapping);
  const before = (await store.get(runDataSets, key))?.value;
  const begun: RunDataSet = {
    dataSetId: mapping.dataSetId,
    // The mapping's name is not shown, because the provider sees this name.
    name: source?.name ?? before?.name ?? mapping.dataSetKey.slice(mapping.dataSetKey.indexOf('/') + 1),
    kind: source?.kind ?? mapping.kind,
    status: 'InProgress',
    startTime: before?.startTime ?? clock.now(),
    ...NOTHING,
    // The current mapping, which may have changed since an earlier attempt was killed.
    mapping: mapping.uid,
  };
  await store.transact(async (tx) => {
    await watch.guard?.(tx);
    await tx.put(runDataSets, key, begun);
  });
  const task = source && taskOf(run, mapping, placeOf(source.kind, source.properties));
  const result = source ? await outcomeOf(jar, begun, task, watchOf(jar, mapping, watch)) : NO_SOURCE;
  const ended = result ?? ((await watch.proceed()) ? await whyStopped(jar, mapping, task) : undefined);
  if (!ended) return false;
  const endTime = clock.now();
  await store.transact(async (tx) => {
    await watch.guard?.(tx);
    await tx.put(runDataSets, key, { ...begun, ...ended, endTime, durationMs: endTime - begun.startTime });
    if (task) await forgetProgress(tx, task);
  });
  return true;
}

const NO_SOURCE: Outcome = { status: 'Failed', message: 'The provider removed the data set from the share.' };
const NO_MAPPING: Outcome = {
  status: 'Failed',
  message: 'The mapping was deleted or changed during the synchronization.',
};

/**
 * The watch for one data set: also stops if the provider removes the data set from the share, or the consumer deletes or changes the
 * mapping.
 */
const watchOf = (jar: DataShareJar, mapping: Mapping, { proceed, guard }: CopyWatch): CopyWatch => ({
  proceed: async () => (await proceed()) && (await reasonToStop(jar, mapping)) === undefined,
  async guard(tx) {
    await guard?.(tx);
    await holdMapping(tx, mapping);
  },
});

async function reasonToStop({ store }: DataShareJar, mapping: Mapping): Promise<Outcome | undefined> {
  const now = (await readCached(store, mappings, ownedKey(mapping.subscription, mapping.name)))?.value;
  if (now?.uid !== mapping.uid) return NO_MAPPING;
  return (await sourceOf(cachedReader(store), mapping)) ? undefined : NO_SOURCE;
}

/** The reason why only this data set was stopped, with the counts until then. */
async function whyStopped(
  jar: DataShareJar,
  mapping: Mapping,
  task: CopyTask | undefined,
): Promise<Outcome | undefined> {
  const reason = await reasonToStop(jar, mapping);
  const tally = task && (await tallyOf(jar.store, task));
  return reason && { ...reason, ...(tally && countsOf(tally)) };
}

/** The copy task of a mapping. Returns undefined for kinds that do not consist of files. */
function taskOf(run: Run, mapping: Mapping, from: Place | undefined): CopyTask | undefined {
  const to = placeOf(mapping.kind, mapping.properties);
  if (!from || !to) return undefined;
  const select = from.isFile ? { file: from.path } : { folder: from.path };
  return {
    ledger: mapping.uid,
    run: run.id,
    mode: run.mode,
    from: { account: from.account, container: from.container, select },
    to: { account: to.account, container: to.container, ...targetOf(to) },
  };
}

/** A mapping to a file defines the file name; all other mappings name a folder. */
function targetOf({ path, isFile }: Place): Pick<CopyTask['to'], 'folder' | 'file'> {
  if (!isFile) return { folder: path };
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, slash)), file: path.slice(slash + 1) };
}

type Outcome = Pick<RunDataSet, 'status' | 'message' | 'providerMessage'> & Partial<typeof NOTHING>;

async function outcomeOf(
  { store, storage, pieces }: DataShareJar,
  { kind }: RunDataSet,
  task: CopyTask | undefined,
  watch: CopyWatch,
): Promise<Outcome | undefined> {
  if (!task)
    return {
      status: 'Failed',
      message: `Data sets of the kind '${kind}' can be shared, but this service does not copy them.`,
    };
  try {
    const { ended, tally } = await copyFiles(task, { store, storage, watch, pieces });
    return ended === 'stopped' ? undefined : { status: 'Succeeded', ...countsOf(tally), ...noteOf(tally) };
  } catch (error) {
    if (error instanceof DeletedDuringRun && error.what === 'mapping') return undefined;
    if (!(error instanceof StorageProblem)) throw error;
    // Stopping a run also cancels its requests to blob storage, so their failure says nothing about the data.
    if (!(await watch.proceed())) return undefined;
    // Files copied before the failure stay at the target and are counted.
    const tally = await tallyOf(store, task);
    return { status: 'Failed', ...messagesOf(error, task), ...(tally && countsOf(tally)) };
  }
}

const countsOf = ({ filesRead, filesWritten, sizeRead, sizeWritten }: CopyTally): typeof NOTHING => ({
  filesRead,
  filesWritten,
  sizeRead,
  sizeWritten,
});

const noteOf = ({ entriesSkipped: count }: CopyTally): { readonly message?: string } =>
  count === 0 ? {} : { message: `Source entries skipped because they are links or not files: ${count}.` };
