import { ok } from '../../../kernel/http/index.ts';
import { workspaceNotFound } from '../access/lookup.ts';
import { placeIn } from '../access/place.ts';
import { contextBase } from '../context.ts';
import { routeCode } from '../jar.ts';
import { WorkspaceView, workspaceView } from './view.ts';

export const getWorkspace = routeCode(['group'], {
  responses: { 200: WorkspaceView },
  handle(call) {
    const { workspace } = placeIn(call);
    if (!workspace) throw workspaceNotFound(call.params.group);
    return ok({ '@odata.context': `${contextBase(call)}/$metadata#groups/$entity`, ...workspaceView(workspace) });
  },
});
