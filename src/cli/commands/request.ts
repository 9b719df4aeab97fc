import type { Command } from 'commander';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import type { OptionNames } from '../own-words.ts';
import { pathSegment } from '../path-segment.ts';
import { httpMessages, type ShownRequest } from '../request/message.ts';

const EXAMPLES = `
Examples:
  $ cloudjar tail --ids
  $ cloudjar request mwmguzdq-000000000011
  $ cloudjar request mwmguzdq-000000000011 --send
  $ cloudjar request mwmguzdq-000000000011 --send --fresh-token`;

/** The option that sets each property. */
const NAMES: OptionNames = { token: '--fresh-token' };

type RequestCommandOptions = JarCommandOptions & { readonly send?: boolean; readonly freshToken?: boolean };

interface Sent {
  readonly id?: string;
  readonly status?: number;
  readonly ms: number;
}

export function declare(program: Command): void {
  addJarOptions(program.command('request'))
    .description('show one recent request with its headers and bodies, or send it again')
    .argument('<id>', 'id of the request, from tail --ids')
    .allowExcessArguments(false)
    .option('--send', 'send it to the jar again')
    .option('--fresh-token', 'with --send: with a new token of the same caller, because the old one may have expired')
    .addHelpText('after', EXAMPLES)
    .action(request);
}

async function request(id: string, options: RequestCommandOptions): Promise<void> {
  const { send, freshToken } = options;
  if (freshToken && !send) throw usageError('request accepts --fresh-token only with --send');
  const client = connect(options, NAMES);
  const path = `/_jar/requests/${pathSegment(id, 'id of the request')}`;
  if (!send) {
    const shown = (await client.get(path)) as ShownRequest;
    return print(options, shown, httpMessages(shown));
  }
  const sent = (await client.post(`${path}/send`, freshToken ? { token: 'fresh' } : undefined)) as Sent;
  print(options, sent, sentLine(sent));
}

function sentLine({ id, status, ms }: Sent): string {
  const outcome = status === undefined ? 'there was no answer' : `status ${status}`;
  return `${outcome} in ${ms} ms${id === undefined ? '' : `; cloudjar request ${id} shows it`}`;
}
