/** What a process has written, and when by the jar's clock. */
export interface Output {
  readonly at: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Thrown inside: nothing more comes of this process in the time that is of interest, and it does not end. */
export class Forever extends Error {
  override readonly name = 'Forever';
}

/** Thrown inside: the process, or the subshell, ends here. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;

  constructor(code: number) {
    super();
    this.code = code;
  }
}

export class LeaveLoop extends Error {
  override readonly name = 'LeaveLoop';
  /** The loop goes on with its next round. */
  readonly goesOn: boolean;
  /** How many loops it is about, the innermost first. */
  readonly loops: number;

  constructor(goesOn: boolean, loops: number) {
    super();
    this.goesOn = goesOn;
    this.loops = loops;
  }
}

/** How much a process may do before it is taken to run for ever; a loop without an end does not count. */
const MOST_STEPS = 20_000;
const MOST_ROUNDS = 10_000;
const MOST_CHARACTERS = 16_000_000;
/** All rounds of an endless loop together. */
export const MOST_STEPS_IN_ALL = 250_000;
const MOST_CHARACTERS_IN_ALL = 4 * MOST_CHARACTERS;
/** The end of the year 9999: what lasts longer lasts for ever. */
const LAST_MOMENT = 253_402_300_799_999;
/** No single value, and no file, gets longer. */
export const LONGEST_VALUE = 65_536;
const MOST_FILES = 1_000;
/** Every image is taken to have these. */
const USUAL_FOLDERS = new Set(['/', '/bin', '/dev', '/etc', '/home', '/root', '/tmp', '/usr', '/var']);

export interface MachineOptions {
  readonly startedAt: number;
  readonly environment: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly hostname: string;
  /** Output of before this time is of no interest beyond what a log keeps: an endless loop may jump there. */
  readonly interestedFrom?: number;
  /** What comes later is of no interest: the process is left there, with its files as they are at that time. */
  readonly until?: number;
  /** So many lines of its output, from the end, are of interest; none: only its files are. */
  readonly lines?: number;
  /** Only when it ends matters. */
  readonly onlyItsEnd?: boolean;
  /** Steps of all rounds of an endless loop together, where fewer are wanted than usual. */
  readonly mostSteps?: number;
  /** For `exec`: a command that is not known is an error then, rather than a server of some kind. */
  readonly interactive?: boolean;
}

/** The state of a process of the simulated shell. Time passes in it by `sleep` and by nothing else. */
export class Machine {
  time: number;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  /** By path; an empty folder is a name that ends in a slash. */
  readonly files: Map<string, string>;
  /** `$0` and, from the second on, `$1` and so forth. */
  parameters: readonly string[] = ['sh'];
  readonly hostname: string;
  readonly interestedFrom: number;
  readonly wantedLines: number;
  readonly onlyItsEnd: boolean;
  readonly interactive: boolean;
  /** `$?` */
  status = 0;
  /** Of the last `$( )` of the command at hand. */
  substitutionStatus = 0;
  /** `set -e` */
  stopsOnError = false;
  /** `set -u` */
  stopsOnUnset = false;
  /** Above zero: somebody asks how this ends, so that `set -e` is not about it. */
  asked = 0;
  /** How many loops it is in, and how many `eval`. */
  loops = 0;
  evals = 0;
  directory = '/';
  /** `exit` was called. */
  exited = false;
  /** Of what reached the outside. */
  characters = 0;
  lines = 0;
  /** It came to a command that is not known, so that it may be anything, a server too. */
  unknown: string | undefined;
  /** It was left since it does too much. */
  exhausted = false;
  readonly #until: number;
  readonly #mostSteps: number;
  /** In all. */
  steps = 0;
  #roundBeganAt = 0;
  #rounds = 0;
  #spent = 0;
  #spentInAll = 0;

  constructor(options: MachineOptions) {
    this.time = options.startedAt;
    this.variables = new Map(options.environment);
    this.exported = new Set(options.environment.keys());
    this.files = new Map(options.files);
    this.hostname = options.hostname;
    this.interestedFrom = options.interestedFrom ?? options.until ?? Number.POSITIVE_INFINITY;
    this.#until = options.until ?? Number.POSITIVE_INFINITY;
    this.wantedLines = options.lines ?? Number.POSITIVE_INFINITY;
    this.onlyItsEnd = options.onlyItsEnd ?? false;
    this.interactive = options.interactive ?? false;
    this.#mostSteps = options.mostSteps ?? MOST_STEPS_IN_ALL;
  }

  pass(ms: number): void {
    this.time += ms;
    if (this.time > this.#until || this.time > LAST_MOMENT) throw new Forever();
  }

  step(): void {
    this.steps++;
    if (this.steps - this.#roundBeganAt > MOST_STEPS || this.steps > this.#mostSteps) throw this.#tooMuch();
  }

  /** Before the characters are put together. */
  spend(characters: number): void {
    this.#spent += characters;
    this.#spentInAll += characters;
    if (this.#spent > MOST_CHARACTERS || this.#spentInAll > MOST_CHARACTERS_IN_ALL) throw this.#tooMuch();
  }

  #tooMuch(): Forever {
    this.exhausted = true;
    return new Forever();
  }

  /** Somebody has looked on meanwhile: what all rounds together may do is counted anew. */
  rest(): void {
    this.#roundBeganAt -= this.steps;
    this.steps = 0;
    this.#spentInAll = 0;
  }

  /** For a new command at a terminal: nothing is counted that was before it. */
  countAnew(): void {
    this.rest();
    this.#roundBeganAt = 0;
    this.#rounds = 0;
    this.#spent = 0;
  }

  /** Another round of a loop that is known to have no end; where rounds differ, none can be skipped, so that there is a limit. */
  anotherRound(steady: boolean): void {
    if (!steady) this.#rounds++;
    if (this.#rounds > MOST_ROUNDS) throw new Forever();
    this.#roundBeganAt = this.steps;
    this.#spent = 0;
  }

  set(name: string, value: string): void {
    this.variables.set(name, value.slice(0, LONGEST_VALUE));
  }

  path(name: string): string {
    const whole = name.startsWith('/') ? name : `${this.directory}/${name}`;
    const parts: string[] = [];
    for (const part of whole.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  isDirectory(path: string): boolean {
    if (USUAL_FOLDERS.has(path)) return true;
    for (const name of this.files.keys()) if (name.startsWith(`${path}/`)) return true;
    return false;
  }

  write(path: string, text: string, append: boolean): void {
    if (path === '/dev/null') return;
    const before = append ? (this.files.get(path) ?? '') : '';
    // A copy of a full file for every line that it no longer takes would be quadratic.
    if (before.length >= LONGEST_VALUE) return;
    if (!this.files.has(path) && this.files.size >= MOST_FILES) return;
    this.files.set(path, (before + text).slice(0, LONGEST_VALUE));
  }
}
