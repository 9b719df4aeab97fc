import type { TestJar } from '../../src/testing/index.ts';

/** `startJar` of the built package, not of the sources, because test suites import the package. */
export async function loadStartJar(): Promise<() => Promise<TestJar>> {
  const built = new URL('../../dist/testing.js', import.meta.url).href;
  const { startJar } = (await import(built)) as typeof import('../../src/testing/index.ts');
  return () => startJar();
}
