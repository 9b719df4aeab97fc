import { operationStatus } from '../../../kernel/arm/index.ts';
import { armCode } from '../jar.ts';

export const status = armCode(['operationId'], { handle: (call) => operationStatus(call, call.params.operationId) });
