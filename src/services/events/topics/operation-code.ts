import { operationStatus } from '../../../kernel/arm/operations.ts';
import { armCode } from '../../../kernel/arm/route.ts';

export const status = armCode(['operationId'], { handle: (call) => operationStatus(call, call.params.operationId) });
