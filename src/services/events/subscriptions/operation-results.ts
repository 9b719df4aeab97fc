import { operationResult } from '../../../kernel/arm/index.ts';
import { armCode } from '../jar.ts';

export const operationResults = armCode(['operationId'], {
  responses: { 200: 'Done', 202: 'Still running' },
  handle: (call) => operationResult(call, call.params.operationId),
});
