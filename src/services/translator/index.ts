import type { Service } from '../../kernel/service.ts';
import { TRANSLATOR_AUDIENCES } from './audiences.ts';
import { keyControl } from './control/key-routes.ts';
import { TRANSLATOR_FAMILY } from './family.ts';
import { translatorKeys } from './keys/collection.ts';
import { keySeed } from './keys/seed.ts';
import { TRANSLATOR_LIMITS } from './limits.ts';
import { translatorRoutes } from './routes.ts';
import { checkSettings } from './settings.ts';

/** Tells which language a text is in, and where its sentences end. */
export const TRANSLATOR: Service = {
  name: 'translator',
  title: 'Translator',
  family: TRANSLATOR_FAMILY,
  mounts: [
    '/detect',
    '/breaksentence',
    '/languages',
    '/translate',
    '/transliterate',
    '/dictionary',
    '/sts',
    '/translator',
  ],
  deferRoutes: true,
  routes: translatorRoutes,
  control: keyControl,
  collections: [translatorKeys],
  limits: TRANSLATOR_LIMITS,
  seed: keySeed,
  audiences: TRANSLATOR_AUDIENCES,
  key: async (jar) => (await import('./keys/shown.ts')).shownKey(jar),
  async open(jar) {
    await checkSettings(jar);
    return { close: async () => {} };
  },
};
