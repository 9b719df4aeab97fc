import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { declare } from '../../../src/cli/commands/datasets.ts';
import { bulkErrors } from '../../../src/services/datasets/bulk/errors.ts';
import { bulkRoutes } from '../../../src/services/datasets/control/bulk-routes.ts';

const [, section = ''] =
  /\n## datasets\n([\s\S]*?)\n## /.exec(
    readFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8'),
  ) ?? [];

it('docs/reference/cli.md names every command below datasets, and all of their options', () => {
  const program = new Command();
  declare(program);
  const [datasets] = program.commands;
  for (const command of datasets?.commands ?? []) {
    expect(section).toContain(`datasets ${command.name()}`);
    for (const { long } of command.options)
      if (long !== '--url' && long !== '--data') expect(section, `${command.name()} ${long}`).toContain(String(long));
  }
});

it('docs/reference/cli.md names every error and every call', () => {
  for (const code of Object.keys(bulkErrors)) expect(section).toContain(`\`${code}\``);
  for (const { method, path } of bulkRoutes)
    expect(section).toContain(`\`${method} ${path.replace('{dataset}', '{id}')}\``);
});
