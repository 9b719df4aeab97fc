import { DEFAULT_DATE, formatDate } from './dates.ts';
import { Exit, Forever, LeaveLoop, type Machine } from './machine.ts';
import { test } from './test-command.ts';

/** What a command writes, and how it ended. */
export interface Done {
  readonly status: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

export type Command = (args: readonly string[], machine: Machine) => Done;

const OK: Done = { status: 0 };
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', e: '\u001b', a: '\u0007' };

const fail = (name: string, message: string, status = 1): Done => ({ status, stderr: `${name}: ${message}\n` });
const withEscapes = (text: string): string =>
  text.replace(/\\([ntr\\ea])/g, (_, char: string) => ESCAPES[char] as string);

/** A number of a command line, such as an exit code. */
const numberOf = (text: string | undefined, otherwise: number): number => {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isNaN(value) ? otherwise : value;
};

/** All commands that are understood. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ':': () => OK,
  true: () => OK,
  false: () => ({ status: 1 }),
  echo,
  printf,
  sleep,
  exit: (args, machine) => {
    throw new Exit(numberOf(args[0], machine.status) & 255);
  },
  break: () => {
    throw new LeaveLoop(false);
  },
  continue: () => {
    throw new LeaveLoop(true);
  },
  env: (_, machine) => ({
    status: 0,
    stdout: [...machine.exported].map((name) => `${name}=${machine.variables.get(name) ?? ''}\n`).join(''),
  }),
  printenv,
  hostname: (_, machine) => ({ status: 0, stdout: `${machine.hostname}\n` }),
  whoami: () => ({ status: 0, stdout: 'root\n' }),
  uname: () => ({ status: 0, stdout: 'Linux\n' }),
  pwd: (_, machine) => ({ status: 0, stdout: `${machine.directory}\n` }),
  cd: (args, machine) => {
    machine.directory = machine.path(args[0] ?? '/');
    return OK;
  },
  date,
  cat,
  ls,
  touch: (args, machine) => {
    for (const name of args) machine.write(machine.path(name), '', true);
    return OK;
  },
  rm,
  mkdir: () => OK,
  chmod: () => OK,
  seq,
  test: (args, machine) => ({ status: test(args, machine) }),
  '[': (args, machine) =>
    args.at(-1) === ']' ? { status: test(args.slice(0, -1), machine) } : fail('[', "missing ']'", 2),
  export: (args, machine) => {
    for (const arg of args) {
      const [name = '', ...value] = arg.split('=');
      if (value.length > 0) machine.set(name, value.join('='));
      machine.exported.add(name);
    }
    return OK;
  },
  unset: (args, machine) => {
    for (const name of args) {
      machine.variables.delete(name);
      machine.exported.delete(name);
    }
    return OK;
  },
  set: (args, machine) => {
    for (const arg of args) if (/^[-+]\w*e/.test(arg)) machine.stopsOnError = arg.startsWith('-');
    return OK;
  },
  trap: () => OK,
  wait: () => OK,
  tail: (args, machine) => {
    if (args.includes('-f') || args.includes('-F')) throw new Forever();
    return cat(
      args.filter((arg) => !arg.startsWith('-')),
      machine,
    );
  },
};

function echo(args: readonly string[]): Done {
  let from = 0;
  let newline = true;
  let escapes = false;
  while (/^-[neE]+$/.test(args[from] ?? '')) {
    const flags = args[from] as string;
    if (flags.includes('n')) newline = false;
    if (flags.includes('e')) escapes = true;
    from++;
  }
  const text = args.slice(from).join(' ');
  return { status: 0, stdout: (escapes ? withEscapes(text) : text) + (newline ? '\n' : '') };
}

/** Each round through the format takes arguments, until there are none. */
function printf([format = '', ...args]: readonly string[]): Done {
  let out = '';
  let at = 0;
  do {
    const before = at;
    out += withEscapes(format).replace(/%(?:-?\d*)([sdi%b])/g, (_, code: string) => {
      if (code === '%') return '%';
      const value = args[at++] ?? '';
      return code === 's' ? value : code === 'b' ? withEscapes(value) : String(numberOf(value, 0));
    });
    if (at === before) break;
  } while (at < args.length);
  return { status: 0, stdout: out };
}

function sleep(args: readonly string[], machine: Machine): Done {
  let ms = 0;
  for (const arg of args) {
    if (arg === 'infinity' || arg === 'inf') throw new Forever();
    const found = /^(\d{1,12}(?:\.\d{1,6})?)([smhd]?)$/.exec(arg);
    if (!found) return fail('sleep', `invalid number '${arg.slice(0, 40)}'`);
    ms += Math.round(Number(found[1]) * (SECONDS[found[2] ?? ''] as number) * 1000);
  }
  if (args.length === 0) return fail('sleep', 'missing operand');
  machine.pass(ms);
  return OK;
}

function printenv(args: readonly string[], machine: Machine): Done {
  if (args.length === 0) return (COMMANDS.env as Command)(args, machine);
  const values = args.filter((name) => machine.exported.has(name)).map((name) => `${machine.variables.get(name)}\n`);
  return { status: values.length === args.length ? 0 : 1, stdout: values.join('') };
}

function date(args: readonly string[], machine: Machine): Done {
  const format = args.find((arg) => arg.startsWith('+'))?.slice(1);
  const iso = args.some((arg) => /^(-I|--iso-8601)/.test(arg)) ? '%FT%T+00:00' : DEFAULT_DATE;
  return { status: 0, stdout: `${formatDate(machine.time, format ?? iso)}\n` };
}

function cat(args: readonly string[], machine: Machine): Done {
  let stdout = '';
  let stderr = '';
  for (const name of args) {
    const content = machine.files.get(machine.path(name));
    if (content !== undefined) stdout += content;
    else if (name !== '/dev/null') stderr += `cat: can't open '${name}': No such file or directory\n`;
  }
  machine.spend(stdout.length);
  return { status: stderr === '' ? 0 : 1, stdout, stderr };
}

function ls(args: readonly string[], machine: Machine): Done {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const place = machine.path(names[0] ?? '.');
  if (machine.files.has(place)) return { status: 0, stdout: `${names[0]}\n` };
  const prefix = place === '/' ? '/' : `${place}/`;
  const found = new Set<string>();
  for (const path of machine.files.keys()) {
    if (path.startsWith(prefix)) found.add(path.slice(prefix.length).split('/', 1)[0] as string);
  }
  if (found.size === 0 && names.length > 0) return fail('ls', `${names[0]}: No such file or directory`);
  return {
    status: 0,
    stdout: [...found]
      .sort()
      .map((name) => `${name}\n`)
      .join(''),
  };
}

function rm(args: readonly string[], machine: Machine): Done {
  const forced = args.some((arg) => /^-\w*f/.test(arg));
  for (const name of args.filter((arg) => !arg.startsWith('-'))) {
    const path = machine.path(name);
    let found = machine.files.delete(path);
    for (const other of machine.files.keys()) {
      if (other.startsWith(`${path}/`)) found = machine.files.delete(other);
    }
    if (!found && !forced) return fail('rm', `can't remove '${name}': No such file or directory`);
  }
  return OK;
}

const LONGEST_SEQUENCE = 10_000;

function seq(args: readonly string[]): Done {
  const numbers = args.map((arg) => numberOf(arg, Number.NaN));
  if (numbers.some(Number.isNaN) || numbers.length === 0 || numbers.length > 3) return fail('seq', 'invalid number');
  const first = numbers.length > 1 ? (numbers[0] as number) : 1;
  const by = numbers.length > 2 ? (numbers[1] as number) : 1;
  const last = numbers.at(-1) as number;
  if (by === 0) return fail('seq', 'invalid increment');
  const count = Math.min(Math.floor((last - first) / by) + 1, LONGEST_SEQUENCE);
  const values = Array.from({ length: Math.max(0, count) }, (_, i) => first + i * by);
  return { status: 0, stdout: values.map((value) => `${value}\n`).join('') };
}
