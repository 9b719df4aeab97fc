import { type Command, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import type { OptionNames } from '../own-words.ts';
import { pathSegment } from '../path-segment.ts';
import { decimal, milliseconds, wholeNumber } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar faults
  $ cloudjar faults add --path '/subscriptions*' --status 429 --count 3
  $ cloudjar faults add --method PUT --latency 30s --every 5
  $ cloudjar faults add --service resources --drop --share 0.1 --seed 7
  $ cloudjar faults remove k3v9m2xw7bpd
  $ cloudjar faults clear`;

const ACTIONS = ['add', 'remove', 'clear'];

interface Fault {
  readonly id: string;
  readonly match: Readonly<Record<string, unknown>>;
  readonly effect: Readonly<Record<string, unknown>>;
  readonly state: string;
  readonly matched: number;
  readonly hits: number;
  readonly [other: string]: unknown;
}

export function declare(program: Command): void {
  const faults = addJarOptions(program.command('faults'))
    .description('list fault rules with their hits, or add and remove rules')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: JarCommandOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = await connect(options).list<Fault>('/_jar/faults');
      const lines = answer.value.map((fault) => `${fault.id}  ${counted(fault)}  ${described(fault)}`);
      print(options, answer, lines.length === 0 ? 'there are no fault rules' : lines.join('\n'));
    });
  declareAdd(faults);
  addJarOptions(faults.command('remove'))
    .allowExcessArguments(false)
    .argument('<id>', 'id of the rule, from the list')
    .description('remove one rule')
    .action(async (id: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      await connect(options).delete(`/_jar/faults/${pathSegment(id, 'id of the rule')}`);
      print(options, { removed: 1 }, `fault ${id} is removed`);
    });
  addJarOptions(faults.command('clear'))
    .description('remove every rule')
    .action(async (_own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = (await connect(options).delete('/_jar/faults')) as { removed: number };
      print(options, answer, answer.removed === 1 ? '1 fault is removed' : `${answer.removed} faults are removed`);
    });
}

/** The option that sets each field of a rule. */
const NAMES: OptionNames = {
  match: 'the choice of requests (--service, --method, --path, --direction)',
  'match.service': '--service',
  'match.method': '--method',
  'match.path': '--path',
  'match.direction': '--direction',
  effect: 'the effect (--status, --latency, --drop and others)',
  'effect.status': '--status',
  'effect.headers': '--header',
  'effect.body': '--body',
  'effect.throttledAs500': '--throttled-as-500',
  'effect.latencyMs': '--latency',
  'effect.drop': '--drop',
  'effect.dropAnswer': '--drop-answer',
  'effect.slowBodyMs': '--slow-body',
  'effect.cutBodyAfter': '--cut-body-after',
  'effect.duplicate': '--duplicate',
  'effect.outOfOrder': '--out-of-order',
  'effect.afterDelete': '--after-delete',
  count: '--count',
  nth: '--nth',
  every: '--every',
  share: '--share',
  seed: '--seed',
  'DELETE /_jar/faults': 'cloudjar faults clear',
};

/** The options of the effect, by the names that the parser gives them. */
const EFFECTS = [
  ...['status', 'header', 'body', 'throttledAs500', 'latency', 'drop', 'dropAnswer', 'slowBody', 'cutBodyAfter'],
  ...['duplicate', 'outOfOrder', 'afterDelete'],
];

const noEffect = (): Error =>
  usageError(
    `faults add needs an effect: --status, --latency, --drop or another one, such as cloudjar faults add --path '/subscriptions*' --status 429 --count 3`,
  );

interface AddOptions extends JarCommandOptions {
  readonly [name: string]: unknown;
}

function declareAdd(faults: Command): void {
  addJarOptions(faults.command('add'))
    .allowExcessArguments(false)
    .description('add a fault rule: which requests, which effect, and how often')
    .option('--service <name>', 'only requests to this service')
    .option('--method <method>', 'only requests with this method')
    .option('--path <glob>', 'only paths (outbound: addresses) that match; * also matches slashes')
    .addOption(new Option('--direction <which>', 'inbound (default) or outbound').choices(['inbound', 'outbound']))
    .option('--status <code>', 'answer with this status', wholeNumber({ from: 200, to: 599 }))
    .option('--header <name:value>', 'with this header (may be repeated)', header)
    .option('--body <text>', 'with this body; JSON is sent as JSON')
    .option('--throttled-as-500', 'answer 500 with the message of a 429')
    .option('--latency <duration>', "wait this long on the jar's clock first", milliseconds)
    .option('--drop', 'close the connection before the request is processed')
    .option('--drop-answer', 'process the request, then close the connection instead of answering')
    .option('--slow-body <duration>', 'send the body in pieces, each after this pause', milliseconds)
    .option('--cut-body-after <bytes>', 'close the connection after this many bytes of the body', wholeNumber())
    .option('--duplicate', 'deliveries: send twice')
    .option('--out-of-order', 'deliveries: send after the next one')
    .option('--after-delete', 'deliveries: send although the subscription was deleted')
    .option('--count <n>', 'apply only this many times', wholeNumber({ from: 1 }))
    .option('--nth <n>', 'only on the nth match', wholeNumber({ from: 1 }))
    .option('--every <n>', 'only on every nth match', wholeNumber({ from: 1 }))
    .option('--share <0..1>', 'only on this share of the matches', decimal({ from: 0, to: 1 }))
    .option('--seed <seed>', 'seed of the random choice: the same seed hits the same matches')
    .addHelpText('after', EXAMPLES)
    .action(async (_own: unknown, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      if (!EFFECTS.some((name) => options[name] !== undefined)) throw noEffect();
      const fault = (await connect(options, NAMES).post('/_jar/faults', ruleOf(options))) as Fault;
      print(options, fault, `fault ${fault.id} is added: ${described(fault)}`);
    });
}

function ruleOf(options: AddOptions): object {
  const { service, method, path, direction, count, nth, every, share, seed } = options;
  const effect = {
    status: options.status,
    headers: options.header,
    body: typeof options.body === 'string' ? jsonOrText(options.body) : undefined,
    throttledAs500: options.throttledAs500,
    latencyMs: options.latency,
    drop: options.drop,
    dropAnswer: options.dropAnswer,
    slowBodyMs: options.slowBody,
    cutBodyAfter: options.cutBodyAfter,
    duplicate: options.duplicate,
    outOfOrder: options.outOfOrder,
    afterDelete: options.afterDelete,
  };
  return { match: { service, method, path, direction }, effect, count, nth, every, share, seed };
}

const NOTES: Readonly<Record<string, string>> = { exhausted: ' (used up)', disabled: ' (disabled)' };

const counted = ({ hits, matched, state }: Fault): string => `${hits} of ${matched}${NOTES[state] ?? ''}`.padEnd(12);

/** `GET /subscriptions* -> status 429, count 3` */
function described({ match, effect, count, nth, every, share, seed }: Fault): string {
  const { direction, service, method, path } = match;
  const which = [
    direction === 'outbound' ? 'outbound' : undefined,
    service === undefined ? undefined : `service ${service}`,
    method,
    path,
  ].filter((part) => part !== undefined);
  const what = Object.entries({ ...effect, count, nth, every, share, seed }).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value === true ? [name] : [`${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`];
  });
  return `${which.length === 0 ? 'every request' : which.join(' ')} -> ${what.join(', ')}`;
}

function header(typed: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
  const colon = typed.indexOf(':');
  if (colon <= 0) throw new InvalidArgumentError("a header such as 'Retry-After: 5'");
  return { ...others, [typed.slice(0, colon).trim()]: typed.slice(colon + 1).trim() };
}

function jsonOrText(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ACTIONS);
  const help = near ? `did you mean faults ${near}?` : 'there are faults add, faults remove and faults clear';
  return usageError(`unknown command 'faults ${typed}' (${help})`);
}
