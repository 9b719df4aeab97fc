import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadYaml } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { fileCommands, packageToInstall, readInputs, startArguments, words } from '../../scripts/lib/action-plan.mjs';
import { root } from '../../scripts/lib/paths.mjs';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly id: string;
      readonly shell: string;
      readonly run: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

const RUNNER = { RUNNER_TEMP: '/runner/temp', GITHUB_WORKSPACE: '/work/shop' };
const inputsOf = (given: Readonly<Record<string, string>>) =>
  readInputs({
    ...RUNNER,
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`CLOUDJAR_ACTION_${name.toUpperCase()}`, value]),
    ),
  });

describe('action.yml', () => {
  const action = loadYaml<Action>(readFileSync(join(root, 'action.yml'), 'utf8'));
  const [step, ...others] = action.runs.steps;

  test('gives every input to the script by a variable, and puts none into the text that a shell reads', () => {
    expect(others).toEqual([]);
    const given = Object.keys(action.inputs).map((name) => [
      `CLOUDJAR_ACTION_${name.toUpperCase()}`,
      `\${{ inputs.${name} }}`,
    ]);
    expect(step?.env).toEqual(Object.fromEntries(given));
    expect(step).toMatchObject({ shell: 'bash', run: 'node "$GITHUB_ACTION_PATH/scripts/action.mjs"' });
  });

  test('has an output for each that the script writes', () => {
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
    expect(outputs).toEqual(
      ['url', 'https-url', 'admin-key', 'ca', 'data'].map((name) => [name, `\${{ steps.start.outputs.${name} }}`]),
    );
  });

  test('works with its defaults', () => {
    const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]));
    const inputs = inputsOf(defaults);
    expect(inputs).toMatchObject({ waitMs: 60_000, data: '/runner/temp/cloudjar-data', snapshot: '' });
    expect(packageToInstall(inputs)).toBe('cloudjar@latest');
    expect(startArguments(inputs)).toEqual(['start', '--detach', '--json', '--data', '/runner/temp/cloudjar-data']);
  });
});

test('inputs become options of a start; paths count from the workspace', () => {
  const inputs = inputsOf({
    data: 'state',
    clock: 'virtual',
    seed: 'test/seed.json',
    args: '--port 8080',
    snapshot: 's.gz',
  });
  expect(startArguments(inputs).slice(3)).toEqual([
    ...['--data', '/work/shop/state'],
    ...['--clock', 'virtual'],
    ...['--seed', '/work/shop/test/seed.json'],
    ...['--port', '8080'],
  ]);
  expect(inputs.snapshot).toBe('/work/shop/s.gz');
});

test.each([
  ['', []],
  ['  --port   8080\n--memory ', ['--port', '8080', '--memory']],
  [`--data "my data" --seed 'a"b'`, ['--data', 'my data', '--seed', 'a"b']],
  ['--data C:\\jar\\state', ['--data', 'C:\\jar\\state']],
  [`--x=""`, ['--x=']],
  [`''`, ['']],
])('the words of %j are %j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test.each([
  ['0.2.0', 'cloudjar@0.2.0'],
  ['next', 'cloudjar@next'],
  ['vendor/cloudjar-0.2.0.tgz', '/work/shop/vendor/cloudjar-0.2.0.tgz'],
  ['cloudjar-0.2.0.tgz', '/work/shop/cloudjar-0.2.0.tgz'],
  ['https://files.example/cloudjar.tgz', 'https://files.example/cloudjar.tgz'],
])('the version %s installs %s', (version, wanted) => {
  expect(packageToInstall(inputsOf({ version }))).toBe(wanted);
});

test.each([
  [{ wait: 'soon' }, "input wait: 'soon' is not a number of seconds"],
  [{ wait: '0' }, "input wait: '0' is not a number of seconds"],
  [{ wait: '99999' }, 'up to 3600'],
  [{ args: '--data "x' }, 'input args: the quote " is not closed'],
])('the input %j is refused', (given, message) => {
  expect(() => inputsOf(given)).toThrow(message);
});

test('outside of a runner the script says so', () => {
  expect(() => readInputs({})).toThrow('RUNNER_TEMP is not set');
});

test('a value cannot begin another variable', () => {
  expect(fileCommands({ A: 'one', B: 'two\nend\nEVIL=1' }, 'r1')).toBe(
    'A<<end-r1\none\nend-r1\nB<<end-r1\ntwo\nend\nEVIL=1\nend-r1\n',
  );
});
