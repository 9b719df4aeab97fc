import type { TestJar } from '../../src/testing/index.ts';

/** `startJar` of the package as it is built, not of the sources: what test suites import. */
export async function loadStartJar(): Promise<() => Promise<TestJar>> {
  const built = new URL('../../dist/testing.js', import.meta.url).href;
  const { startJar } = (await import(built)) as typeof import('../../src/testing/index.ts');
  return () => startJar();
}
