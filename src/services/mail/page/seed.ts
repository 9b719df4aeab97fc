import { Type } from 'typebox';
import { applications } from '../../../kernel/auth/index.ts';
import type { SeedSection } from '../../../kernel/service/index.ts';
import { PAGE_APPLICATION } from './application.ts';

/** Registers the application of the mail page. A seed file has nothing to say about it. */
export const mailSeed: SeedSection = {
  schema: Type.Object({}, { additionalProperties: false }),
  defaults: {},
  prepare: async () => async (tx) => {
    await tx.putAll(applications, [[PAGE_APPLICATION.id, PAGE_APPLICATION]]);
  },
};
