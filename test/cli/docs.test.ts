import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

test('docs/cli.md has a section for every command, and no command goes without --json', async () => {
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
