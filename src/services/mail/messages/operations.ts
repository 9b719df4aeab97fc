import type { Operation } from '../api/request.ts';
import { copyMessageTo, deleteMessage, moveMessageTo, patchMessage, permanentlyDeleteMessage } from './change.ts';
import { postMessage } from './create.ts';
import { countMessages, getMessage, listMessages } from './list.ts';
import { getMessageValue } from './value.ts';

export const MESSAGE_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'messages',
    name: 'ListMessages',
    summary: 'Messages of a mailbox or folder, newest first',
    needs: 'mailBasic',
    handle: listMessages,
  },
  {
    method: 'GET',
    path: 'messages/$count',
    name: 'CountMessages',
    summary: 'The number of messages',
    needs: 'mailBasic',
    handle: countMessages,
  },
  {
    method: 'POST',
    path: 'messages',
    name: 'CreateMessage',
    summary: 'A new draft',
    needs: 'mailWrite',
    handle: postMessage,
  },
  {
    method: 'GET',
    path: 'messages/{message}',
    name: 'GetMessage',
    summary: 'One message',
    needs: 'mailBasic',
    handle: getMessage,
  },
  {
    method: 'GET',
    path: 'messages/{message}/$value',
    name: 'GetMessageSource',
    summary: 'The message as MIME',
    needs: 'mailRead',
    handle: getMessageValue,
  },
  {
    method: 'PATCH',
    path: 'messages/{message}',
    name: 'UpdateMessage',
    summary: 'Changes a message',
    needs: 'mailWrite',
    handle: patchMessage,
  },
  {
    method: 'DELETE',
    path: 'messages/{message}',
    name: 'DeleteMessage',
    summary: 'Moves a message to the deleted items',
    needs: 'mailWrite',
    handle: deleteMessage,
  },
  {
    method: 'POST',
    path: 'messages/{message}/permanentDelete',
    name: 'PermanentlyDeleteMessage',
    summary: 'Removes a message permanently',
    needs: 'mailWrite',
    handle: permanentlyDeleteMessage,
  },
  {
    method: 'POST',
    path: 'messages/{message}/move',
    name: 'MoveMessage',
    summary: 'Moves a message to another folder',
    needs: 'mailWrite',
    handle: moveMessageTo,
  },
  {
    method: 'POST',
    path: 'messages/{message}/copy',
    name: 'CopyMessage',
    summary: 'Copies a message to a folder',
    needs: 'mailWrite',
    handle: copyMessageTo,
  },
];
