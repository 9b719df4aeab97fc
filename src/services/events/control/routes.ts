import type { Route } from '../../../kernel/http/index.ts';
import { injectControl } from './inject-routes.ts';
import { placeControl } from './place-routes.ts';
import { queueControl } from './queue-routes.ts';
import { traceControl } from './trace-routes.ts';

export const EVENT_CONTROL: readonly Route[] = [...queueControl, ...traceControl, ...injectControl, ...placeControl];
