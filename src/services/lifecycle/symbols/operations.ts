import type { Operation } from '../operation.ts';
import { getMissing, listMissing, missingInfo } from './missing.ts';
import { getSymbol, getSymbolLocation, getSymbolStatus, ignoreSymbol, listSymbols } from './symbols.ts';
import { completeUpload, createUpload, deleteUpload, getUpload, getUploadLocation, listUploads } from './uploads.ts';

const APP = '/apps/{owner_name}/{app_name}';
const UPLOAD = `${APP}/symbol_uploads/{symbol_upload_id}`;
const SYMBOL = `${APP}/symbols/{symbol_id}`;

export const SYMBOL_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: `${APP}/symbol_uploads`,
    operation: 'symbolUploads_create',
    summary: 'Begins an upload of symbols and returns the URL to upload them to',
    needs: 'appDevelop',
    code: createUpload,
  },
  {
    method: 'GET',
    path: `${APP}/symbol_uploads`,
    operation: 'symbolUploads_list',
    summary: 'The uploads of symbols, newest first',
    needs: 'appRead',
    code: listUploads,
  },
  {
    method: 'GET',
    path: UPLOAD,
    operation: 'symbolUploads_get',
    summary: 'An upload of symbols',
    needs: 'appRead',
    code: getUpload,
  },
  {
    method: 'PATCH',
    path: UPLOAD,
    operation: 'symbolUploads_complete',
    summary: 'Commits or aborts an upload',
    needs: 'appDevelop',
    code: completeUpload,
  },
  {
    method: 'DELETE',
    path: UPLOAD,
    operation: 'symbolUploads_delete',
    summary: 'Deletes an upload with its symbols',
    needs: 'appDevelop',
    code: deleteUpload,
  },
  {
    method: 'GET',
    path: `${UPLOAD}/location`,
    operation: 'symbolUploads_getLocation',
    summary: 'A URL from which the upload can be downloaded for an hour',
    needs: 'appRead',
    code: getUploadLocation,
  },
  {
    method: 'GET',
    path: `${APP}/symbols`,
    operation: 'symbols_list',
    summary: 'The symbols of the app, newest first',
    needs: 'appRead',
    code: listSymbols,
  },
  {
    method: 'GET',
    path: SYMBOL,
    operation: 'symbols_get',
    summary: 'A symbol',
    needs: 'appRead',
    code: getSymbol,
  },
  {
    method: 'GET',
    path: `${SYMBOL}/status`,
    operation: 'symbols_getStatus',
    summary: 'The status of a symbol: available or ignored',
    needs: 'appRead',
    code: getSymbolStatus,
  },
  {
    method: 'GET',
    path: `${SYMBOL}/location`,
    operation: 'symbols_getLocation',
    summary: 'A URL from which the upload of a symbol can be downloaded for an hour',
    needs: 'appRead',
    code: getSymbolLocation,
  },
  {
    method: 'POST',
    path: `${SYMBOL}/ignore`,
    operation: 'symbols_ignore',
    summary: 'Ignores a symbol, which may be a missing one',
    needs: 'appDevelop',
    code: ignoreSymbol,
  },
];

export const SYMBOL_GROUP_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: `${APP}/diagnostics/symbol_groups`,
    operation: 'missingSymbolGroups_list',
    summary: 'Groups of crashes that need the same missing symbols',
    needs: 'appRead',
    code: listMissing,
  },
  {
    method: 'GET',
    path: `${APP}/diagnostics/symbol_groups/{symbol_group_id}`,
    operation: 'missingSymbolGroups_get',
    summary: 'The missing symbols of a group of crashes',
    needs: 'appRead',
    code: getMissing,
  },
  {
    method: 'GET',
    path: `${APP}/diagnostics/symbol_groups_info`,
    operation: 'missingSymbolGroups_info',
    summary: 'The number of crashes with missing symbols',
    needs: 'appRead',
    code: missingInfo,
  },
];
