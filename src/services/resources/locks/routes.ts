import { Type } from 'typebox';
import {
  type ArmFacts,
  atScope,
  canonicalCasedId,
  deleteLock,
  gatewayErrors,
  groupPath,
  type Lock,
  type LockLevel,
  listPage,
  lockKey,
  locks,
  mutate,
  putLock,
  resourceGroups,
  resources,
  type Subscription,
  scopeKeyOf,
  systemDataAfter,
  wholeId,
  withCasedPrefix,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { type Answer, created, noContent, ok, type Route } from '../../../kernel/http/index.ts';
import { LIST_QUERY } from '../../../kernel/odata/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';
import { gatewayApiErrors } from '../errors.ts';
import { type Place, placeOf } from '../scopes.ts';
import { LOCK_VERSIONS } from './versions.ts';

const LIST = '/{scope}/providers/Vendor.Authorization/locks';
const ONE = `${LIST}/{lockName}` as const;
const TYPE = 'Vendor.Authorization/locks';

const MOST_NAME = 260;
const MOST_NOTES = 512;
const MOST_OWNERS = 50;
// biome-ignore lint/suspicious/noControlCharactersInRegex: names are refused that have any
const NOT_IN_NAMES = /[<>%&:\\?/\u0000-\u001f\u007f]/;

const LEVELS: ReadonlyMap<string, LockLevel> = new Map([
  ['cannotdelete', 'CanNotDelete'],
  ['readonly', 'ReadOnly'],
]);

const text = Type.String();
const Owners = Type.Array(Type.Object({ applicationId: text }));
const Body = Type.Object({
  properties: Type.Object({
    level: text,
    notes: Type.Optional(Type.Union([text, Type.Null()])),
    owners: Type.Optional(Type.Union([Owners, Type.Null()])),
  }),
});
const LockSchema = Type.Object({
  properties: Type.Object({ level: text, notes: Type.Optional(text), owners: Type.Optional(Owners) }),
  id: text,
  type: text,
  name: text,
  systemData: Type.Optional(Type.Object({ createdAt: text, lastModifiedAt: text })),
});
const LockListSchema = Type.Object({ value: Type.Array(LockSchema), nextLink: Type.Optional(text) });

const common = {
  resourceType: TYPE,
  versions: LOCK_VERSIONS.of('locks'),
  isAboutLocks: true,
} as const;

/** Locks of a subscription, a group, a resource or a child resource. The gateway step `checkLocks` enforces them. */
export const lockRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'PUT',
    path: ONE,
    shows: 'one',
    operation: 'ManagementLocks_CreateOrUpdateByScope',
    summary: 'Creates or updates a lock at a scope',
    action: `${TYPE}/write`,
    body: Body,
    responses: { 200: LockSchema, 201: LockSchema },
    async handle(call, arm): Promise<Answer> {
      const name = checkName(call.params.lockName);
      const properties = readProperties(call.body.properties);
      const { key, scope } = addressed(call, arm);
      const { subscriptionId } = arm.subscription as Subscription;
      const { lock, isNew } = await mutate(call, async (tx) => {
        await holdScope(tx, arm, await placeOf(call, arm, tx));
        return putLock(tx, call.jar, subscriptionId, key, (before) => ({
          subscriptionId,
          scope: before?.scope ?? scope,
          name: before?.name ?? name,
          ...properties,
          systemData: systemDataAfter(call, before?.systemData),
        }));
      });
      const view = lockView({ ...lock, scope }, arm.prefix);
      return isNew ? created(view) : ok(view);
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: ONE,
    shows: 'one',
    operation: 'ManagementLocks_GetByScope',
    summary: 'One lock',
    action: `${TYPE}/read`,
    responses: { 200: LockSchema },
    async handle(call, arm) {
      const { key, scope } = addressed(call, arm);
      const found = (await call.jar.store.get(locks, key))?.value;
      if (!found) {
        const spoken = withCasedPrefix(scope, arm.prefix);
        throw gatewayApiErrors.LockNotFound({ name: call.params.lockName, scope: spoken });
      }
      return ok(lockView({ ...found, scope }, arm.prefix));
    },
  }),
  armRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    operation: 'ManagementLocks_DeleteByScope',
    summary: 'Deletes a lock: 200, or 204 if it does not exist',
    action: `${TYPE}/delete`,
    responses: { 200: 'Removed', 204: 'There is none' },
    async handle(call, arm) {
      const { key } = addressed(call, arm);
      const { subscriptionId } = arm.subscription as Subscription;
      const wasThere = await mutate(call, (tx) => deleteLock(tx, call.jar, subscriptionId, key));
      return wasThere ? { status: 200 } : noContent();
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: LIST,
    shows: 'list',
    operation: 'ManagementLocks_ListByScope',
    summary: 'The locks at a scope and below it; with $filter=atScope(), the locks at the scope and above it',
    action: `${TYPE}/read`,
    query: Type.Object(LIST_QUERY),
    responses: { 200: LockListSchema },
    handle(call, arm) {
      const scopeKey = scopeKeyOf(requireScope(call, arm), call.jar.config.namespace);
      const { $filter = '', ...query } = call.query;
      const source = onlyAtScope($filter) ? { filter: atScope(scopeKey) } : { prefix: `${scopeKey}/` };
      return listPage(call, locks, { ...source, query }, (lock) => lockView(lock, arm.prefix));
    },
  }),
];

/** Locks the document of the scope, so that it cannot be deleted concurrently: the gateway's check ran before the transaction. */
async function holdScope(tx: Tx, { group: found }: ArmFacts, { kind, key, type, isChild }: Place): Promise<void> {
  const name = found?.name ?? '';
  if (found) {
    const group = (await tx.get(resourceGroups, groupPath(found.subscriptionId, name).toLowerCase(), 'share'))?.value;
    if (!group) throw gatewayErrors.ResourceGroupNotFound({ group: name });
    if (group.provisioningState === 'Deleting') throw gatewayErrors.ResourceGroupBeingDeleted({ group: name });
  }
  if (kind !== 'resource' || isChild || (await tx.get(resources, key, 'share'))) return;
  throw gatewayErrors.ResourceNotFound({ type, name: key.slice(key.lastIndexOf('/') + 1), group: name });
}

type ScopeCall = Call<{ readonly scope: string }, unknown>;

function requireScope(call: ScopeCall, arm: ArmFacts): string {
  const scope = wholeId(call.params.scope);
  if (!arm.subscription) throw gatewayApiErrors.InvalidScope({ scope });
  return scope;
}

function addressed(call: Call<{ readonly scope: string; readonly lockName: string }, unknown>, arm: ArmFacts) {
  const aliases = call.jar.config.namespace;
  const scope = canonicalCasedId(requireScope(call, arm), aliases);
  return { scope, key: lockKey(scopeKeyOf(scope, aliases), call.params.lockName) };
}

/** The only filter that lists of locks support. */
function onlyAtScope(filter: string): boolean {
  const words = filter.replace(/\s/g, '').toLowerCase();
  if (words === '' || words === 'atscope()') return words !== '';
  throw gatewayErrors.InvalidFilterInQueryString(
    { reason: "lists of locks support only 'atScope()'." },
    { target: '$filter' },
  );
}

function checkName(name: string): string {
  const reason = name.length > MOST_NAME ? `it is longer than ${MOST_NAME} characters.` : undefined;
  const problem =
    reason ?? (NOT_IN_NAMES.test(name) ? 'it has one of < > % & : \\ ? / or a control character.' : undefined);
  if (problem !== undefined)
    throw gatewayErrors.InvalidResourceName(
      { name: name.slice(0, MOST_NAME), reason: problem },
      { target: 'lockName' },
    );
  return name;
}

type SentLock = { level: string; notes?: string | null; owners?: { applicationId: string }[] | null };

function readProperties({ level, notes, owners }: SentLock): Pick<Lock, 'level' | 'notes' | 'owners'> {
  const known = LEVELS.get(level.toLowerCase());
  if (!known) throw gatewayApiErrors.InvalidLockLevel({ level }, { target: 'properties.level' });
  if (notes != null && notes.length > MOST_NOTES) {
    const values = { maximum: MOST_NOTES, length: notes.length };
    throw gatewayApiErrors.InvalidLockNotes(values, { target: 'properties.notes' });
  }
  if (owners && owners.length > MOST_OWNERS) {
    const values = { maximum: MOST_OWNERS, count: owners.length };
    throw gatewayApiErrors.InvalidLockOwners(values, { target: 'properties.owners' });
  }
  return {
    level: known,
    ...(notes != null && { notes }),
    ...(owners && { owners: owners.map(({ applicationId }) => ({ applicationId })) }),
  };
}

function lockView({ scope, name, level, notes, owners, systemData }: Lock, prefix: string): Record<string, Json> {
  return {
    properties: { level, ...(notes !== undefined && { notes }), ...(owners && { owners }) },
    id: `${withCasedPrefix(scope, prefix)}/providers/${withPrefix(TYPE, prefix)}/${name}`,
    type: withPrefix(TYPE, prefix),
    name,
    systemData,
  };
}
