import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { bashScript } from '../../src/cli/completion/bash.ts';
import { fishScript } from '../../src/cli/completion/fish.ts';
import { powershellScript } from '../../src/cli/completion/powershell.ts';
import { type Place, places } from '../../src/cli/completion/tree.ts';
import { zshScript } from '../../src/cli/completion/zsh.ts';
import { declareProgram } from '../../src/cli/program.ts';
import { runCli, temporaryFolder } from './cli.ts';

let all: readonly Place[];
beforeAll(async () => {
  all = places(await declareProgram(Object.keys(COMMANDS)));
});

/** The completions of bash for a line, of its last word. */
function inBash(lines: readonly string[]): string[][] {
  const file = join(temporaryFolder(), 'cloudjar.bash');
  const asked = lines.map((line) => {
    // Bash splits at '=', which is one of its word breaks.
    const words = line.split(/ |(=)/).filter((word) => word !== undefined);
    const quoted = words.map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _cloudjar 2>&1; echo "\${COMPREPLY[*]}"`;
  });
  writeFileSync(file, [bashScript(all), ...asked].join('\n'));
  const printed = execFileSync('bash', ['--norc', file], { encoding: 'utf8' });
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

test('bash completes commands, commands below them, options and the values of options', () => {
  const expected: [line: string, offered: readonly string[] | ReturnType<typeof expect.arrayContaining>][] = [
    ['cloudjar st', ['start', 'status', 'stop']],
    ['cloudjar ', expect.arrayContaining(['start', 'completion', 'mail'])],
    ['cloudjar clock ', ['advance']],
    ['cloudjar --d', ['--data']],
    ['cloudjar --data x clock adv', ['advance']],
    ['cloudjar --data clock faults ', ['add', 'remove', 'clear']],
    ['cloudjar faults --data=x a', ['add']],
    ['cloudjar start --clo', ['--clock', '--clock-start']],
    ['cloudjar start --clock ', ['shifted', 'virtual', 'system']],
    ['cloudjar start --clock=v', ['virtual']],
    ['cloudjar start --clock virtual --engine s', ['simulated']],
    ['cloudjar limits set x --mode s', ['shadow']],
    ['cloudjar deliveries --state d', ['delivered', 'dead-lettered', 'dropped']],
    ['cloudjar completion p', ['powershell']],
    ['cloudjar mail send --su', ['--subject']],
    ['cloudjar token --us', ['--user']],
    ['cloudjar token --user ', []],
    ['cloudjar start --data ', []],
    ['cloudjar nonsense ', expect.arrayContaining(['start'])],
  ];
  const offered = inBash([...expected.map(([line]) => line), 'cloudjar completion ']);
  expect(offered.slice(0, -1)).toEqual(expected.map(([, words]) => words));
  expect(offered.at(-1)).toEqual(['bash', 'zsh', 'fish', 'powershell']);
});

describe('every command and every option that the help shows is in the script of', () => {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };
  test.each(Object.entries(scripts))('%s', (_name, script) => {
    const text = script(all);
    const words = new Set(text.match(/[\w][\w-]*/g));
    for (const { path, words: below, options } of all) {
      if (path !== '') expect(text).toContain(path);
      for (const { word } of [...below, ...options]) expect(words).toContain(word.replace(/^-+/, ''));
    }
    expect(all.length).toBeGreaterThan(30);
  });
});

test('completion prints the script, without a jar', async () => {
  expect(await runCli(['completion', 'bash'])).toEqual({ code: 0, stdout: bashScript(all), stderr: '' });
  const zsh = await runCli(['--data', 'nowhere', 'completion', 'zsh', '--json']);
  expect(JSON.parse(zsh.stdout)).toEqual({ shell: 'zsh', script: zshScript(all) });
});
