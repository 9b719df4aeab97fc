import { type Command, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import type { OptionNames } from '../own-words.ts';
import { decimal } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar limits
  $ cloudjar limits --name 'management.*' --scope principal=10000000-0000-4000-8000-000000000011
  $ cloudjar limits set management.resource-groups --limit 5
  $ cloudjar limits set management.reads --size 1 --refill 0.1 --scope subscription=10000000-0000-4000-8000-0000000000f1
  $ cloudjar limits set management.reads --mode shadow
  $ cloudjar limits set management.reads --back`;

const LIST_NAMES: OptionNames = {
  name: '--name',
  service: '--service',
  scope: '--scope',
  'GET /_jar/limits': 'cloudjar limits',
};

const NAMES: OptionNames = {
  name: '<name>',
  scope: '--scope',
  limit: '--limit',
  size: '--size',
  refillPerSecond: '--refill',
  windowMs: '--window',
  mode: '--mode',
  'GET /_jar/limits': 'cloudjar limits',
};

interface Limit {
  readonly name: string;
  readonly kind: string;
  readonly window?: string;
  readonly inForce: Numbers & { readonly mode: string };
  readonly overrides: readonly (Numbers & { readonly scope?: Readonly<Record<string, string>> })[];
  readonly refusals: number;
  readonly shadowRefusals: number;
  readonly use: readonly { readonly used: number; readonly maximum: number }[];
  readonly earlyRetries: readonly { readonly client: string; readonly name?: string; readonly times: number }[];
}

interface Numbers {
  readonly limit?: number;
  readonly size?: number;
  readonly refillPerSecond?: number;
  readonly windowMs?: number;
}

interface ListOptions extends JarCommandOptions {
  readonly name?: string;
  readonly service?: string;
  readonly scope?: readonly (readonly [string, string])[];
}

interface SetOptions extends JarCommandOptions {
  readonly limit?: number;
  readonly size?: number;
  readonly refill?: number;
  readonly window?: number;
  readonly mode?: string;
  readonly scope?: readonly (readonly [string, string])[];
  readonly back?: boolean;
}

export function declare(program: Command): void {
  const limits = addJarOptions(program.command('limits'))
    .description('show limits and their use, or change a limit')
    .option('--name <name>', 'only this limit, or all with a prefix: management.*')
    .option('--service <name>', 'only limits of this service')
    .option('--scope <part=value>', 'only the use of this scope (may be repeated)', scopePart)
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: ListOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const value = await list(options);
      print(options, { value }, table(value));
    });
  addJarOptions(limits.command('set'))
    .allowExcessArguments(false)
    .argument('<name>', 'name of the limit, from the list')
    .description('change a limit, for all or for one scope')
    .option('--limit <n>', 'limit of a quota, a window or a concurrency limit', decimal({ from: 0 }))
    .option('--size <n>', 'size of a bucket (burst)', decimal({ from: 0 }))
    .option('--refill <n>', 'refill rate of a bucket, per second', decimal({ from: 0 }))
    .option('--window <ms>', 'of a window: how long', decimal({ from: 0 }))
    .addOption(
      new Option('--mode <mode>', 'enforced, shadow (counts only) or unlimited').choices([
        'enforced',
        'shadow',
        'unlimited',
      ]),
    )
    .option('--scope <part=value>', 'only for this scope (may be repeated)', scopePart)
    .option('--back', 'reset to the declared values')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<SetOptions>();
      const answer = (await connect(options, NAMES).patch('/_jar/limits', await changeOf(name, options))) as {
        value: Limit[];
      };
      print(options, answer, table(answer.value));
    });
}

async function list({ name, service, scope = [], ...options }: ListOptions): Promise<readonly Limit[]> {
  const query = new URLSearchParams();
  for (const [part, value] of scope) query.append('scope', `${part}=${value}`);
  if (name !== undefined) query.set('name', name);
  if (service !== undefined) query.set('service', service);
  return (await connect(options, LIST_NAMES).list<Limit>(`/_jar/limits?${query}`)).value;
}

async function changeOf(name: string, options: SetOptions): Promise<object> {
  const { limit, size, refill, window, mode, scope, back } = options;
  const common = { name, ...(scope && { scope: Object.fromEntries(scope) }) };
  if (!back) return { ...common, limit, size, refillPerSecond: refill, windowMs: window, mode };
  if ([limit, size, refill, window, mode].some((each) => each !== undefined)) {
    throw usageError('--back cannot be combined with other changes: it resets all of them');
  }
  const { value } = (await connect(options, NAMES).get(`/_jar/limits?use=0&name=${encodeURIComponent(name)}`)) as {
    value: Limit[];
  };
  const { mode: _mode, ...numbers } = value[0]?.inForce ?? { mode: '' };
  return { ...common, mode: null, ...Object.fromEntries(Object.keys(numbers).map((field) => [field, null])) };
}

function table(limits: readonly Limit[]): string {
  if (limits.length === 0) return 'no limit matches';
  const rows = limits.map((each) => [
    each.name,
    described(each),
    each.inForce.mode,
    fullest(each),
    `${each.refusals} refused${each.shadowRefusals > 0 ? `, ${each.shadowRefusals} in shadow` : ''}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const lines = rows.map((row, index) =>
    [row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '), ...notes(limits[index] as Limit)].join(
      '\n',
    ),
  );
  return lines.join('\n');
}

function described({ kind, window, inForce }: Limit): string {
  if (kind === 'bucket') return `${inForce.size} and ${rounded(inForce.refillPerSecond ?? 0)}/s`;
  if (kind === 'window') return `${inForce.limit} in ${rounded((inForce.windowMs ?? 0) / 1000)} s (${window})`;
  return kind === 'concurrency' ? `${inForce.limit} at once` : `${inForce.limit}`;
}

function fullest({ use: [first] }: Limit): string {
  return first === undefined ? 'unused' : `${first.used} of ${first.maximum} used`;
}

function notes({ overrides, earlyRetries }: Limit): string[] {
  const scoped = overrides.filter(({ scope }) => scope !== undefined);
  return [
    ...scoped.map(({ scope = {}, ...rest }) => `  for ${pairs(scope)}: ${pairs(rest)}`),
    ...earlyRetries.map(
      ({ client, name, times }) => `  ${name ?? client} retried too early, ${times === 1 ? 'once' : `${times} times`}`,
    ),
  ];
}

const pairs = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function scopePart(text: string, before: readonly (readonly [string, string])[] = []): (readonly [string, string])[] {
  const [, part, value] = /^([A-Za-z0-9]+)=([\s\S]*)$/.exec(text) ?? [];
  if (part === undefined || value === undefined)
    throw new InvalidArgumentError('a scope and its value, such as subscription=VALUE');
  return [...before, [part, value] as const];
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ['set']);
  return usageError(
    `unknown command 'limits ${typed}' (${near ? `did you mean limits ${near}?` : 'there is limits set'})`,
  );
}
