import { applications } from '../../../kernel/auth/index.ts';
import type { SeedSection } from '../../../kernel/service/index.ts';
import { SIGN_IN_APPLICATION } from './application.ts';

/** The application for signing in. A seed file cannot configure it. */
export const platformSeed: SeedSection = {
  schema: { type: 'object', properties: {}, additionalProperties: false } as never,
  defaults: {},
  prepare: async () => async (tx) => {
    await tx.putAll(applications, [[SIGN_IN_APPLICATION.id, SIGN_IN_APPLICATION]]);
  },
};
