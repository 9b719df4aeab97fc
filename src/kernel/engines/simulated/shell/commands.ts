import { DEFAULT_DATE, formatDate } from './dates.ts';
import { Exit, Forever, LeaveLoop, type Machine } from './machine.ts';
import { printf, withEscapes } from './printf.ts';
import { test } from './test-command.ts';

/** Output and exit status of a command. */
export interface Done {
  readonly status: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

export type Command = (args: readonly string[], machine: Machine) => Done;

const OK: Done = { status: 0 };
const BAD_USAGE = 2;
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
const fail = (name: string, message: string, status = 1): Done => ({ status, stderr: `${name}: ${message}\n` });

/** Parses a numeric argument, for example an exit code. */
const numberOf = (text: string | undefined, otherwise: number): number => {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isNaN(value) ? otherwise : value;
};

/** All commands that the shell knows. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ':': () => OK,
  true: () => OK,
  false: () => ({ status: 1 }),
  echo,
  printf,
  sleep,
  exit: ([code], machine) => {
    if (code !== undefined && !/^\d+$/.test(code)) throw new Exit(BAD_USAGE);
    throw new Exit(numberOf(code, machine.status) & 255);
  },
  break: (args, machine) => leaveLoop(args, machine, false),
  continue: (args, machine) => leaveLoop(args, machine, true),
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
  mkdir,
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
  set,
  trap: () => OK,
  wait: () => OK,
  tail,
};

function leaveLoop([count]: readonly string[], machine: Machine, isContinue: boolean): Done {
  if (machine.loops === 0) return OK;
  machine.status = 0;
  throw new LeaveLoop(isContinue, Math.min(Math.max(1, numberOf(count, 1)), machine.loops));
}

function set(args: readonly string[], machine: Machine): Done {
  for (const [i, arg] of args.entries()) {
    if (arg === '--' || !/^[-+]/.test(arg)) {
      machine.parameters = [machine.parameters[0] as string, ...args.slice(arg === '--' ? i + 1 : i)];
      break;
    }
    if (arg.includes('e')) machine.stopsOnError = arg.startsWith('-');
    if (arg.includes('u')) machine.stopsOnUnset = arg.startsWith('-');
    // `-o` takes an option name; none of them matters here.
    if (arg.endsWith('o')) break;
  }
  return OK;
}

function tail(args: readonly string[], machine: Machine): Done {
  let lines = '10';
  const names: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    const [, attached] = /^-n?([-+]?\d+)$/.exec(arg) ?? [];
    if (/^-[fF]/.test(arg)) throw new Forever();
    else if (attached !== undefined) lines = attached;
    else if (arg === '-n') lines = args[++i] ?? '';
    else if (arg.startsWith('-')) return fail('tail', `'${arg.slice(0, 40)}' is not supported`);
    else names.push(arg);
  }
  if (!/^[-+]?\d+$/.test(lines)) return fail('tail', `invalid number '${lines.slice(0, 40)}'`);
  const { stdout = '', ...rest } = cat(names, machine);
  const all = stdout.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const from = lines.startsWith('+')
    ? Math.max(0, Number(lines) - 1)
    : Math.max(0, all.length - Math.abs(Number(lines)));
  return { ...rest, stdout: all.slice(from).join('') };
}

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

function sleep(args: readonly string[], machine: Machine): Done {
  let ms = 0;
  for (const arg of args) {
    if (arg === 'infinity' || arg === 'inf') throw new Forever();
    const found = /^((?:\d{1,12}(?:\.\d{0,6})?)|\.\d{1,6})([smhd]?)$/.exec(arg);
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
    machine.spend(content?.length ?? 0);
    if (content !== undefined) stdout += content;
    else if (name !== '/dev/null') stderr += `cat: can't open '${name}': No such file or directory\n`;
  }
  return { status: stderr === '' ? 0 : 1, stdout, stderr };
}

function mkdir(args: readonly string[], machine: Machine): Done {
  const forced = args.some((arg) => /^-\w*p/.test(arg));
  for (const name of args.filter((arg) => !arg.startsWith('-'))) {
    const path = machine.path(name);
    if (machine.files.has(path) || (machine.isDirectory(path) && !forced)) {
      return fail('mkdir', `can't create directory '${name}': File exists`);
    }
    machine.write(`${path}/`, '', true);
  }
  return OK;
}

function ls(args: readonly string[], machine: Machine): Done {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const place = machine.path(names[0] ?? '.');
  if (machine.files.has(place)) return { status: 0, stdout: `${names[0]}\n` };
  const prefix = place === '/' ? '/' : `${place}/`;
  const found = new Set<string>();
  for (const path of machine.files.keys()) {
    if (path.startsWith(prefix) && path !== prefix) found.add(path.slice(prefix.length).split('/', 1)[0] as string);
  }
  if (found.size === 0 && names.length > 0 && !machine.isDirectory(place))
    return fail('ls', `${names[0]}: No such file or directory`);
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
  const recursive = args.some((arg) => /^-\w*[rR]/.test(arg));
  for (const name of args.filter((arg) => !arg.startsWith('-'))) {
    const path = machine.path(name);
    if (!recursive && machine.isDirectory(path)) return fail('rm', `'${name}' is a directory`);
    let found = machine.files.delete(path);
    for (const other of machine.files.keys()) {
      if (other.startsWith(`${path}/`)) found = machine.files.delete(other);
    }
    if (!found && !forced) return fail('rm', `can't remove '${name}': No such file or directory`);
  }
  return OK;
}

const LONGEST_SEQUENCE = 10_000;
const DECIMAL = /^-?(?:\d{1,15}(?:\.(\d{1,6}))?)$/;

function seq(args: readonly string[]): Done {
  const wrong = args.find((arg) => !DECIMAL.test(arg));
  if (wrong !== undefined || args.length === 0 || args.length > 3)
    return fail('seq', `invalid number '${wrong ?? ''}'`);
  const numbers = args.map(Number);
  const decimals = Math.max(...args.map((arg) => DECIMAL.exec(arg)?.[1]?.length ?? 0));
  const first = numbers.length > 1 ? (numbers[0] as number) : 1;
  const by = numbers.length > 2 ? (numbers[1] as number) : 1;
  const last = numbers.at(-1) as number;
  if (by === 0) return fail('seq', 'invalid increment');
  const count = Math.max(0, Math.floor((last - first) / by + 1e-9) + 1);
  if (count > LONGEST_SEQUENCE) throw new Forever();
  const values = Array.from({ length: count }, (_, i) => `${(first + i * by).toFixed(decimals)}\n`);
  return { status: 0, stdout: values.join('') };
}
