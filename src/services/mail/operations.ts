import type { Operation } from './api/request.ts';
import { countFolders, getFolder, listChildFolders, listFolders } from './folders/read.ts';
import { copyMessageTo, deleteMessage, moveMessageTo, patchMessage, permanentlyDeleteMessage } from './messages/change.ts';
import { postMessage } from './messages/create.ts';
import { countMessages, getMessage, listMessages } from './messages/list.ts';

const MESSAGES: readonly Operation[] = [
  { method: 'GET', path: 'messages', name: 'ListMessages', summary: 'Messages of a mailbox or folder, newest first', needs: 'mailBasic', handle: listMessages },
  { method: 'GET', path: 'messages/$count', name: 'CountMessages', summary: 'How many messages there are', needs: 'mailBasic', handle: countMessages },
  { method: 'POST', path: 'messages', name: 'CreateMessage', summary: 'A new draft', needs: 'mailWrite', handle: postMessage },
  { method: 'GET', path: 'messages/{message}', name: 'GetMessage', summary: 'One message', needs: 'mailBasic', handle: getMessage },
  { method: 'PATCH', path: 'messages/{message}', name: 'UpdateMessage', summary: 'Changes a message', needs: 'mailWrite', handle: patchMessage },
  { method: 'DELETE', path: 'messages/{message}', name: 'DeleteMessage', summary: 'Moves a message to the deleted items', needs: 'mailWrite', handle: deleteMessage },
  { method: 'POST', path: 'messages/{message}/permanentDelete', name: 'PermanentlyDeleteMessage', summary: 'Removes a message for good', needs: 'mailWrite', handle: permanentlyDeleteMessage },
  { method: 'POST', path: 'messages/{message}/move', name: 'MoveMessage', summary: 'Moves a message to another folder', needs: 'mailWrite', handle: moveMessageTo },
  { method: 'POST', path: 'messages/{message}/copy', name: 'CopyMessage', summary: 'Copies a message to a folder', needs: 'mailWrite', handle: copyMessageTo },
];

const FOLDERS: readonly Operation[] = [
  { method: 'GET', path: 'mailFolders', name: 'ListFolders', summary: 'The folders at the top of a mailbox', needs: 'mailBasic', handle: listFolders },
  { method: 'GET', path: 'mailFolders/$count', name: 'CountFolders', summary: 'How many folders are at the top of a mailbox', needs: 'mailBasic', handle: countFolders },
  { method: 'GET', path: 'mailFolders/{folder}', name: 'GetFolder', summary: 'One folder', needs: 'mailBasic', handle: getFolder },
  { method: 'GET', path: 'mailFolders/{folder}/childFolders', name: 'ListChildFolders', summary: 'The folders in a folder', needs: 'mailBasic', handle: listChildFolders },
  { method: 'GET', path: 'mailFolders/{folder}/childFolders/$count', name: 'CountChildFolders', summary: 'How many folders are in a folder', needs: 'mailBasic', handle: countFolders },
];

/** Every operation on a mailbox. */
export const MAIL_OPERATIONS: readonly Operation[] = [...MESSAGES, ...FOLDERS];
