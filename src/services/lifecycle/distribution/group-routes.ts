import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { routeCode } from '../jar.ts';
import { DisplayName } from '../orgs/shape.ts';
import { changeGroup, findGroup, listGroups, makeGroup, removeGroup } from './groups.ts';
import type { Place } from './places.ts';
import { Addresses, GroupName, GroupView, groupView, TesterResult, TesterView } from './shape.ts';
import { addTesters, inviteAgain, listTesters, removeTesters } from './testers.ts';

type PlaceOf = (call: Pick<Call, 'facts' | 'correlationId'>) => Place;

/** The statuses that differ between the two kinds of owners, as in the real service. */
interface Statuses {
  readonly list: 200 | 201;
  readonly delete: 200 | 204;
  /** A 200 includes the result per address. */
  readonly remove: 200 | 204;
}

/** The operations on groups, shared by apps and organizations. */
export const groupRoutes = (placeOf: PlaceOf, statuses: Statuses) => ({
  list: routeCode([], {
    responses: { [statuses.list]: Type.Array(GroupView) },
    async handle(call) {
      const groups = await listGroups(call.jar.store, placeOf(call));
      return { status: statuses.list, body: groups.map(groupView) };
    },
  }),

  create: routeCode([], {
    body: Type.Object({ name: GroupName, display_name: Type.Optional(DisplayName) }),
    responses: { 201: GroupView },
    async handle(call) {
      const { name, display_name: displayName = null } = call.body;
      return created(groupView(await makeGroup(call.jar, placeOf(call), { name, displayName })));
    },
  }),

  get: routeCode(['distribution_group_name'], {
    responses: { 200: GroupView },
    async handle(call) {
      return ok(groupView(await findGroup(call.jar.store, placeOf(call), call.params.distribution_group_name)));
    },
  }),

  update: routeCode(['distribution_group_name'], {
    body: Type.Object({ name: Type.Optional(GroupName), is_public: Type.Optional(Type.Boolean()) }),
    responses: { 200: GroupView },
    async handle(call) {
      const name = call.params.distribution_group_name;
      return ok(groupView(await changeGroup(call.jar, placeOf(call), name, call.body)));
    },
  }),

  delete: routeCode(['distribution_group_name'], {
    responses: { [statuses.delete]: 'Deleted' },
    async handle(call) {
      await removeGroup(call.jar, placeOf(call), call.params.distribution_group_name);
      return { status: statuses.delete };
    },
  }),

  listMembers: routeCode(['distribution_group_name'], {
    query: Type.Object({ exclude_pending_invitations: Type.Optional(Type.Boolean()) }),
    responses: { 200: Type.Array(TesterView) },
    async handle(call) {
      const group = await findGroup(call.jar.store, placeOf(call), call.params.distribution_group_name);
      return ok(await listTesters(call, group, call.query.exclude_pending_invitations !== true));
    },
  }),

  addMembers: routeCode(['distribution_group_name'], {
    body: Addresses,
    responses: { 200: Type.Array(TesterResult) },
    async handle(call) {
      const name = call.params.distribution_group_name;
      return ok(await addTesters(call.jar, placeOf(call), name, call.body.user_emails));
    },
  }),

  removeMembers: routeCode(['distribution_group_name'], {
    body: Addresses,
    responses: statuses.remove === 200 ? { 200: Type.Array(TesterResult) } : { 204: 'Removed' },
    async handle(call) {
      const name = call.params.distribution_group_name;
      const outcomes = await removeTesters(call.jar, placeOf(call), name, call.body.user_emails);
      return statuses.remove === 200 ? ok(outcomes) : noContent();
    },
  }),

  resendInvitations: routeCode(['distribution_group_name'], {
    body: Addresses,
    responses: { 204: 'Invited again' },
    async handle(call) {
      const name = call.params.distribution_group_name;
      await inviteAgain(call.jar, placeOf(call), name, call.body.user_emails);
      return noContent();
    },
  }),
});
