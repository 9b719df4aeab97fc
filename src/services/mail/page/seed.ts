import { Type } from 'typebox';
import { applications } from '../../../kernel/auth/index.ts';
import type { SeedSection } from '../../../kernel/service/index.ts';
import { PAGE_APPLICATION } from './application.ts';

/** Registers the application of the mail page. It has no properties in a seed file. */
export const mailSeed: SeedSection = {
  schema: Type.Object({}, { additionalProperties: false }),
  defaults: {},
  prepare: async () => async (tx) => {
    await tx.putAll(applications, [[PAGE_APPLICATION.id, PAGE_APPLICATION]]);
  },
};
