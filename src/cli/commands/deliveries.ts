import { type Command, Option } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import type { OptionNames } from '../own-words.ts';
import { pathSegment } from '../path-segment.ts';
import { count, wholeNumber } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar deliveries
  $ cloudjar deliveries --state dropped --owner 3f2a
  $ cloudjar deliveries show 1ha2b3c4d5000kx7m
  $ cloudjar deliveries replay 1ha2b3c4d5000kx7m
  $ cloudjar deliveries replay --state dead-lettered
  $ cloudjar deliveries purge --state delivered
  $ cloudjar deliveries destinations`;

const DEFAULT_TOP = 50;
const ACTIONS = ['show', 'replay', 'purge', 'destinations'];
const PATH = '/_jar/deliveries';
const FILTERS = [
  'state',
  'service',
  'policy',
  'owner',
  'destination',
  'subject',
  'outcome',
  'status',
  'from',
  'to',
  'filter',
] as const;

const STATES = ['queued', 'delivered', 'dead-lettered', 'dropped', 'cancelled'];

/** The option that sets each query parameter. */
const NAMES: OptionNames = {
  ...Object.fromEntries(FILTERS.map((name) => [name, `--${name}`])),
  $filter: '--filter',
  $top: '--top',
  '?state=dropped': '--state dropped',
};

type FilterOptions = JarCommandOptions & { readonly [Name in (typeof FILTERS)[number]]?: string | number };

interface ListOptions extends FilterOptions {
  readonly top?: number;
}

interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly ms: number;
  readonly status?: number;
  readonly outcome: string;
  readonly error?: string;
  readonly rule: string;
  readonly nextAt?: string;
}

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly policy: string;
  readonly destination: string;
  readonly address: string;
  readonly createdAt: string;
  readonly dueAt?: string;
  readonly rule?: string;
  readonly attempts: number;
  readonly lastAttempt?: Attempt;
}

interface Destination {
  readonly policy: string;
  readonly destination: string;
  readonly address: string;
  readonly state: string;
  readonly failures: number;
  readonly outcome: string;
  readonly until?: string;
  readonly queued: number;
}

export function declare(program: Command): void {
  const deliveries = addFilters(addJarOptions(program.command('deliveries')))
    .description('show deliveries and their outcomes, replay them, or purge them')
    .option('--top <n>', `maximum number, newest first (default ${DEFAULT_TOP})`, count)
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: ListOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = await connect(options, NAMES).list<Delivery>(
        `${PATH}${queryOf(options)}`,
        options.top ?? DEFAULT_TOP,
      );
      const lines = answer.value.map(lineOf);
      if (answer.nextLink !== undefined) lines.push('there are more: use filters, or raise --top');
      print(options, answer, lines.length === 0 ? 'no deliveries match' : lines.join('\n'));
    });
  declareShow(deliveries);
  declareReplay(deliveries);
  declarePurge(deliveries);
  declareDestinations(deliveries);
}

function addFilters(command: Command): Command {
  return command
    .addOption(new Option('--state <state>', 'queued, delivered, dead-lettered, dropped or cancelled').choices(STATES))
    .option('--service <name>', 'of this service')
    .option('--policy <name>', 'by this policy')
    .option('--owner <owner>', 'of this owner, such as a subscription')
    .option('--destination <destination>', 'to this destination')
    .option('--subject <subject>', 'about this')
    .option('--outcome <outcome>', 'by outcome of the last attempt: NotFound, TimedOut, …')
    .option('--status <code>', 'by HTTP status of the last attempt', wholeNumber({ from: 100, to: 599 }))
    .option('--from <time>', 'enqueued at this time or later')
    .option('--to <time>', 'enqueued at this time or earlier')
    .option(
      '--filter <expression>',
      'OData filter for other conditions: "status ge 500 and startswith(subject, \'orders/\')"',
    );
}

function declareShow(deliveries: Command): void {
  addJarOptions(deliveries.command('show'))
    .allowExcessArguments(false)
    .argument('<id>', 'id of the delivery, from the list')
    .description('show one delivery with its attempts and its body')
    .action(async (id: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = await connect(options).get(`${PATH}/${pathSegment(id, 'id of the delivery')}`);
      const { history, body, ...delivery } = answer as Delivery & { history: Attempt[]; body: string };
      print(options, answer, [lineOf(delivery), ...history.map(attemptLine), body].join('\n'));
    });
}

function declareReplay(deliveries: Command): void {
  addFilters(addJarOptions(deliveries.command('replay')))
    .allowExcessArguments(false)
    .argument('[id]', 'id of the delivery; without it, all that match the filters')
    .description('send again, with a full number of attempts and a full time to live')
    .action(async (id: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<FilterOptions>();
      const client = connect(options, NAMES);
      if (id === undefined) {
        const answer = (await client.post(`${PATH}/replay${queryOf(options)}`)) as { replayed: number };
        return print(options, answer, `${counted(answer.replayed)} queued again`);
      }
      refuseFilters(options, 'replay');
      const answer = (await client.post(`${PATH}/${pathSegment(id, 'id of the delivery')}/replay`)) as Delivery;
      print(options, answer, `delivery ${id} is queued again`);
    });
}

function declarePurge(deliveries: Command): void {
  addFilters(addJarOptions(deliveries.command('purge')))
    .allowExcessArguments(false)
    .argument('[id]', 'id of the delivery; without it, all that match the filters, or all deliveries')
    .description('remove deliveries; queued ones are not sent any more')
    .action(async (id: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<FilterOptions>();
      const client = connect(options, NAMES);
      if (id === undefined) {
        const answer = (await client.delete(`${PATH}${queryOf(options)}`)) as { removed: number };
        return print(options, answer, `${counted(answer.removed)} removed`);
      }
      refuseFilters(options, 'purge');
      await client.delete(`${PATH}/${pathSegment(id, 'id of the delivery')}`);
      print(options, { removed: 1 }, `delivery ${id} is removed`);
    });
}

function declareDestinations(deliveries: Command): void {
  addJarOptions(deliveries.command('destinations'))
    .allowExcessArguments(false)
    .description('show failing destinations')
    .action(async (_own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = await connect(options).list<Destination>(`${PATH}/destinations`);
      const lines = answer.value.map(({ state, until, ...each }) => {
        const when = state === 'probation' && until !== undefined ? `probation until ${until}` : state;
        return `${each.address}  ${each.policy}  ${when}  ${each.failures} failed, the last: ${each.outcome}; ${each.queued} queued`;
      });
      print(options, answer, lines.length === 0 ? 'no destination fails' : lines.join('\n'));
    });
}

function queryOf(options: FilterOptions): string {
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = options[name];
    if (value !== undefined) query.set(name === 'filter' ? '$filter' : name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

function refuseFilters(options: FilterOptions, action: string): void {
  const given = FILTERS.find((name) => options[name] !== undefined);
  if (given !== undefined) throw usageError(`deliveries ${action} takes an id or filters such as --${given}, not both`);
}

function lineOf({ id, state, createdAt, dueAt, address, rule, attempts, lastAttempt }: Delivery): string {
  const said = rule ?? lastAttempt?.rule ?? 'not tried yet';
  const due = state === 'queued' && dueAt !== undefined ? `, due ${dueAt}` : '';
  return `${id}  ${createdAt}  ${state.padEnd(13)}  ${address}  ${said}${due} (${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`;
}

function attemptLine({ number, at, ms, status, outcome, error, rule, nextAt }: Attempt): string {
  const what = [status, outcome, error && `"${error}"`].filter((part) => part !== undefined).join(' ');
  return `  ${number}.  ${at}  ${what} in ${ms} ms  ${rule}${nextAt === undefined ? '' : `, next at ${nextAt}`}`;
}

const counted = (count: number): string => (count === 1 ? '1 delivery is' : `${count} deliveries are`);

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ACTIONS);
  const help = near ? `did you mean deliveries ${near}?` : 'there are show, replay, purge and destinations';
  return usageError(`unknown command 'deliveries ${typed}' (${help})`);
}
