import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { isObject, type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { assign, isAssigned } from '../accounts/assign.ts';
import { type Account, type Principal, removedKey, removedObjects } from '../accounts/collections.ts';
import { setEntitlements } from '../accounts/entitlements.ts';
import { addPrincipal, byObject, identitiesChanged, lockIdentities, newPrincipal } from '../accounts/principals.ts';
import type { PlatformCall } from '../jar.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { changeMembers, joinGroups } from './change-members.ts';
import { checkLogin, type Draft, readDraft, valuesIn } from './draft.ts';
import { invalid } from './errors.ts';
import { MemberEdit } from './member-edit.ts';
import { named, nameTaken } from './names.ts';
import { placeIn, type ScimPlace } from './place.ts';
import { recordChange } from './record.ts';

/** Maximum number of members of a group. */
const MOST_MEMBERS = 100_000;

export function membersIn(body: unknown): JsonMembers {
  if (isObject(body)) return body as JsonMembers;
  throw invalid('invalidSyntax', 'Could not parse request object: the body must be an object.');
}

export const memberIds = (body: JsonMembers): readonly string[] => valuesIn(body, 'members', MOST_MEMBERS);

/** Creates a resource. In a workspace, a user or service principal that already exists in the account is assigned instead. */
export async function createResource(call: PlatformCall, kind: Principal['kind']): Promise<Principal> {
  const { jar } = call;
  const place = placeIn(call, kind);
  const body = membersIn(call.body);
  const draft = readDraft(place, body);
  checkLogin(draft);
  const members = MemberEdit.replacing(kind === 'group' ? memberIds(body) : []);
  const found = await directoryObject(jar, place.account, draft);
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, place.account.id);
    // A directory object has at most one principal, even if the account has renamed the principal.
    const objectId = found !== undefined && (await byObject(tx, place.account.id, found)) ? undefined : found;
    const known = await findTaken(tx, place, draft);
    const principal = known ?? (await addPrincipal(tx, jar, drawn(jar, place, draft, objectId)));
    if (objectId !== undefined) await tx.delete(removedObjects, removedKey(place.account.id, objectId));
    const placed = await putInPlace(tx, jar, place, principal, draft);
    await joinGroups(tx, jar, place, placed, draft.groups);
    if (kind === 'group') await changeMembers(tx, jar, place, placed, members);
    await identitiesChanged(tx, jar, place.account.id);
    await recordChange(tx, jar, place, 'create', placed);
    return placed;
  });
}

/** The existing user or service principal, which only has to be assigned to the workspace. Throws if the name is taken. */
async function findTaken(tx: Tx, place: ScimPlace, draft: Draft): Promise<Principal | undefined> {
  const { workspace, kind } = place;
  const name = draft[RESOURCE_KINDS[kind].login];
  if (name === undefined) return undefined;
  const known = await named(tx, place, name, kind === 'group' ? workspace?.id : undefined);
  if (!known || (kind !== 'group' && workspace && !isAssigned(known, workspace.id))) return known;
  throw nameTaken(place, name);
}

function drawn(jar: Pick<Jar, 'clock'>, place: ScimPlace, draft: Draft, objectId: string | undefined): Principal {
  const { account, workspace, kind } = place;
  const { entitlements: _, groups: __, roles, active = true, ...attributes } = draft;
  const usual =
    kind === 'servicePrincipal'
      ? { applicationId: draft.applicationId ?? uuid() }
      : kind === 'user'
        ? { displayName: draft.displayName ?? draft.userName, emails: draft.emails ?? usualEmails(draft.userName) }
        : {};
  return omitAbsent({
    ...newPrincipal(jar.clock.now()),
    ...attributes,
    ...usual,
    accountId: account.id,
    kind,
    objectId,
    workspaceId: kind === 'group' ? workspace?.id : undefined,
    // A workspace deactivates a principal only in that workspace, not in the account.
    ...(workspace ? (active ? {} : { inactiveIn: [workspace.id] }) : { active, roles }),
  });
}

/** The default mail address of a user. */
export const usualEmails = (userName = ''): NonNullable<Principal['emails']> => [
  { value: userName, type: 'work', primary: true },
];

async function putInPlace(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  { workspace, kind }: ScimPlace,
  principal: Principal,
  { entitlements, roles }: Draft,
): Promise<Principal> {
  if (!workspace) return principal;
  await setEntitlements(tx, workspace, principal, { entitlements, roles });
  return kind === 'group' ? principal : assign(tx, jar, principal, workspace);
}

/** The id of the matching directory object, so that calls with directory tokens act as the principal. */
async function directoryObject(
  { directory }: Jar,
  { tenantId }: Account,
  { userName, applicationId }: Draft,
): Promise<string | undefined> {
  const isHere = (it: { readonly tenantId: string }): boolean => it.tenantId.toLowerCase() === tenantId.toLowerCase();
  const lower = (text: string | undefined): string | undefined => text?.toLowerCase();
  if (userName !== undefined) {
    const user = await directory.findUser(userName);
    return user && lower(user.username) === lower(userName) && isHere(user) ? user.id : undefined;
  }
  if (applicationId === undefined) return undefined;
  const application = await directory.findApplication(applicationId);
  return application && lower(application.id) === lower(applicationId) && isHere(application)
    ? application.objectId
    : undefined;
}
