import { expect, onTestFinished, test } from 'vitest';
import { blocksOf } from '../docs/examples.ts';
import { makeProject } from './project.ts';

test("the README's first screen installs the package and passes its test", async () => {
  const [install, example] = await blocksOf('README.md');
  expect(install).toMatchObject({ language: 'sh', code: 'npm install --save-dev cloudjar\n' });
  expect(example?.language).toBe('js');
  const [, name = '', command = ''] = /^\/\/ (\S+), run by: (.*)\n/.exec(example?.code ?? '') ?? [];
  // The packed package in place of the one from the registry.
  const project = await makeProject({ files: { [name]: example?.code ?? '' } });
  onTestFinished(() => project.remove());
  const [program = '', ...args] = command.split(' ');
  const ended = await project.run(program, args);
  expect(ended.stdout).toMatch(/^ℹ pass 1$/m);
  expect(ended.code).toBe(0);
});
