import { parseDuration } from '../../time/duration.ts';

/** Simulated behaviour of an image, given by its name: `simulated/NAME:ARGUMENT`, with an optional registry. */
export interface Behaviour {
  /** Runs instead of the container's command. */
  readonly script?: string;
  /** The process is reported as killed for lack of memory. */
  readonly outOfMemory?: boolean;
  /** How the pull fails or is delayed. */
  readonly pull?:
    | { readonly kind: 'denied' | 'needsLogin' }
    | { readonly kind: 'missing'; readonly message?: string }
    | { readonly kind: 'slow'; readonly ms: number }
    | { readonly kind: 'failing'; readonly times: number };
  /** Why the process cannot be started. */
  readonly start?: { readonly message: string; readonly exitCode: number };
  /** Mounting any volume of the group fails. */
  readonly noMount?: true;
  readonly probes?:
    | { readonly kind: 'failFrom' | 'failUntil'; readonly ms: number }
    | { readonly kind: 'take'; readonly ms: number };
  /** The process ignores the request to stop. */
  readonly stubborn?: true;
}

const NAMED = /(?:^|\/)simulated\/([a-z0-9-]+)(?::([\w.-]+))?(?:@[\w:+.-]+)?$/;
const ORDINARY: Behaviour = {};
const SECOND = 1000;

/** Gets the part after the colon and the number of the container's run. */
type Named = (argument: string | undefined, run: number) => Behaviour;

const BEHAVIOURS: Readonly<Record<string, Named>> = {
  exit: (argument = '0') => {
    const [code = '0', after] = argument.split('-after-');
    return { script: `${pauseOf(after, 0)}exit ${wholeNumber(code, 0)}` };
  },
  crash: (argument) => ({ script: `echo 'simulated crash' >&2; ${pauseOf(argument, SECOND)}exit 1` }),
  flaky: (argument, run) =>
    run <= wholeNumber(argument, 1)
      ? { script: `echo 'simulated failure of run ${run}' >&2; exit 1` }
      : { script: `echo 'run ${run} is fine'; sleep infinity` },
  chatty: (argument) => ({
    script: `while true; do echo "$(date +%FT%TZ) $(hostname)"; ${pauseOf(argument, SECOND)}done`,
  }),
  'out-of-memory': (argument) => ({ script: `${pauseOf(argument, 0)}exit 137`, outOfMemory: true }),
  missing: () => ({ pull: { kind: 'missing' } }),
  denied: () => ({ pull: { kind: 'denied' } }),
  private: () => ({ pull: { kind: 'needsLogin' } }),
  'slow-pull': (argument) => ({ pull: { kind: 'slow', ms: durationOf(argument, 30 * SECOND) } }),
  'flaky-pull': (argument) => ({ pull: { kind: 'failing', times: wholeNumber(argument, 1) } }),
  'no-command': () => ({ start: { message: 'the command of the image does not exist', exitCode: 127 } }),
  'not-executable': () => ({ start: { message: 'the command of the image cannot be executed', exitCode: 126 } }),
  'no-mount': () => ({ noMount: true }),
  unhealthy: (argument) => ({ probes: { kind: 'failFrom', ms: durationOf(argument, 0) } }),
  'not-ready': (argument) => ({ probes: { kind: 'failUntil', ms: durationOf(argument, Number.POSITIVE_INFINITY) } }),
  'slow-probe': (argument) => ({ probes: { kind: 'take', ms: durationOf(argument, 5 * SECOND) } }),
  stubborn: () => ({ stubborn: true }),
};

/** All names after `simulated/`. */
export const BEHAVIOUR_NAMES: readonly string[] = Object.keys(BEHAVIOURS);

class BadArgument extends Error {
  override readonly name = 'BadArgument';
}

/** Returns the behaviour of an image. An image with an ordinary name exists and runs its command; without one it runs forever. */
export function behaviourOf(image: string, run: number): Behaviour {
  const [, name, argument] = NAMED.exec(image) ?? [];
  if (name === undefined) return ORDINARY;
  if (!Object.hasOwn(BEHAVIOURS, name)) {
    return missing(`there is no simulated image '${name}'; available: ${BEHAVIOUR_NAMES.join(', ')}`);
  }
  try {
    return (BEHAVIOURS[name] as Named)(argument === 'latest' ? undefined : argument, run);
  } catch (error) {
    if (!(error instanceof BadArgument)) throw error;
    return missing(`the tag of 'simulated/${name}' must be ${error.message}`);
  }
}

const missing = (message: string): Behaviour => ({ pull: { kind: 'missing', message } });

/** The registry host in an image's name; Docker Hub by default. */
export function registryOf(image: string): string {
  const first = image.includes('/') ? (image.split('/', 1)[0] as string) : '';
  return /[.:]/.test(first) || first === 'localhost' ? first.toLowerCase() : 'docker.io';
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,6}$/.test(text)) throw new BadArgument('a whole number');
  return Number(text);
}

function durationOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  try {
    return parseDuration(text);
  } catch {
    throw new BadArgument("a duration such as '30s' or '1h30m'");
  }
}

function pauseOf(text: string | undefined, otherwise: number): string {
  const ms = durationOf(text, otherwise);
  return ms === 0 ? '' : `sleep ${ms / SECOND}; `;
}
