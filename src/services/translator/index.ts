import type { Service } from '../../kernel/service/index.ts';
import { TRANSLATOR_AUDIENCES } from './audiences.ts';
import { TRANSLATOR_FAMILY } from './family.ts';
import { translatorKeys } from './keys/collection.ts';
import { keySeed } from './keys/seed.ts';
import { TRANSLATOR_LIMITS } from './limits.ts';

/** Detects languages and breaks texts into sentences. */
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
  collections: [translatorKeys],
  limits: TRANSLATOR_LIMITS,
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  seed: keySeed,
  audiences: TRANSLATOR_AUDIENCES,
  hasKey: true,
  open: async (jar) => (await import('./open.ts')).openTranslator(jar),
};
