import { ok } from '../../../kernel/http/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { isAdminOf, isMemberOf, nameOf as principalNameOf } from '../access/standing.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall } from '../jar.ts';
import { type Principal, type PrincipalKind, type RuleSet, ruleSetKey, ruleSets } from './collections.ts';
import { byLogin, principalOf, principalsOf } from './principals.ts';
import { ASSIGNABLE_ROLES, GROUP_MANAGER, hasRole, SERVICE_PRINCIPAL_MANAGER } from './roles.ts';

/** Rule sets: role assignments on the account, a group or a service principal. Each resource has one rule set, named `default`. */

/** The resource that a rule set belongs to. */
interface Resource {
  readonly type: keyof typeof ASSIGNABLE_ROLES;
  readonly accountId: string;
  /** Set for a group or service principal. */
  readonly principal?: Principal;
}

const RESOURCE = /^accounts\/([^/]{1,100})(?:\/(groups|servicePrincipals)\/([^/]{1,100}))?$/;
const SUFFIX = '/ruleSets/default';
const MOST_RULES = 100;
const MOST_PRINCIPALS = 1000;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** A service principal is named by its application id, or in the older form by its id. */
async function resourceNamed(reader: Reader, call: PlatformCall, name: string): Promise<Resource> {
  const [, account, collection, id = ''] = RESOURCE.exec(name) ?? [];
  const { id: accountId } = accountIn(call);
  if (account === undefined)
    throw invalid(`'${name.slice(0, 200)}' does not name an account, a group or a service principal.`);
  const missing = () => errors.RESOURCE_DOES_NOT_EXIST({ reason: `${name.slice(0, 200)} does not exist.` });
  if (account.toLowerCase() !== accountId) throw missing();
  if (collection === undefined) return { type: 'account', accountId };
  const type = collection === 'groups' ? 'group' : 'servicePrincipal';
  const principal =
    (type === 'servicePrincipal' ? await byLogin(reader, accountId, type, id) : undefined) ??
    (await principalOf(reader, accountId, id));
  if (principal?.kind !== type || principal.workspaceId !== undefined) throw missing();
  return { type, accountId, principal };
}

const resourceOfRuleSet = (reader: Reader, call: PlatformCall, name: string): Promise<Resource> => {
  if (!name.endsWith(SUFFIX))
    throw invalid(`'${name.slice(0, 200)}' is not the name of a rule set; names end in ${SUFFIX}.`);
  return resourceNamed(reader, call, name.slice(0, -SUFFIX.length));
};

/** Allows account administrators, managers of the resource and, for service principals of a workspace, its administrators. */
async function requireManager(call: PlatformCall, { type, principal }: Resource): Promise<void> {
  const standing = callerIdentity(call);
  const { store } = call.jar;
  if (standing.isAccountAdmin) return;
  const role = type === 'group' ? GROUP_MANAGER : SERVICE_PRINCIPAL_MANAGER;
  if (principal && (await hasRole(store, standing, principal.id, role))) return;
  const { workspace } = call.facts;
  if (workspace && type === 'servicePrincipal' && principal && isAdminOf(standing, workspace)) {
    const theirs = await call.jar.callerIdentities.of(principal.accountId, principal.id);
    if (theirs && isMemberOf(theirs, workspace)) return;
  }
  throw errors.PERMISSION_DENIED({
    reason: `The caller does not manage the ${type} and is not an administrator of the account.`,
  });
}

const COLLECTIONS: Readonly<Record<string, PrincipalKind>> = {
  users: 'user',
  groups: 'group',
  servicePrincipals: 'servicePrincipal',
};
const PATHS: Readonly<Record<PrincipalKind, string>> = {
  user: 'users',
  group: 'groups',
  servicePrincipal: 'servicePrincipals',
};

async function readRules(reader: Reader, sent: Sent, { type, accountId }: Resource): Promise<RuleSet['rules']> {
  const list = sent.list('grant_rules') ?? [];
  if (list.length > MOST_RULES) throw invalid(`The field 'grant_rules' must have at most ${MOST_RULES} entries.`);
  const rules = new Map<string, Set<string>>();
  for (const rule of list) {
    const role = rule.need('role');
    if (!ASSIGNABLE_ROLES[type].includes(role))
      throw invalid(
        `'${role.slice(0, 100)}' is not a role on this resource; it must be one of ${ASSIGNABLE_ROLES[type].join(', ')}.`,
      );
    const names = rule.texts('principals') ?? [];
    if (names.length > MOST_PRINCIPALS)
      throw invalid(`The field 'principals' must have at most ${MOST_PRINCIPALS} entries.`);
    const ids = rules.get(role) ?? new Set();
    rules.set(role, ids);
    for (const name of names) ids.add((await principalNamed(reader, accountId, name)).id);
  }
  return [...rules].map(([role, ids]) => ({ role, principals: [...ids] }));
}

async function principalNamed(reader: Reader, accountId: string, name: string): Promise<Principal> {
  const slash = name.indexOf('/');
  const kind = Object.hasOwn(COLLECTIONS, name.slice(0, slash)) ? COLLECTIONS[name.slice(0, slash)] : undefined;
  if (!kind)
    throw invalid(
      `'${name.slice(0, 200)}' must have the form users/<name>, groups/<name> or servicePrincipals/<application id>.`,
    );
  const found = await byLogin(reader, accountId, kind, name.slice(slash + 1));
  if (!found) throw invalid(`There is no principal '${name.slice(0, 200)}' in the account.`);
  return found;
}

function nameOf({ accountId, principal }: Resource): string {
  const end = principal ? `/${PATHS[principal.kind]}/${principal.applicationId ?? principal.id}` : '';
  return `accounts/${accountId}${end}${SUFFIX}`;
}

/** The etag of a rule set that has never been changed. */
const UNSET = 'unset';

async function view(reader: Reader, resource: Resource) {
  const { accountId, principal } = resource;
  const stored = await reader.get(ruleSets, ruleSetKey({ accountId, ...(principal && { principal: principal.id }) }));
  const rules = stored?.value.rules ?? [];
  const known = await principalsOf(reader, accountId, new Set(rules.flatMap(({ principals }) => principals)));
  const shown = (id: string): readonly string[] => {
    const found = known.get(id);
    return found ? [`${PATHS[found.kind]}/${principalNameOf(found)}`] : [];
  };
  return {
    name: nameOf(resource),
    etag: stored?.etag ?? UNSET,
    grant_rules: rules.map(({ role, principals }) => ({ role, principals: principals.flatMap(shown) })),
  };
}

export async function getRuleSet(call: PlatformCall) {
  const { store } = call.jar;
  const resource = await resourceOfRuleSet(store, call, new Sent(call.query).need('name'));
  await requireManager(call, resource);
  return ok(await view(store, resource));
}

/** Replaces all rules. The request must have the etag that was read: of two concurrent changes, the second is refused. */
export async function updateRuleSet(call: PlatformCall) {
  const { jar } = call;
  const sent = new Sent(call.body);
  const given = sent.member('rule_set');
  if (!given) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'rule_set' });
  const name = sent.text('name') || given.need('name');
  const etag = given.need('etag');
  const resource = await resourceOfRuleSet(jar.store, call, name);
  await requireManager(call, resource);
  const rules = await readRules(jar.store, given, resource);
  const { accountId, principal } = resource;
  const own = { accountId, ...(principal && { principal: principal.id }) };
  const key = ruleSetKey(own);
  return jar.store.transact(async (tx) => {
    await tx.lock(`platform.rule-set:${key}`);
    const before = await tx.get(ruleSets, key);
    if (etag !== (before?.etag ?? UNSET))
      throw errors.ABORTED({
        reason: `The rule set ${nameOf(resource)} has changed in the meantime. Read it again and retry.`,
      });
    await tx.put(ruleSets, key, { ...own, rules });
    await tx.change({
      source: 'platform',
      kind: 'update',
      subject: `/${nameOf(resource)}`,
      outcome: 'Succeeded',
      at: jar.clock.now(),
      data: { kind: 'rule-set', by: callerIdentity(call).principal.id },
    });
    return ok(await view(tx, resource));
  });
}

export async function listAssignableRoles(call: PlatformCall) {
  const { type } = await resourceNamed(call.jar.store, call, new Sent(call.query).need('resource'));
  return ok({ roles: ASSIGNABLE_ROLES[type].map((role) => ({ name: role })) });
}
