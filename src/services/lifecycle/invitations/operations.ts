import type { Operation } from '../operation.ts';
import { acceptAppInvitation, acceptOrgInvitation, rejectAppInvitation, rejectOrgInvitation } from './answers.ts';
import { listSentInvitations } from './sent.ts';
import {
  changeAppInvitation,
  deleteAppInvitation,
  inviteToApp,
  inviteToAppByEmail,
  listAppInvitations,
} from './to-app.ts';
import {
  changeOrgInvitation,
  deleteOrgInvitation,
  inviteToOrg,
  listOrgInvitations,
  resendOrgInvitation,
  revokeOrgInvitation,
} from './to-org.ts';

const APP = '/apps/{owner_name}/{app_name}/invitations';
const ORG = '/orgs/{org_name}/invitations';
const ANSWER = '/user/invitations';

export const INVITATION_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: APP,
    operation: 'appInvitations_list',
    summary: 'The pending invitations to the app',
    needs: 'appSee',
    code: listAppInvitations,
  },
  {
    method: 'POST',
    path: APP,
    operation: 'appInvitations_create',
    summary: 'Invites a collaborator to the app, for 30 days; a repeated call renews the invitation',
    needs: 'appManage',
    code: inviteToApp,
  },
  {
    method: 'POST',
    path: `${APP}/{user_email}`,
    operation: 'appInvitations_createByEmail',
    summary: 'Invites a collaborator to the app',
    needs: 'appManage',
    code: inviteToAppByEmail,
  },
  {
    method: 'PATCH',
    path: `${APP}/{user_email}`,
    operation: 'appInvitations_updatePermissions',
    summary: 'Changes the role that an invitation offers',
    needs: 'appManage',
    code: changeAppInvitation,
  },
  {
    method: 'DELETE',
    path: `${APP}/{user_email}`,
    operation: 'appInvitations_delete',
    summary: 'Revokes an invitation to the app',
    needs: 'appManage',
    code: deleteAppInvitation,
  },
  {
    method: 'GET',
    path: ORG,
    operation: 'orgInvitations_listPending',
    summary: 'The pending invitations to the organization',
    needs: 'orgAdminister',
    code: listOrgInvitations,
  },
  {
    method: 'POST',
    path: ORG,
    operation: 'orgInvitations_create',
    summary: 'Invites a member to the organization, for 30 days; a repeated call renews the invitation',
    needs: 'orgAdminister',
    code: inviteToOrg,
  },
  {
    method: 'DELETE',
    path: ORG,
    operation: 'orgInvitations_delete',
    summary: 'Revokes an invitation to the organization',
    needs: 'orgAdminister',
    code: deleteOrgInvitation,
  },
  {
    method: 'PATCH',
    path: `${ORG}/{email}`,
    operation: 'orgInvitations_update',
    summary: 'Changes the role that an invitation offers',
    needs: 'orgAdminister',
    code: changeOrgInvitation,
  },
  {
    method: 'POST',
    path: `${ORG}/{email}/resend`,
    operation: 'orgInvitations_sendNewInvitation',
    summary: 'Replaces an invitation with a new one',
    needs: 'orgAdminister',
    code: resendOrgInvitation,
  },
  {
    method: 'POST',
    path: `${ORG}/{email}/revoke`,
    operation: 'orgInvitations_revoke',
    summary: 'Revokes an invitation to the organization',
    needs: 'orgAdminister',
    code: revokeOrgInvitation,
  },
  {
    method: 'GET',
    path: '/invitations/sent',
    operation: 'invitations_sent',
    summary: 'The pending invitations that the user has sent',
    needs: 'account',
    code: listSentInvitations,
  },
  {
    method: 'POST',
    path: `${ANSWER}/apps/{invitation_token}/accept`,
    operation: 'appInvitations_accept',
    summary: 'Accepts an invitation to an app',
    needs: 'account',
    code: acceptAppInvitation,
  },
  {
    method: 'POST',
    path: `${ANSWER}/apps/{invitation_token}/reject`,
    operation: 'appInvitations_reject',
    summary: 'Declines an invitation to an app',
    needs: 'account',
    code: rejectAppInvitation,
  },
  {
    method: 'POST',
    path: `${ANSWER}/orgs/{invitation_token}/accept`,
    operation: 'orgInvitations_accept',
    summary: 'Accepts an invitation to an organization',
    needs: 'account',
    code: acceptOrgInvitation,
  },
  {
    method: 'POST',
    path: `${ANSWER}/orgs/{invitation_token}/reject`,
    operation: 'orgInvitations_reject',
    summary: 'Declines an invitation to an organization',
    needs: 'account',
    code: rejectOrgInvitation,
  },
];
