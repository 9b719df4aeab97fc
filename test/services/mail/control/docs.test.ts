import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { declare } from '../../../../src/cli/commands/mail.ts';
import { mailControlErrors } from '../../../../src/services/mail/control/errors.ts';
import { MailOrder } from '../../../../src/services/mail/control/mail-order.ts';
import { mailControl } from '../../../../src/services/mail/control/routes.ts';
import { blocksOf, runTypeScript } from '../../../docs/examples.ts';
import { markedCode, typeScriptOf, withPageJar } from '../../../docs/page-jar.ts';

const PAGE = 'docs/services/mailboxes.md';
const jar = withPageJar();
const textOf = (page: string): string => readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');

it('docs/services/mailboxes.md shows a program that prints what it says', async () => {
  const code = await typeScriptOf(PAGE);
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
  expect((await runTypeScript(code)).trimEnd().split('\n')).toEqual(promised);
});

it('docs/services/mailboxes.md shows a file of tests that pass', async () => {
  const [block, ...more] = (await blocksOf(PAGE)).filter(({ language }) => language === 'js');
  expect(more).toEqual([]);
  // If a test fails, the program exits with a status other than 0.
  expect(await runTypeScript(block?.code ?? '')).toMatch(/\bpass 2\n/);
});

it('docs/services/mailboxes.md shows commands that do what it says', async () => {
  const [sent, , listed] = (await jar.opened.shell(await markedCode(PAGE))).split('\n');
  expect(sent).toMatch(/^it is in the mailbox of admin@vendor\.example: \S{16}$/);
  expect(listed).toMatch(/^\S{16} {2}\S+Z {2}unread {2}Inbox {3}carol@fabrikam\.example {2}Lunch$/);
});

it('docs/services/mailboxes.md names every call, every error and every member of a mail', () => {
  const page = textOf(PAGE);
  for (const { method, path } of mailControl) expect(page).toContain(`\`${method} ${path}\``);
  for (const code of Object.keys(mailControlErrors)) expect(page).toContain(`\`${code}\``);
  const { meeting } = MailOrder.properties;
  for (const name of [...Object.keys(MailOrder.properties), ...Object.keys(meeting.properties)])
    expect(page).toContain(`\`${name}\``);
});

it('docs/reference/cli.md names every command below mail, and all of their options', () => {
  const [, section = ''] = /\n## mail\n([\s\S]*?)\n## /.exec(textOf('docs/reference/cli.md')) ?? [];
  const program = new Command();
  declare(program);
  for (const command of program.commands[0]?.commands ?? []) {
    expect(section).toContain(`mail ${command.name()}`);
    for (const { long } of command.options)
      if (!['--url', '--data', '--json'].includes(long ?? ''))
        expect(section, `${command.name()} ${long}`).toContain(String(long));
  }
});
