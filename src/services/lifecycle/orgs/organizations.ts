import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import { eq, readAll, type Store, type Tx } from '../../../kernel/store/index.ts';
import { byName } from '../../../kernel/values/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { holdAccount } from '../accounts/current-account.ts';
import { claimName, makeOrg, releaseName } from '../accounts/make.ts';
import { checkName, nameFor } from '../accounts/names.ts';
import { OrgView, orgView } from '../accounts/views.ts';
import { type Org, orgMembers, orgs } from '../collections.ts';
import { gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import type { OrgRole } from '../roles.ts';
import { lockPeople, requireOrgRole } from './current-rights.ts';
import { dropOrg } from './drop-org.ts';
import { DisplayName, ListedOrg, listedOrg } from './shape.ts';

/** The organizations in which the user has any role, or this role; sorted by name. */
async function orgsOf(store: Store, userId: string, role?: OrgRole): Promise<Org[]> {
  const memberships = await readAll(store, orgMembers, { filter: eq('userId', userId) });
  const wanted = memberships.filter(({ value }) => role === undefined || value.role === role);
  const found = await Promise.all(wanted.map(({ value }) => store.get(orgs, value.orgId)));
  return found.flatMap((stored) => (stored ? [stored.value] : [])).sort(byName);
}

export const listOrgs = routeCode([], {
  responses: { 200: Type.Array(ListedOrg) },
  handle: async (call) => ok((await orgsOf(call.jar.store, userOf(call).id)).map(listedOrg)),
});

export const listAdministeredOrgs = routeCode([], {
  responses: { 200: Type.Object({ organizations: Type.Array(OrgView) }) },
  async handle(call) {
    const administered = await orgsOf(call.jar.store, userOf(call).id, 'admin');
    return ok({ organizations: administered.map((org) => orgView(org, call)) });
  },
});

export const createOrg = routeCode([], {
  body: Type.Object({ display_name: DisplayName, name: Type.Optional(Type.String()) }),
  responses: { 201: OrgView },
  async handle(call) {
    const { jar, body } = call;
    const { display_name: displayName, name = nameFor(displayName) } = body;
    const createdAt = new Date(jar.clock.now()).toISOString();
    const org = await jar.store.transact(async (tx) => {
      const { id: adminId } = await holdAccount(tx, userOf(call).id);
      const made = await makeOrg(tx, jar, { name, displayName }, adminId, createdAt);
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${made.id}`, { name });
      return made;
    });
    return created(orgView(org, call));
  },
});

export const getOrg = routeCode([], {
  responses: { 200: OrgView },
  handle: (call) => ok(orgView(orgOf(call), call)),
});

export const updateOrg = routeCode([], {
  body: Type.Object({ display_name: Type.Optional(DisplayName), name: Type.Optional(Type.String()) }),
  responses: { 200: OrgView },
  async handle(call) {
    const { jar, body } = call;
    const { id } = orgOf(call);
    if (body.name !== undefined) checkName(body.name);
    const updatedAt = new Date(jar.clock.now()).toISOString();
    const org = await jar.store.transact(async (tx) => {
      await requireOrgRole(tx, call, 'admin');
      const before = (await tx.get(orgs, id))?.value;
      if (!before) throw gateway.notFound(call);
      const { name = before.name, display_name: displayName = before.displayName } = body;
      if (name === before.name && displayName === before.displayName) return before;
      if (name !== before.name) await moveName(tx, before, name);
      const after: Org = { ...before, name, displayName, updatedAt };
      await tx.put(orgs, id, after);
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${id}`, { name });
      return after;
    });
    return ok(orgView(org, call));
  },
});

/** Apps refer to the owner's id, so their URLs follow the new name. */
async function moveName(tx: Tx, { id, name: before }: Org, after: string): Promise<void> {
  await claimName(tx, after, { kind: 'org', id });
  if (after.toLowerCase() !== before.toLowerCase()) await releaseName(tx, before);
}

export const deleteOrg = routeCode([], {
  responses: { 204: 'Deleted' },
  async handle(call) {
    const { jar } = call;
    const { id } = orgOf(call);
    await jar.store.transact(async (tx) => {
      await lockPeople(tx, id);
      await requireOrgRole(tx, call, 'admin');
      const org = (await tx.get(orgs, id))?.value;
      if (!org) throw gateway.notFound(call);
      await dropOrg(tx, jar, org);
    });
    return noContent();
  },
});
