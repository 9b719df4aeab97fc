import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { openSettings } from '../../kernel/settings/index.ts';
import { authenticate } from './access/authenticate.ts';
import { findPlace } from './access/place.ts';
import { throttleUser } from './access/throttle.ts';
import { datasetsControl } from './control/routes.ts';
import { finishCreation } from './datasets/finish.ts';
import type { DatasetsJar } from './jar.ts';
import { datasetsRoutes } from './routes.ts';
import { Converters } from './rows/converters.ts';
import { expireRows } from './rows/expire.ts';
import { DATASETS_SETTINGS } from './settings-table.ts';
import { purgeWorkspace } from './workspaces/delete.ts';

export function openDatasets(jar: Jar): OpenService & { readonly jar: DatasetsJar } {
  const settings = openSettings(DATASETS_SETTINGS, jar);
  const converters = new Converters();
  const own: DatasetsJar = { ...jar, settings, converters };
  return {
    jar: own,
    routes: datasetsRoutes,
    steps: [authenticate, throttleUser, findPlace],
    settings,
    control: datasetsControl,
    work: [purgeWorkspace, finishCreation, expireRows],
    stateReplaced() {
      converters.forget();
    },
  };
}
