// Writes the pages of docs/ that follow from tables of the code.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { configurationReference } from '../../src/kernel/config/reference.ts';
import { withLimitTables } from '../../src/services/platform/limits/docs.ts';
import { withOperationTable } from '../../src/services/platform/operations-docs.ts';
import * as proofs from '../../test/services/platform/limits/proofs.ts';
import { openApiPage } from './apis.mjs';
import { errorsPage } from './errors.mjs';
import { limitListPage } from './limits.mjs';

/**
 * A page is drawn from what it says now, since some have tables between written text.
 * @type {Readonly<Record<string, (present: string) => string | Promise<string>>>}
 */
export const PAGES = {
  'reference/configuration.md': configurationReference,
  'reference/errors.md': errorsPage,
  'reference/limit-list.md': limitListPage,
  'reference/openapi.md': openApiPage,
  'services/platform-limits.md': (present) => withLimitTables(present, proofs),
  'services/platform-operations.md': withOperationTable,
};

/**
 * The pages that are not what they would be drawn as, with their text.
 * @returns {Promise<{ name: string, file: URL, wanted: string }[]>}
 */
export async function outdatedPages() {
  const pages = await Promise.all(
    Object.entries(PAGES).map(async ([name, draw]) => {
      const file = new URL(`../../docs/${name}`, import.meta.url);
      const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return { name, file, present, wanted: await draw(present) };
    }),
  );
  return pages.filter(({ present, wanted }) => present !== wanted);
}

if (import.meta.main) for (const { file, wanted } of await outdatedPages()) writeFileSync(file, wanted);
