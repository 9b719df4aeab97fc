import type { Operation } from '../api/request.ts';
import { patchFolder } from './change.ts';
import { copyFolderTo } from './copy.ts';
import { postChildFolder, postFolder } from './create.ts';
import { deleteFolder, moveFolderTo, permanentlyDeleteFolder } from './move.ts';
import { countFolders, getFolder, listChildFolders, listFolders } from './read.ts';
import { updateAllMessagesReadState } from './read-state.ts';

export const FOLDER_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'mailFolders',
    name: 'ListFolders',
    summary: 'The top-level folders of a mailbox',
    needs: 'mailBasic',
    handle: listFolders,
  },
  {
    method: 'GET',
    path: 'mailFolders/$count',
    name: 'CountFolders',
    summary: 'The number of top-level folders of a mailbox',
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
    summary: 'The number of folders in a folder',
    needs: 'mailBasic',
    handle: countFolders,
  },
  {
    method: 'POST',
    path: 'mailFolders',
    name: 'CreateFolder',
    summary: 'Creates a top-level folder of a mailbox',
    needs: 'mailWrite',
    handle: postFolder,
  },
  {
    method: 'POST',
    path: 'mailFolders/{folder}/childFolders',
    name: 'CreateChildFolder',
    summary: 'Creates a folder in a folder',
    needs: 'mailWrite',
    handle: postChildFolder,
  },
  {
    method: 'PATCH',
    path: 'mailFolders/{folder}',
    name: 'UpdateFolder',
    summary: 'Renames a folder, or changes the query of a search folder',
    needs: 'mailWrite',
    handle: patchFolder,
  },
  {
    method: 'DELETE',
    path: 'mailFolders/{folder}',
    name: 'DeleteFolder',
    summary: 'Moves a folder to the deleted items',
    needs: 'mailWrite',
    handle: deleteFolder,
  },
  {
    method: 'POST',
    path: 'mailFolders/{folder}/permanentDelete',
    name: 'PermanentlyDeleteFolder',
    summary: 'Removes a folder permanently',
    needs: 'mailWrite',
    handle: permanentlyDeleteFolder,
  },
  {
    method: 'POST',
    path: 'mailFolders/{folder}/move',
    name: 'MoveFolder',
    summary: 'Moves a folder into another one',
    needs: 'mailWrite',
    handle: moveFolderTo,
  },
  {
    method: 'POST',
    path: 'mailFolders/{folder}/copy',
    name: 'CopyFolder',
    summary: 'Copies a folder into another one',
    needs: 'mailWrite',
    handle: copyFolderTo,
  },
  {
    method: 'POST',
    path: 'mailFolders/{folder}/updateAllMessagesReadState',
    name: 'UpdateAllMessagesReadState',
    summary: 'Marks all messages of a folder as read or unread',
    needs: 'mailWrite',
    isBeta: true,
    handle: updateAllMessagesReadState,
  },
];
