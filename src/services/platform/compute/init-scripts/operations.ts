import { ok } from '../../../../kernel/http/index.ts';
import { viewsOf } from '../../engine/list.ts';
import { kindOperations } from '../../engine/wire.ts';
import { routeCode, workspaceIn } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { GLOBAL_INIT_SCRIPTS, scriptsOf } from './kind.ts';

const PATH = '/global-init-scripts';

export const INIT_SCRIPT_OPERATIONS: readonly Operation[] = [
  ...kindOperations(GLOBAL_INIT_SCRIPTS, {
    of: 'Global init scripts',
    operations: 'globalInitScripts',
    create: { method: 'POST', path: PATH, needs: 'admin', answers: 'id' },
    get: { method: 'GET', path: `${PATH}/{id}`, needs: 'admin' },
    update: { method: 'PATCH', path: `${PATH}/{id}`, needs: 'admin', answers: 'nothing' },
    remove: { method: 'DELETE', path: `${PATH}/{id}`, needs: 'admin' },
  }),
  {
    method: 'GET',
    path: PATH,
    operation: 'globalInitScripts_list',
    summary: 'Global init scripts: list them, without content',
    needs: 'admin',
    code: routeCode([], {
      async handle(call) {
        const found = await scriptsOf(call.jar.store, workspaceIn(call).id);
        const views = await viewsOf(call, GLOBAL_INIT_SCRIPTS, found);
        return ok({ scripts: views.map(({ script: _content, ...rest }) => rest) });
      },
    }),
  },
];
