import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { deleteAppAvatar, updateAppAvatar } from '../apps/pictures.ts';
import type { Operation } from '../operation.ts';
import { deleteOrgAvatar, updateOrgAvatar } from './org-pictures.ts';
import { getPicture } from './pictures.ts';

export const AVATAR_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/apps/{owner_name}/{app_name}/avatar',
    operation: 'apps_updateAvatar',
    summary: 'Sets the picture of the app: one file in a form, PNG, JPEG or GIF, up to 1 MB',
    needs: 'appManage',
    accepts: 'bytes',
    code: updateAppAvatar,
  },
  {
    method: 'DELETE',
    path: '/apps/{owner_name}/{app_name}/avatar',
    operation: 'apps_deleteAvatar',
    summary: 'Removes the picture of the app',
    needs: 'appManage',
    code: deleteAppAvatar,
  },
  {
    method: 'POST',
    path: '/orgs/{org_name}/avatar',
    operation: 'organization_updateAvatar',
    summary: 'Sets the picture of the organization: one file in a form, PNG, JPEG or GIF, up to 1 MB',
    needs: 'orgAdminister',
    accepts: 'bytes',
    code: updateOrgAvatar,
  },
  {
    method: 'DELETE',
    path: '/orgs/{org_name}/avatar',
    operation: 'organization_deleteAvatar',
    summary: 'Removes the picture of the organization',
    needs: 'orgAdminister',
    code: deleteOrgAvatar,
  },
];

/** No authentication, because browsers load pictures without a token. */
export const PICTURE_ROUTE: Route = routeOf(
  {
    method: 'GET',
    path: '/v0.1/public/avatars/{avatar_id}',
    operation: 'Lifecycle_avatars_get',
    summary: 'The picture of an app or of an organization',
    open: true,
    traits: { area: 'accounts' },
  },
  getPicture,
);
