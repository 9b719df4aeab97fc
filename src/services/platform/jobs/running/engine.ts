import { type EngineSettings, type GroupEngine, openEngine, ownerLabel } from '../../../../kernel/engines/index.ts';
import type { Jar } from '../../../../kernel/service/index.ts';
import { simulated } from './container-collections.ts';

/** Engine settings of the configuration, shared by all users of the engine. */
const ENGINE_SETTINGS = ['socket', 'stopGraceSeconds', 'timeoutSeconds', 'kubernetes'] as const;

/** The engine that runs tasks in containers: the jar's engine, configured by the settings of container groups, with a separate label. */
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
