import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, type Filter, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { byName } from '../../../kernel/values/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { errors } from '../errors.ts';
import { DISTRIBUTION_GROUPS } from '../limits.ts';
import { type DistributionGroup, distributionGroups } from './collections.ts';
import { dropGroup, subjectOfGroup } from './drop-groups.ts';
import type { Place } from './places.ts';

/** The owner's groups; for an app also its shared groups. */
const groupsOf = ({ of }: Place): Filter =>
  of.kind === 'org'
    ? eq('ofId', of.id)
    : { op: 'or', args: [eq('ofId', of.id), { op: 'has', field: 'appIds', value: of.id }] };

export async function listGroups(reader: Reader, place: Place): Promise<DistributionGroup[]> {
  const groups = (await readAll(reader, distributionGroups, { filter: groupsOf(place) })).map(({ value }) => value);
  return groups.sort(byName);
}

async function groupOfName(reader: Reader, place: Place, name: string): Promise<DistributionGroup | undefined> {
  const filter: Filter = { op: 'and', args: [groupsOf(place), eq('name', name.toLowerCase())] };
  return (await reader.query(distributionGroups, { filter, limit: 1 })).items[0]?.value;
}

export async function findGroup(reader: Reader, place: Place, name: string): Promise<DistributionGroup> {
  const group = await groupOfName(reader, place, name);
  if (group) return group;
  throw errors.NotFound({ reason: `There is no distribution group '${name.slice(0, 100)}' in ${place.title}.` });
}

/** Locks a group of the owner until the transaction ends. */
export async function holdGroup(tx: Tx, place: Place, name: string): Promise<DistributionGroup> {
  await place.hold(tx);
  const { id, of } = await findGroup(tx, place, name);
  if (of.id !== place.of.id) {
    const reason = `The distribution group '${name}' belongs to the organization and can only be changed there.`;
    throw errors.Forbidden({ reason });
  }
  return (await tx.get(distributionGroups, id))?.value ?? findGroup(tx, place, name);
}

/** Spaces are allowed; characters that cannot be in a URL path are not. */
const GROUP_NAME = /^(?!\s|\.{1,2}$)[^\p{Cc}\p{Cs}/\\]+(?<!\s)$/u;

function checkGroupName(name: string): void {
  if (GROUP_NAME.test(name)) return;
  const reason = `The name '${name.slice(0, 60)}' is not valid: it must have no slashes, no control characters and no spaces at its ends, and must not consist of dots only.`;
  throw errors.BadRequest({ reason }, { target: 'name' });
}

/** The name must be free for the owner and, for a shared group, in the apps that share it. */
async function requireFreeName(tx: Tx, place: Place, name: string, group?: DistributionGroup): Promise<void> {
  const { appIds = [] } = group ?? {};
  const inApps: Filter = { op: 'in', field: 'ofId', values: appIds };
  const where: Filter = appIds.length === 0 ? groupsOf(place) : { op: 'or', args: [groupsOf(place), inApps] };
  const filter: Filter = { op: 'and', args: [where, eq('name', name.toLowerCase())] };
  const { items } = await tx.query(distributionGroups, { filter, limit: 2 });
  if (items.every(({ key }) => key === group?.id)) return;
  const reason = `A distribution group '${name}' already exists in ${place.title}.`;
  throw errors.Conflict({ reason }, { target: 'name' });
}

export interface WantedGroup {
  readonly name: string;
  readonly displayName: string | null;
}

export function makeGroup(jar: Jar, place: Place, { name, displayName }: WantedGroup): Promise<DistributionGroup> {
  checkGroupName(name);
  const createdAt = new Date(jar.clock.now()).toISOString();
  const { of } = place;
  const group: DistributionGroup = { id: uuid(), of, name, displayName, isPublic: false, appIds: [], createdAt };
  return jar.store.transact(async (tx) => {
    await place.hold(tx);
    await requireFreeName(tx, place, name);
    if (of.kind === 'app') await countGroup(tx, jar, place);
    await putGroup(tx, jar, group);
    return group;
  });
}

async function countGroup(tx: Tx, { limits }: Jar, { of, title }: Place): Promise<void> {
  const decision = await limits.takeQuota(tx, { limit: DISTRIBUTION_GROUPS, scope: [of.id] });
  if (decision.allowed) return;
  throw errors.BadRequest({
    reason: `There are ${decision.current} distribution groups in ${title}, which is the maximum.`,
  });
}

export async function putGroup(tx: Tx, jar: Jar, group: DistributionGroup): Promise<void> {
  await tx.put(distributionGroups, group.id, group);
  await recordChange(tx, jar, 'write', subjectOfGroup(group), { name: group.name });
}

/** The properties of a group that can be changed. */
export interface GroupPatch {
  readonly name?: string;
  readonly is_public?: boolean;
}

export function changeGroup(jar: Jar, place: Place, groupName: string, patch: GroupPatch): Promise<DistributionGroup> {
  if (patch.name !== undefined) checkGroupName(patch.name);
  return jar.store.transact(async (tx) => {
    const before = await holdGroup(tx, place, groupName);
    const { name = before.name, is_public: isPublic = before.isPublic } = patch;
    await requireFreeName(tx, place, name, before);
    const after: DistributionGroup = { ...before, name, isPublic };
    await putGroup(tx, jar, after);
    return after;
  });
}

export const removeGroup = (jar: Jar, place: Place, groupName: string): Promise<void> =>
  jar.store.transact(async (tx) => dropGroup(tx, jar, await holdGroup(tx, place, groupName)));
