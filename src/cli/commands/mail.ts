import type { Command } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { readAnswer } from '../control-client.ts';
import { usageError } from '../errors.ts';
import type { FoundJar } from '../find-jar.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import type { DetailsAnswer, KeptAnswer, MailboxAnswer, MessageAnswer } from '../mail/answers.ts';
import { saveAttachments } from '../mail/save.ts';
import { SEND_NAMES, type SendOptions, sendMail } from '../mail/send.ts';
import { keptTable, mailboxTable, messageTable, messageText, printable } from '../mail/show.ts';
import { pathSegment } from '../path-segment.ts';
import { begin, plain, textOf } from '../transfer.ts';
import { count, several, someDuration } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar mail
  $ cloudjar mail send --to admin --from carol@fabrikam.example --subject Lunch --text "At noon?"
  $ cloudjar mail send --to admin --file invitation.eml
  $ cloudjar mail send --to admin --invite --organizer carol@fabrikam.example --subject Review --start 2027-01-05T09:00:00Z --duration 45m
  $ cloudjar mail list admin --unread
  $ cloudjar mail show admin Zk3vQ8xw7bpd2mNa --attachments files
  $ cloudjar mail kept`;

const ACTIONS = ['send', 'list', 'show', 'kept'];
const DEFAULT_TOP = 50;
const MAILBOXES = '/_jar/mail/mailboxes';
const KEPT = '/_jar/mail/kept';
const LIST_NAMES = { $filter: '--filter', $top: '--top', folder: '--folder' };

interface ListOptions extends JarCommandOptions {
  readonly unread?: boolean;
  readonly from?: string;
  readonly subject?: string;
  readonly folder?: string;
  readonly filter?: string;
  readonly top?: number;
}

interface KeptOptions extends JarCommandOptions {
  readonly remove?: boolean;
  readonly clear?: boolean;
  readonly to?: string;
  readonly top?: number;
}

interface ShowOptions extends JarCommandOptions {
  readonly source?: boolean;
  readonly attachments?: string;
}

export function declare(program: Command): void {
  const mail = addJarOptions(program.command('mail'))
    .description('show mailboxes and their messages, and send mail into them')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: JarCommandOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = await connect(options).list<MailboxAnswer>(`${MAILBOXES}?$orderby=address`);
      print(options, answer, mailboxTable(answer.value));
    });
  declareSend(mail);
  declareList(mail);
  declareShow(mail);
  declareKept(mail);
}

function declareSend(mail: Command): void {
  action(mail, 'send', 'deliver a mail to mailboxes of the jar, as if received by SMTP')
    .option('--to <address>', 'a user of the jar by alias or address (may be repeated)', several)
    .option('--cc <address>', 'the same, as copy recipients', several)
    .option('--from <address>', 'the sender, in the jar or elsewhere (default: sender@example.com)')
    .option('--subject <text>', 'the subject')
    .option('--text <text>', 'the body; - is standard input')
    .option('--html <html>', 'the body as HTML')
    .option('--attach <file>', 'an attachment (may be repeated)', several)
    .option('--file <file>', 'a complete MIME message (.eml) instead; - is standard input. --to names the recipients')
    .option('--invite', 'a meeting request')
    .option('--start <time>', "start or day of the meeting (default: the next full hour by the jar's clock)")
    .option('--duration <duration>', 'duration of the meeting, such as 45m (default: 30m)', someDuration)
    .option('--time-zone <zone>', 'time zone of a start without one (default: UTC)')
    .option('--location <text>', 'location of the meeting')
    .option('--organizer <address>', 'organizer of the meeting (default: the sender)')
    .action(async (_own: unknown, command: Command) => {
      const options = command.optsWithGlobals<SendOptions>();
      const answer = await sendMail(connect(options, SEND_NAMES), options);
      const lines = answer.recipients.map(({ mailbox, id }) =>
        id === null ? `a rule of the mailbox ${mailbox} removed it` : `it is in the mailbox of ${mailbox}: ${id}`,
      );
      print(options, answer, lines.join('\n'));
    });
}

function declareList(mail: Command): void {
  action(mail, 'list', 'list the messages of a mailbox, the newest first')
    .argument('[user]', 'alias or address (default: admin)')
    .option('--unread', 'only unread messages')
    .option('--from <text>', 'only from addresses that contain this')
    .option('--subject <text>', 'only with a subject that contains this')
    .option('--folder <name>', 'only in this folder, such as inbox or "Sent Items"')
    .option('--filter <expression>', 'OData filter for other conditions: "hasAttachments and size gt 1000"')
    .option('--top <n>', `maximum number (default ${DEFAULT_TOP})`, count)
    .action(async (user: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const path = `${mailboxPath(user ?? 'admin')}/messages${queryOf(options)}`;
      const answer = await connect(options, LIST_NAMES).list<MessageAnswer>(path, options.top ?? DEFAULT_TOP);
      print(options, answer, messageTable(answer.value, answer.nextLink !== undefined));
    });
}

function declareShow(mail: Command): void {
  action(mail, 'show', 'show one message')
    .argument('<user>', 'alias or address')
    .argument('<id>', 'id of the message, from the list')
    .option('--source', 'print the message as MIME, and nothing else')
    .option('--attachments <folder>', 'write the attachments into this folder')
    .action(async (user: string, id: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<ShowOptions>();
      const path = `${mailboxPath(user)}/messages/${pathSegment(id, 'id of the message')}`;
      const client = connect(options);
      if (options.source) return printSource(client.jar, path, options);
      const message = (await client.get(path)) as DetailsAnswer;
      const folder = options.attachments;
      const saved = folder === undefined ? [] : await saveAttachments(client.jar, path, message.attachments, folder);
      print(options, folder === undefined ? message : { ...message, saved }, messageText(message, saved));
    });
}

function declareKept(mail: Command): void {
  action(mail, 'kept', 'show mail to other domains that was kept because no relay is configured')
    .argument('[id]', 'id of a kept mail, which is printed as MIME')
    .option('--remove', 'remove it instead')
    .option('--clear', 'remove all kept mail')
    .option('--to <address>', 'only to this address')
    .option('--top <n>', `maximum number (default ${DEFAULT_TOP})`, count)
    .action(async (id: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<KeptOptions>();
      const client = connect(options, { $filter: '--to', $top: '--top', 'GET /_jar/mail/kept': 'cloudjar mail kept' });
      const alone = wrongTogether(id, options);
      if (alone !== undefined) throw usageError(alone);
      if (options.clear) {
        const answer = (await client.delete(KEPT)) as { readonly removed: number };
        return print(options, answer, `removed ${answer.removed === 1 ? 'one mail' : `${answer.removed} mails`}`);
      }
      if (id === undefined) {
        const filter =
          options.to === undefined ? '' : `?${new URLSearchParams({ $filter: `to eq ${quoted(options.to)}` })}`;
        const answer = await client.list<KeptAnswer>(`${KEPT}${filter}`, options.top ?? DEFAULT_TOP);
        return print(options, answer, keptTable(answer.value, answer.nextLink !== undefined));
      }
      const path = `${KEPT}/${pathSegment(id, 'id of the mail')}`;
      if (!options.remove) return writeSource(client.jar, `${path}/source`);
      await client.delete(path);
      print(options, { removed: 1 }, 'removed one mail');
    });
}

function wrongTogether(id: string | undefined, { remove, clear, to, top, json }: KeptOptions): string | undefined {
  if (remove && id === undefined) return '--remove needs the id of a kept mail; --clear removes all';
  if (clear && id !== undefined) return '--clear removes all kept mail; leave out the id, or remove one with --remove';
  if (id !== undefined && !remove && json) return 'a kept mail is printed as MIME and nothing else; leave out --json';
  if ((clear || id !== undefined) && (to !== undefined || top !== undefined))
    return '--to and --top apply only to the list';
  return undefined;
}

async function printSource(jar: FoundJar, path: string, { json, attachments }: ShowOptions): Promise<void> {
  if (json || attachments !== undefined)
    throw usageError('--source prints the message and nothing else; leave out --json and --attachments');
  return writeSource(jar, `${path}/source`);
}

/** Raw bytes, unless standard output is a terminal, which would interpret control characters. */
async function writeSource(jar: FoundJar, path: string): Promise<void> {
  const response = await begin(jar, 'GET', path);
  if (response.statusCode !== 200) readAnswer(jar, { ...plain(response), text: await textOf(response) });
  if (process.stdout.isTTY) process.stdout.write(printable(await textOf(response)));
  else for await (const part of response) process.stdout.write(part);
}

function action(parent: Command, name: string, description: string): Command {
  return addJarOptions(parent.command(name)).allowExcessArguments(false).description(description);
}

const mailboxPath = (user: string): string => `${MAILBOXES}/${pathSegment(user, 'user')}`;

function queryOf({ unread, from, subject, folder, filter }: ListOptions): string {
  const filters = [
    ...(unread ? ['isRead eq false'] : []),
    ...(from === undefined ? [] : [`contains(from, ${quoted(from)})`]),
    ...(subject === undefined ? [] : [`contains(subject, ${quoted(subject)})`]),
    ...(filter === undefined ? [] : [`(${filter})`]),
  ];
  const query = new URLSearchParams();
  if (filters.length > 0) query.set('$filter', filters.join(' and '));
  if (folder !== undefined) query.set('folder', folder);
  return query.size === 0 ? '' : `?${query}`;
}

/** A string literal in a filter. */
const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ACTIONS);
  const hint = near ? `did you mean mail ${near}?` : `there are ${ACTIONS.join(', ')}`;
  return usageError(`unknown command 'mail ${typed}' (${hint})`);
}
