import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { checkTraceId, checkVersion, noteTraceId } from './checks.ts';
import { keyControl } from './control/key-routes.ts';
import type { TranslatorJar } from './jar.ts';
import { authenticate } from './keys/authenticate.ts';
import { configuredKeys } from './keys/configured.ts';
import { shownKey } from './keys/shown.ts';
import { translatorRoutes } from './routes.ts';
import { settingsOf } from './settings.ts';

export function openTranslator(jar: Jar): OpenService {
  const own: TranslatorJar = { ...jar, configuredKeys: configuredKeys(settingsOf(jar)) };
  return {
    jar: own,
    routes: translatorRoutes,
    steps: [noteTraceId, authenticate, checkVersion, checkTraceId],
    control: keyControl,
    key: async (access) => (access === 'full' ? shownKey(own) : undefined),
  };
}
