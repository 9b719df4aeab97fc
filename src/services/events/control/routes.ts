import type { Route } from '../../../kernel/http/route.ts';
import { queueControl } from './queue-routes.ts';
import { traceControl } from './trace-routes.ts';

/** The service's part of the control API. */
export const EVENT_CONTROL: readonly Route[] = [...queueControl, ...traceControl];
