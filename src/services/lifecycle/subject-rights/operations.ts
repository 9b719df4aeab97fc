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
    summary: 'Requests an export of the data of the user',
    needs: 'account',
    code: requestExport,
  },
  {
    method: 'GET',
    path: '/user/dsr/export/{token}',
    operation: 'dataSubjectRight_exportStatusRequest',
    summary: 'The status of an export request, with the download URL',
    needs: 'account',
    code: getExportStatus,
  },
  {
    method: 'POST',
    path: '/user/dsr/export/{token}/cancel',
    operation: 'dataSubjectRight_cancelExportRequest',
    summary: 'Cancels an export request',
    needs: 'account',
    code: cancelExport,
  },
  {
    method: 'POST',
    path: '/user/dsr/delete',
    operation: 'dataSubjectRight_deleteRequest',
    summary: 'Requests the deletion of the account, which happens after 30 days',
    needs: 'account',
    code: requestDeletion,
  },
  {
    method: 'GET',
    path: '/user/dsr/delete/{token}',
    operation: 'dataSubjectRight_deleteStatusRequest',
    summary: 'The status of a deletion request; requires the receipt and the email address',
    needs: 'account',
    code: getDeletionStatus,
  },
  {
    method: 'POST',
    path: '/user/dsr/delete/{token}/cancel',
    operation: 'dataSubjectRight_cancelDeleteRequest',
    summary: 'Cancels a deletion request within seven days',
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
    summary: 'Downloads the exported data of a user from its signed URL',
    open: true,
    traits: { area: 'accounts' },
  },
  getExport,
);
