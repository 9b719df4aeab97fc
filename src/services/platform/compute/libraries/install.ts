import type { Tx } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { errors } from '../../errors.ts';
import type { PlatformJar } from '../../jar.ts';
import { majorOf } from '../catalog.ts';
import { keyOf } from '../clusters/find.ts';
import {
  type Cluster,
  type ClusterLibraries,
  type ClusterLibrary,
  clusterLibraries,
  clusters,
  type LibraryStatus,
} from '../collections.ts';
import { type MachineStep, machineMs } from '../timing.ts';
import { STEP_LIBRARIES, workId } from '../work.ts';
import { identity } from './read.ts';

/** Libraries of a cluster and the progress of their installation, driven by the clock. */

type ClockJar = Pick<PlatformJar, 'clock' | 'config'>;

const MOST_LIBRARIES = 500;

/** The next status, and the duration of the current one. */
const NEXT: Readonly<Partial<Record<LibraryStatus, { readonly status: LibraryStatus; readonly after: MachineStep }>>> =
  {
    PENDING: { status: 'RESOLVING', after: 'libraryResolve' },
    RESOLVING: { status: 'INSTALLING', after: 'libraryDownload' },
    INSTALLING: { status: 'INSTALLED', after: 'libraryInstall' },
  };

const takesLibraries = ({ state }: Cluster): boolean => state === 'RUNNING' || state === 'RESIZING';

export const librariesOf = async (tx: Pick<Tx, 'get'>, cluster: Cluster): Promise<ClusterLibraries> =>
  (await tx.get(clusterLibraries, keyOf(cluster)))?.value ?? {
    workspaceId: cluster.workspaceId,
    clusterId: cluster.id,
    libraries: [],
  };

/** A library in one of these states restarts from the beginning when it is installed again. */
const RETRIED: ReadonlySet<LibraryStatus> = new Set(['FAILED', 'SKIPPED', 'UNINSTALL_ON_RESTART']);

/** Adds libraries. An existing library stays as it is, unless it failed or is marked for removal. */
export async function installLibraries(
  tx: Tx,
  jar: ClockJar,
  cluster: Cluster,
  wanted: readonly JsonMembers[],
): Promise<void> {
  const held = await librariesOf(tx, cluster);
  const byIdentity = new Map(held.libraries.map((each) => [identity(each.library), each]));
  for (const library of wanted) {
    const there = byIdentity.get(identity(library));
    if (there?.status === 'UNINSTALL_ON_RESTART' && there.isThere)
      byIdentity.set(identity(library), { library, status: 'INSTALLED', messages: [] });
    else if (!there || RETRIED.has(there.status))
      byIdentity.set(identity(library), { library, status: 'PENDING', messages: [] });
  }
  if (byIdentity.size > MOST_LIBRARIES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A cluster can have at most ${MOST_LIBRARIES} libraries.` });
  await tx.put(clusterLibraries, keyOf(cluster), { ...held, libraries: [...byIdentity.values()] });
  await beginInstalling(tx, jar, cluster);
}

/** Marks libraries for removal at the next restart. On a terminated cluster they are removed immediately. */
export async function uninstallLibraries(tx: Tx, cluster: Cluster, unwanted: readonly JsonMembers[]): Promise<void> {
  const held = await librariesOf(tx, cluster);
  const gone = new Set(unwanted.map(identity));
  const libraries = held.libraries.flatMap((each): ClusterLibrary[] => {
    if (!gone.has(identity(each.library))) return [each];
    if (!takesLibraries(cluster)) return [];
    const isThere = each.status === 'INSTALLED' || each.isThere === true;
    return [{ library: each.library, status: 'UNINSTALL_ON_RESTART', messages: [], ...(isThere && { isThere }) }];
  });
  await tx.put(clusterLibraries, keyOf(cluster), { ...held, libraries });
}

/** In the transaction that starts or restarts a cluster: a new driver has no libraries installed. */
export async function resetLibraries(tx: Tx, key: string): Promise<void> {
  const held = (await tx.get(clusterLibraries, key))?.value;
  await tx.cancel(workId(STEP_LIBRARIES, key));
  if (!held) return;
  const libraries = held.libraries
    .filter(({ status }) => status !== 'UNINSTALL_ON_RESTART')
    .map(({ library }): ClusterLibrary => ({ library, status: 'PENDING', messages: [] }));
  await tx.put(clusterLibraries, key, { ...held, libraries });
}

/** Starts the installation of waiting libraries once the cluster runs. */
export async function beginInstalling(tx: Tx, jar: ClockJar, cluster: Cluster): Promise<void> {
  if (!takesLibraries(cluster)) return;
  const key = keyOf(cluster);
  const held = (await tx.get(clusterLibraries, key))?.value;
  const now = jar.clock.now();
  const libraries = held?.libraries.map((each) =>
    each.status === 'PENDING' && each.nextAt === undefined
      ? { ...each, nextAt: now + machineMs(jar, 'libraryResolve') }
      : each,
  );
  if (!held || !libraries) return;
  await tx.put(clusterLibraries, key, { ...held, libraries });
  await scheduleNext(tx, key, libraries);
}

async function scheduleNext(tx: Tx, key: string, libraries: readonly ClusterLibrary[]): Promise<void> {
  const times = libraries.flatMap(({ nextAt }) => nextAt ?? []);
  if (times.length > 0) await tx.schedule(STEP_LIBRARIES.at(Math.min(...times), { key }, workId(STEP_LIBRARIES, key)));
}

export const stepLibraries = workHandler(STEP_LIBRARIES, async (item, jar: PlatformJar) => {
  const { key } = item.payload;
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const cluster = (await tx.get(clusters, key))?.value;
    const held = (await tx.get(clusterLibraries, key))?.value;
    if (!cluster || !held || !takesLibraries(cluster)) return;
    const now = jar.clock.now();
    const libraries = held.libraries.map((each) =>
      each.nextAt !== undefined && each.nextAt <= now ? stepped(jar, each, cluster) : each,
    );
    await tx.put(clusterLibraries, key, { ...held, libraries });
    await scheduleNext(tx, key, libraries);
  });
});

function stepped(jar: ClockJar, { library, status }: ClusterLibrary, cluster: Cluster): ClusterLibrary {
  const next = NEXT[status];
  if (!next) return { library, status, messages: [] };
  const problem = next.status === 'INSTALLING' ? problemOf(library, cluster) : undefined;
  if (problem !== undefined) return { library, status: 'FAILED', messages: [problem] };
  if (next.status === 'INSTALLING' && isOfOtherScala(library, cluster))
    return { library, status: 'SKIPPED', messages: [OTHER_SCALA] };
  const after = NEXT[next.status];
  return {
    library,
    status: next.status,
    messages: [],
    ...(after && { nextAt: jar.clock.now() + machineMs(jar, after.after) }),
  };
}

const OTHER_SCALA =
  'Library installation was skipped: the library is built for another Scala version than the cluster has.';

/** The names of an artifact such as `kafka_2.11` and of the runtime (`16.4.x-scala2.12`) contain their Scala versions. */
function isOfOtherScala({ maven }: JsonMembers, { attributes }: Cluster): boolean {
  const coordinates = isObject(maven) ? String(maven.coordinates) : '';
  const built = /_(2\.1[0-3]):/.exec(coordinates)?.[1];
  const runs = /scala(2\.\d+)/.exec(String(attributes.spark_version))?.[1];
  return built !== undefined && runs !== undefined && built !== runs;
}

const FILE =
  /^(?:dbfs:\/|s3a?:\/\/|abfss?:\/\/|wasbs?:\/\/|gs:\/\/|https?:\/\/|file:\/|\/(?:Workspace|Volumes|dbfs)\/)/;
const LAST_WITH_EGGS = 13;
const COORDINATES = /^[^:\s]+:[^:\s]+:[^:\s]+$/;

/** Reason why a library cannot be installed, as far as its name tells. Nothing is downloaded. */
function problemOf({ jar, egg, whl, requirements, maven }: JsonMembers, { attributes }: Cluster): string | undefined {
  if (egg !== undefined && majorOf(String(attributes.spark_version)) > LAST_WITH_EGGS)
    return `Library installation failed: egg files are not supported from Databricks Runtime ${LAST_WITH_EGGS + 1} on.`;
  const file = jar ?? egg ?? whl ?? requirements;
  if (typeof file === 'string' && !FILE.test(file))
    return `Library resolution failed: '${file.slice(0, 200)}' is not the location of a file.`;
  const coordinates =
    typeof maven === 'object' && maven !== null && 'coordinates' in maven ? maven.coordinates : undefined;
  if (typeof coordinates === 'string' && !COORDINATES.test(coordinates))
    return `Library resolution failed: '${coordinates.slice(0, 200)}' are not coordinates of the form group:artifact:version.`;
  return undefined;
}
