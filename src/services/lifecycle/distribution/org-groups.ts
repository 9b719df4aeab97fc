import { groupRoutes } from './group-routes.ts';
import { orgPlace } from './places.ts';

export const {
  list: listOrgGroups,
  create: createOrgGroup,
  get: getOrgGroup,
  update: updateOrgGroup,
  delete: deleteOrgGroup,
  listMembers: listOrgTesters,
  addMembers: addOrgTesters,
  removeMembers: removeOrgTesters,
  resendInvitations: resendOrgInvitations,
} = groupRoutes(orgPlace, { list: 201, delete: 200, remove: 204 });
