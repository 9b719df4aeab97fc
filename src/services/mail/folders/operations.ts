import type { Operation } from '../api/request.ts';
import { countFolders, getFolder, listChildFolders, listFolders } from './read.ts';

export const FOLDER_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'mailFolders',
    name: 'ListFolders',
    summary: 'The folders at the top of a mailbox',
    needs: 'mailBasic',
    handle: listFolders,
  },
  {
    method: 'GET',
    path: 'mailFolders/$count',
    name: 'CountFolders',
    summary: 'How many folders are at the top of a mailbox',
    needs: 'mailBasic',
    handle: countFolders,
  },
  {
    method: 'GET',
    path: 'mailFolders/{folder}',
    name: 'GetFolder',
    summary: 'One folder',
    needs: 'mailBasic',
    handle: getFolder,
  },
  {
    method: 'GET',
    path: 'mailFolders/{folder}/childFolders',
    name: 'ListChildFolders',
    summary: 'The folders in a folder',
    needs: 'mailBasic',
    handle: listChildFolders,
  },
  {
    method: 'GET',
    path: 'mailFolders/{folder}/childFolders/$count',
    name: 'CountChildFolders',
    summary: 'How many folders are in a folder',
    needs: 'mailBasic',
    handle: countFolders,
  },
];
