import { groupRoutes } from './group-routes.ts';
import { appPlace } from './places.ts';

export const {
  list: listAppGroups,
  create: createAppGroup,
  get: getAppGroup,
  update: updateAppGroup,
  delete: deleteAppGroup,
  listMembers: listAppTesters,
  addMembers: addAppTesters,
  removeMembers: removeAppTesters,
  resendInvitations: resendAppInvitations,
} = groupRoutes(appPlace, { list: 200, delete: 204, remove: 200 });
