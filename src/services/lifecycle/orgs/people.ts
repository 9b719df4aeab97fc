import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import { eq, type Reader, readAll } from '../../../kernel/store/index.ts';
import { byName } from '../../../kernel/values/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { isSelf } from '../access/standing.ts';
import { recordChange } from '../accounts/changes.ts';
import { findUsers, userByName } from '../accounts/find-people.ts';
import { type Org, type OrgMember, orgMembers, pair, type User } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { ORG_ROLES } from '../roles.ts';
import { lockPeople, requireOrgRole } from './current-rights.ts';
import { keepAnAdmin, removeMember } from './remove-member.ts';
import { MemberView, memberView } from './shape.ts';

export const listPeople = routeCode([], {
  responses: { 200: Type.Array(MemberView) },
  async handle(call) {
    const { store } = call.jar;
    const members = await readAll(store, orgMembers, { filter: eq('orgId', orgOf(call).id) });
    const byUser = new Map(members.map(({ value }) => [value.userId, value]));
    const people = await findUsers(store, [...byUser.keys()]);
    const views = people.map((user) => memberView(user, byUser.get(user.id) as OrgMember));
    return ok(views.sort(byName));
  },
});

export const getPerson = routeCode(['user_name'], {
  responses: { 200: MemberView },
  async handle(call) {
    const { user, member } = await findMember(call.jar.store, orgOf(call), call.params.user_name);
    return ok(memberView(user, member));
  },
});

export const updateRole = routeCode(['user_name'], {
  body: Type.Object({ role: Type.Enum([...ORG_ROLES]) }),
  responses: { 200: MemberView },
  async handle(call) {
    const { jar, body, params } = call;
    const org = orgOf(call);
    const { user, member } = await jar.store.transact(async (tx) => {
      await lockPeople(tx, org.id);
      await requireOrgRole(tx, call, 'admin');
      const found = await findMember(tx, org, params.user_name);
      if (found.member.role === body.role) return found;
      await keepAnAdmin(tx, found.member, found.user.name);
      const member: OrgMember = { ...found.member, role: body.role };
      await tx.put(orgMembers, pair(org.id, found.user.id), member);
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${org.id}/users/${found.user.id}`, { role: body.role });
      return { ...found, member };
    });
    return ok(memberView(user, member));
  },
});

export const removePerson = routeCode(['user_name'], {
  responses: { 204: 'Removed' },
  async handle(call) {
    const { jar, params } = call;
    const org = orgOf(call);
    const isLeaving = isSelf(userOf(call), 'user_name', params.user_name);
    await jar.store.transact(async (tx) => {
      await lockPeople(tx, org.id);
      await requireOrgRole(tx, call, isLeaving ? 'member' : 'admin');
      const { user, member } = await findMember(tx, org, params.user_name);
      await keepAnAdmin(tx, member, user.name);
      await removeMember(tx, jar, member);
    });
    return noContent();
  },
});

export interface FoundMember {
  readonly user: User;
  readonly member: OrgMember;
}

export async function findMember(reader: Reader, org: Org, userName: string): Promise<FoundMember> {
  const user = await userByName(reader, userName);
  const member = user && (await reader.get(orgMembers, pair(org.id, user.id)))?.value;
  if (user && member) return { user, member };
  throw notAMember(org, userName);
}

export const notAMember = ({ name }: Org, who: string) =>
  errors.NotFound({ reason: `'${who.slice(0, 100)}' is not a member of the organization '${name}'.` });
