import type { Operation } from '../api/request.ts';
import { getRule, listRules } from './read.ts';
import { deleteRule, patchRule, postRule } from './write.ts';

export const RULE_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'mailFolders/{folder}/messageRules',
    name: 'ListRules',
    summary: 'The rules of the inbox, in the order in which they run',
    needs: 'settingsRead',
    handle: listRules,
  },
  {
    method: 'POST',
    path: 'mailFolders/{folder}/messageRules',
    name: 'CreateRule',
    summary: 'Creates a rule of the inbox',
    needs: 'settingsWrite',
    handle: postRule,
  },
  {
    method: 'GET',
    path: 'mailFolders/{folder}/messageRules/{rule}',
    name: 'GetRule',
    summary: 'One rule',
    needs: 'settingsRead',
    handle: getRule,
  },
  {
    method: 'PATCH',
    path: 'mailFolders/{folder}/messageRules/{rule}',
    name: 'UpdateRule',
    summary: 'Changes a rule',
    needs: 'settingsWrite',
    handle: patchRule,
  },
  {
    method: 'DELETE',
    path: 'mailFolders/{folder}/messageRules/{rule}',
    name: 'DeleteRule',
    summary: 'Removes a rule',
    needs: 'settingsWrite',
    handle: deleteRule,
  },
];
