import { type Change, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { workspaces } from '../../accounts/collections.ts';
import { holds, visibilityOf } from '../../catalog/core/access.ts';
import { type Chain, chainById, fullNameOf } from '../../catalog/core/chain.ts';
import { metastoreAssignments } from '../../catalog/core/collections.ts';
import { metastoreIdOf } from '../../catalog/core/metastore.ts';
import { membersOf, numberOf, textOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobs } from '../collections.ts';
import { type CatalogEvent, type CatalogWatch, catalogWatches, modelPlace, tablePlace } from './collections.ts';
import { nextLook } from './notice.ts';
import { CHECK_CATALOG, catalogCheckId } from './work.ts';

/** A catalog change as an event for triggers of jobs. */
interface Happened {
  readonly event: CatalogEvent;
  /** The id of the table or model. */
  readonly id: string;
  readonly places: readonly string[];
  readonly alias?: string;
  readonly version?: number;
}

/** Called in the transaction of a change: schedules a check of the triggers that watch this table or model. */
export async function noticeCatalog(
  tx: Tx,
  jar: Pick<PlatformJar, 'clock' | 'callerIdentities'>,
  change: Pick<Change, 'source' | 'kind' | 'data'>,
): Promise<void> {
  const happened = change.source === 'platform' ? happenedBy(change) : undefined;
  if (!happened) return;
  const filter = { op: 'in', field: 'place', values: happened.places } as const;
  const found = (await readAll(tx, catalogWatches, { filter })).filter(({ value }) => fits(value, happened));
  if (found.length === 0) return;
  const chain = await chainById(tx, happened.id);
  if (!chain) return;
  const name = fullNameOf(chain);
  const at = jar.clock.now();
  // Sorted to lock in a fixed order: two changes may affect the same watches.
  for (const { key } of found.sort((one, other) => (one.key < other.key ? -1 : 1))) {
    const watch = (await tx.get(catalogWatches, key))?.value;
    if (!watch || (watch.event === 'TABLE_UPDATED' && watch.name !== name)) continue;
    if (!(await sees(tx, jar, watch, chain))) continue;
    const { version } = happened;
    await tx.put(catalogWatches, key, { ...watch, seen: { at, ...(version !== undefined && { version }) } });
    const trigger = key.slice(0, key.lastIndexOf('/'));
    await tx.wake(CHECK_CATALOG.at(nextLook(at), { job: watch.job, trigger }, catalogCheckId(trigger)));
  }
}

/** Events of models by kind of change record. */
const MODEL_EVENTS: Readonly<Record<string, CatalogEvent>> = {
  create: 'MODEL_CREATED',
  finalizeVersion: 'MODEL_VERSION_READY',
  setAlias: 'MODEL_ALIAS_SET',
};

function happenedBy({ kind, data }: Pick<Change, 'kind' | 'data'>): Happened | undefined {
  const about = membersOf(data);
  const id = textOf(about.id) ?? '';
  if (kind === 'commit' && about.kind === 'table') {
    // A commit that changes only columns or properties does not update data.
    if (!numberOf(about.added) && !numberOf(about.removed)) return undefined;
    const version = numberOf(about.version);
    const places = [tablePlace(textOf(about.name) ?? '')];
    return { event: 'TABLE_UPDATED', id, places, ...(version !== undefined && { version }) };
  }
  const event = about.kind === 'registered_model' ? MODEL_EVENTS[kind] : undefined;
  if (event === undefined) return undefined;
  const alias = textOf(about.alias);
  return { event, id, places: placesAbove(textOf(about.fullName) ?? ''), ...(alias !== undefined && { alias }) };
}

/** The metastore, the catalog, the schema and the model itself. */
function placesAbove(fullName: string): readonly string[] {
  const parts = fullName.split('.');
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('.'))].map(modelPlace);
}

const fits = ({ event, aliases }: CatalogWatch, happened: Happened): boolean =>
  event === happened.event && (aliases === undefined || aliases.includes(happened.alias ?? ''));

/**
 * Returns true if the workspace of the job uses this metastore, and the principal that the job runs as may read the table or see the model.
 */
async function sees(
  tx: Tx,
  { callerIdentities }: Pick<PlatformJar, 'callerIdentities'>,
  { workspaceId, accountId, job: ofJob, event }: CatalogWatch,
  chain: Chain,
): Promise<boolean> {
  const assigned = (await tx.get(metastoreAssignments, workspaceId, 'none'))?.value;
  const workspace = assigned ? undefined : (await tx.get(workspaces, workspaceId, 'none'))?.value;
  const metastore = assigned ? assigned.metastore : workspace && metastoreIdOf(accountId, workspace.region);
  if (metastore !== chain.target.metastore) return false;
  const job = (await tx.get(jobs, ofJob, 'none'))?.value;
  const standing = job && (await callerIdentities.within(tx, accountId, job.runAs));
  if (!standing || visibilityOf(standing, chain) !== 'full') return false;
  return event !== 'TABLE_UPDATED' || holds(standing, chain, 'SELECT');
}
