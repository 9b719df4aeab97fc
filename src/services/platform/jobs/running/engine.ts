import { type EngineSettings, type GroupEngine, openEngine, ownerLabel } from '../../../../kernel/engines/index.ts';
import type { Jar } from '../../../../kernel/service/index.ts';
import { simulated } from './container-collections.ts';

/** What the engine is told in the configuration, whoever uses it. */
const ENGINE_SETTINGS = ['socket', 'stopGraceSeconds', 'timeoutSeconds', 'kubernetes'] as const;

/** The engine that tasks in containers run on: the jar's, by the settings of container groups, and with a label of its own. */
export function openTaskEngine(jar: Jar): Promise<GroupEngine> {
  const given: EngineSettings = jar.config.services.containers ?? {};
  const settings = Object.fromEntries(
    ENGINE_SETTINGS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
  return openEngine({
    jar,
    owner: ownerLabel(jar.id, 'platform'),
    settings,
    settingsPath: 'services.containers',
    simulated,
  });
}
