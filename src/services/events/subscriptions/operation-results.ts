import { operationResult } from '../../../kernel/arm/operations.ts';
import { armCode, type EventsCall } from '../jar.ts';

export const operationResults = armCode(['operationId'], {
  responses: { 200: 'Done', 202: 'Still running' },
  handle: (call) => operationResult(call as unknown as EventsCall, call.params.operationId),
});
