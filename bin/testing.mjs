import { existsSync } from 'node:fs';
import { majorOf, WANTED_MAJOR } from '../scripts/lib/runtime.mjs';

// The bundle is loaded only after this look: an older Node lacks modules that it names, and would speak of those instead.
const { node } = process.versions;
if (majorOf(node) < WANTED_MAJOR) {
  const how = `npx -p node@${WANTED_MAJOR} npm test`;
  throw new Error(
    `cloudjar/testing needs Node ${WANTED_MAJOR} (this is ${node}): run your tests with it, for instance by ${how}`,
  );
}

const bundle = new URL('../dist/testing.js', import.meta.url);
if (!existsSync(bundle)) throw new Error('cloudjar is not built yet: run npx cloudjar --version once, which builds it');

/** @type {typeof import('../src/testing/index.ts')} */
const built = await import(bundle.href);

export const { startJar } = built;
