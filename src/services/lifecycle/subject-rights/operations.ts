import { type Route, routeOf } from '../../../kernel/http/index.ts';
import type { Operation } from '../operation.ts';
import { getExport } from './fetch-export.ts';
import {
  cancelDeletion,
  cancelExport,
  getDeletionStatus,
  getExportStatus,
  requestDeletion,
  requestExport,
} from './requests.ts';

export const SUBJECT_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/user/dsr/export',
    operation: 'dataSubjectRight_exportRequest',
    summary: 'Asks for a copy of what is known of the user',
    needs: 'account',
    code: requestExport,
  },
  {
    method: 'GET',
    path: '/user/dsr/export/{token}',
    operation: 'dataSubjectRight_exportStatusRequest',
    summary: 'How far such a request is, and where the copy is',
    needs: 'account',
    code: getExportStatus,
  },
  {
    method: 'POST',
    path: '/user/dsr/export/{token}/cancel',
    operation: 'dataSubjectRight_cancelExportRequest',
    summary: 'Takes such a request back',
    needs: 'account',
    code: cancelExport,
  },
  {
    method: 'POST',
    path: '/user/dsr/delete',
    operation: 'dataSubjectRight_deleteRequest',
    summary: 'Asks for the account to be deleted, which happens after 30 days',
    needs: 'account',
    code: requestDeletion,
  },
  {
    method: 'GET',
    path: '/user/dsr/delete/{token}',
    operation: 'dataSubjectRight_deleteStatusRequest',
    summary: 'How far a deletion is, for whoever has the receipt and knows the address',
    needs: 'account',
    code: getDeletionStatus,
  },
  {
    method: 'POST',
    path: '/user/dsr/delete/{token}/cancel',
    operation: 'dataSubjectRight_cancelDeleteRequest',
    summary: 'Takes such a request back, for seven days',
    needs: 'account',
    code: cancelDeletion,
  },
];

/** No API token, which a browser does not send: the URL is signed. */
export const EXPORT_ROUTE: Route = routeOf(
  {
    method: 'GET',
    path: '/v0.1/public/exports/{token}',
    operation: 'Lifecycle_exports_get',
    summary: 'A copy of what is known of a user, at the address that he was given',
    open: true,
    traits: { area: 'accounts' },
  },
  getExport,
);
