import { operationResult } from '../../../kernel/arm/operations.ts';
import { armCode } from '../../../kernel/arm/route.ts';
import type { Call } from '../../../kernel/http/route.ts';

export const operationResults = armCode(['operationId'], {
  responses: { 200: 'Done', 202: 'Still running' },
  handle: (call) => operationResult(call as unknown as Call, call.params.operationId),
});
