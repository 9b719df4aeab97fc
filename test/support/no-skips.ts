import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** With CI=true a skipped test fails the run, so that a machine without a required program does not look like a pass. */
export class NoSkips implements Reporter {
  #strict = false;

  onInit(vitest: Vitest): void {
    // With -t, the excluded tests count as skipped.
    this.#strict = process.env.CI === 'true' && vitest.config.testNamePattern === undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#strict) return;
    const notRun = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (notRun.length === 0) return;
    process.exitCode = 1;
    console.error(`\nNot run, which fails the run because CI=true (${notRun.length}):`);
    for (const test of notRun) console.error(`  ${test.module.relativeModuleId} > ${test.fullName}: ${reasonOf(test)}`);
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note) return result.note;
  return test.options.mode === 'todo' ? 'marked as todo' : 'skipped without a reason';
}

// Vitest loads a reporter from the default export of its file.
export default NoSkips;
