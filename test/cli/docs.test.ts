import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { azureCliLines } from '../../src/cli/doctor/azure-cli.ts';
import { runCli, startCli } from './cli.ts';

const page = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');

test('docs/reference/cli.md has a section for every command, and no command goes without --json', async () => {
  for (const [name, load] of Object.entries(COMMANDS)) {
    const program = new Command();
    (await load()).declare(program);
    expect(program.commands.map((command) => command.name())).toEqual([name]);
    expect(page).toMatch(new RegExp(`^## ${name}$`, 'm'));
    expect(page).toContain(`| [\`${name}\`](#${name}) |`);
    for (const command of [...program.commands, ...program.commands.flatMap((each) => each.commands)]) {
      expect(command.options.map(({ long }) => long)).toContain('--json');
    }
  }
});

test('the mistakes of docs/reference/cli.md are reported as the page says', async () => {
  const [, block = ''] = /mistake in the arguments is reported in one line[^`]*```console\n([^`]*)```/.exec(page) ?? [];
  const { folder } = await startCli(['--memory', '--smtp-port', '0']);
  const examples = Array.from(block.matchAll(/^\$ npx cloudjar (.*)\n(.*)\n/gm));
  expect(examples.length).toBeGreaterThan(4);
  for (const [, line = '', told] of examples) {
    const result = await runCli(line.split(' '), { env: { CLOUDJAR_DATA: folder } });
    expect(result, line).toEqual({ code: 2, stdout: '', stderr: `${told}\n` });
  }
});

test('docs/guides/azure-cli.md begins with the lines that doctor prints', () => {
  const guide = readFileSync(new URL('../../docs/guides/azure-cli.md', import.meta.url), 'utf8');
  const [, block] = /```sh\n([^`]*)```/.exec(guide) ?? [];
  expect(block).toBe(`${azureCliLines('.cloudjar/ca.pem', 'https://localhost:7443').join('\n')}\n`);
});
