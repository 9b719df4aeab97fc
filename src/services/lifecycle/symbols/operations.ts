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
    summary: 'Begins an upload of symbols and gives the address to send them to',
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
    summary: 'Begins to use what was uploaded, or gives it up',
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
    summary: 'An address from which the upload can be fetched for an hour',
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
    summary: 'Whether a symbol is there or ignored',
    needs: 'appRead',
    code: getSymbolStatus,
  },
  {
    method: 'GET',
    path: `${SYMBOL}/location`,
    operation: 'symbols_getLocation',
    summary: 'An address from which the upload of a symbol can be fetched for an hour',
    needs: 'appRead',
    code: getSymbolLocation,
  },
  {
    method: 'POST',
    path: `${SYMBOL}/ignore`,
    operation: 'symbols_ignore',
    summary: 'Does without a symbol, which may be one that nobody has',
    needs: 'appDevelop',
    code: ignoreSymbol,
  },
];

export const SYMBOL_GROUP_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: `${APP}/diagnostics/symbol_groups`,
    operation: 'missingSymbolGroups_list',
    summary: 'Crashes that wait for the same symbols',
    needs: 'appRead',
    code: listMissing,
  },
  {
    method: 'GET',
    path: `${APP}/diagnostics/symbol_groups/{symbol_group_id}`,
    operation: 'missingSymbolGroups_get',
    summary: 'The symbols that some crashes wait for',
    needs: 'appRead',
    code: getMissing,
  },
  {
    method: 'GET',
    path: `${APP}/diagnostics/symbol_groups_info`,
    operation: 'missingSymbolGroups_info',
    summary: 'How many crashes wait for symbols',
    needs: 'appRead',
    code: missingInfo,
  },
];
