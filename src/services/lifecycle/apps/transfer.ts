import { ok } from '../../../kernel/http/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { accessOf, userOf } from '../access/access.ts';
import { findOwner } from '../access/find.ts';
import { orgRoleOf, tokenStandingOf } from '../access/standing.ts';
import { recordChange } from '../accounts/changes.ts';
import { claimAppName, countApp, makeOrg, putAppMember, putOrgMember } from '../accounts/make.ts';
import { OrgView, orgView } from '../accounts/views.ts';
import {
  type App,
  appMembers,
  appNames,
  apps,
  nameKey,
  type Owner,
  orgMembers,
  orgs,
  owners,
  pair,
} from '../collections.ts';
import { leaveSharedGroups } from '../distribution/drop-groups.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { APP_TEAMS, APPS } from '../limits.ts';
import { lockPeople } from '../orgs/current-rights.ts';
import { orgRank } from '../roles.ts';
import { holdApp } from './current-rights.ts';
import { AppView, appView } from './shape.ts';

/** To the caller, or to an organization in which the caller is at least a collaborator. */
export const transferApp = routeCode(['destination_owner_name'], {
  responses: { 200: AppView },
  async handle(call) {
    const { jar, params } = call;
    const name = params.destination_owner_name;
    const named = await findOwner(jar.store, name);
    const seen = await jar.store.transact(async (tx) => {
      if (named?.kind === 'org') await lockPeople(tx, named.id);
      const destination = await checkDestination(tx, call, named, name);
      const { app: before } = await holdApp(tx, call, 'administrator');
      if (before.owner.id === destination.id) {
        throw errors.BadRequest({ reason: `The app '${before.name}' already belongs to '${name}'.` });
      }
      const app = await changeOwner(tx, jar, before, destination);
      return { app, standing: await tokenStandingOf(tx, app, accessOf(call).token) };
    });
    return ok(await appView(call, seen));
  },
});

async function checkDestination(
  tx: Tx,
  call: Pick<Call, 'facts'>,
  destination: Owner | undefined,
  name: string,
): Promise<Owner> {
  const { id: userId } = userOf(call);
  if (destination?.kind === 'user') {
    if (destination.id === userId) return destination;
    throw errors.Forbidden({
      reason: 'An app can be transferred to the caller, or to an organization of which the caller is a member.',
    });
  }
  const isThere = destination && (await tx.get(orgs, destination.id, 'share'));
  const role = isThere && (await orgRoleOf(tx, destination, userId));
  if (!destination || !role)
    throw errors.NotFound({
      reason: `There is no owner '${name.slice(0, 100)}' to which the caller can transfer an app.`,
    });
  if (orgRank(role) >= orgRank('collaborator')) return destination;
  throw errors.Forbidden({
    reason: `A transfer requires the role collaborator in the organization, and yours is ${role}.`,
  });
}

/** To a new organization created for the app; the caller becomes its admin. */
export const transferAppToNewOrg = routeCode([], {
  responses: { 200: OrgView },
  async handle(call) {
    const { jar } = call;
    const createdAt = new Date(jar.clock.now()).toISOString();
    const org = await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'administrator');
      const wanted = { name: await freeName(tx, app.name), displayName: app.displayName };
      const made = await makeOrg(tx, jar, wanted, userOf(call).id, createdAt);
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${made.id}`, { name: made.name });
      await changeOwner(tx, jar, app, { kind: 'org', id: made.id });
      return made;
    });
    return ok(orgView(org, call));
  },
});

const MOST_TRIES = 100;
/** Leaves room for a numeric suffix within the maximum name length. */
const LONGEST_STEM = 95;

/** The name of the app if it is free, otherwise with the first free number as a suffix. */
async function freeName(tx: Tx, wanted: string): Promise<string> {
  const stem = wanted.slice(0, LONGEST_STEM);
  for (let number = 0; number < MOST_TRIES; number++) {
    const name = number === 0 ? stem : `${stem}-${number}`;
    if (!(await tx.get(owners, name.toLowerCase()))) return name;
  }
  throw errors.Conflict({ reason: `The name '${wanted}' and its numbered variants are taken.` });
}

/** Id, secret and collaborators stay. The app loses its links to the old organization: team roles and shared distribution groups. */
async function changeOwner(tx: Tx, jar: Jar, before: App, owner: Owner): Promise<App> {
  const updatedAt = new Date(jar.clock.now()).toISOString();
  const { id, name, teams } = before;
  await countApp(tx, jar, owner);
  await claimAppName(tx, owner, name, id);
  await tx.delete(appNames, nameKey(before.owner.id, name));
  await jar.limits.freeQuota(tx, { limit: APPS, scope: [before.owner.id] });
  await jar.limits.freeQuota(tx, { limit: APP_TEAMS, scope: [id], count: teams.length });
  await leaveSharedGroups(tx, id);
  const app: App = { ...before, owner, teams: [], updatedAt };
  await tx.put(apps, id, app);
  if (owner.kind === 'user')
    await putAppMember(tx, { appId: id, userId: owner.id, role: 'manager', joinedAt: updatedAt });
  else await joinCollaborators(tx, jar, id, { orgId: owner.id, joinedAt: updatedAt });
  await recordChange(tx, jar, 'action', `lifecycle/apps/${id}`, { action: 'transfer', owner: { ...owner } });
  return app;
}

/** A collaborator on an organization's app must be at least a member of the organization. */
async function joinCollaborators(
  tx: Tx,
  jar: Jar,
  appId: string,
  { orgId, joinedAt }: { readonly orgId: string; readonly joinedAt: string },
): Promise<void> {
  for (const { value } of await readAll(tx, appMembers, { filter: eq('appId', appId) })) {
    const { userId } = value;
    if (await tx.get(orgMembers, pair(orgId, userId))) continue;
    await putOrgMember(tx, jar, { orgId, userId, role: 'member', joinedAt });
  }
}
