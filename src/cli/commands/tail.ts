import type { Command } from 'commander';
import { styleOf } from '../../kernel/telemetry/colours.ts';
import { printable } from '../../kernel/telemetry/printable.ts';
import { usageError } from '../errors.ts';
import { findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions } from '../jar-command.ts';
import type { StreamEvent } from '../tail/events.ts';
import { follow } from '../tail/follow.ts';
import { type TailedRequest, tailLine } from '../tail/lines.ts';
import { untilEnded, written } from '../until-ended.ts';
import { wholeNumber } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar tail
  $ cloudjar tail --status 4xx --last 20
  $ cloudjar tail --service resources --path '*/resourceGroups/*' --method PUT
  $ cloudjar tail --deliveries
  $ cloudjar tail --json | jq -r 'select(.ms > 100) | .path'`;

const MOST_LAST = 10_000;
const STREAM = '/_jar/requests/live';
const FILTERS = ['service', 'path', 'status', 'method'] as const;

type TailOptions = JarCommandOptions & { readonly [Name in (typeof FILTERS)[number]]?: string } & {
  readonly deliveries?: boolean;
  readonly requests?: boolean;
  readonly last?: number;
  readonly ids?: boolean;
  readonly wait: boolean;
};

export function declare(program: Command): void {
  addJarOptions(program.command('tail'))
    .description('show requests and deliveries as they happen, until Ctrl-C')
    .allowExcessArguments(false)
    .option('--service <name>', 'of this service')
    .option('--path <glob>', "only matching paths: '*' matches any characters")
    .option('--status <status>', '404, 4xx, >=400, or none for requests without an answer')
    .option('--method <method>', 'by this method')
    .option('--requests', 'only requests to the jar')
    .option('--deliveries', 'only deliveries of the jar')
    .option('--last <n>', 'start with the last n entries that the jar has kept', wholeNumber({ to: MOST_LAST }))
    .option('--ids', 'begin lines with the id, for the command request')
    .option('--no-wait', 'end when the jar disconnects, instead of waiting for it')
    .addHelpText('after', EXAMPLES)
    .action(tail);
}

async function tail(options: TailOptions): Promise<void> {
  const { stdout, stderr } = process;
  const note = (text: string): void => void stderr.write(`cloudjar: ${text}\n`);
  const lineOf = ({ event, data }: StreamEvent): string | undefined => {
    if (options.json) return printable(data);
    if (event === 'dropped') return undefined;
    const entry = JSON.parse(data) as TailedRequest;
    const line = tailLine(entry, styleOf(stdout, process.env));
    return options.ids ? `${printable(entry.id)}  ${line}` : line;
  };
  await untilEnded((signal) =>
    follow({
      find: () => findJar(options),
      path: `${STREAM}${queryOf(options)}`,
      last: options.last,
      wait: options.wait,
      signal,
      async show(event) {
        const line = lineOf(event);
        if (line === undefined) note(droppedNote(event));
        else await written(`${line}\n`);
      },
      note,
    }),
  );
}

function droppedNote({ data }: StreamEvent): string {
  const { dropped } = JSON.parse(data) as { dropped: number };
  return `${dropped} ${dropped === 1 ? 'entry was' : 'entries were'} dropped, since they came faster than they were read`;
}

function queryOf({ requests, deliveries, ...options }: TailOptions): string {
  if (requests && deliveries)
    throw usageError('tail accepts --requests or --deliveries, not both: without them it shows both');
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = options[name];
    if (value !== undefined) query.set(name, value);
  }
  if (requests) query.set('direction', 'inbound');
  if (deliveries) query.set('direction', 'outbound');
  return query.size === 0 ? '' : `?${query}`;
}
