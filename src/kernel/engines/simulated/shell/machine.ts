/** Output of a process with its time on the jar's clock. */
export interface Output {
  readonly at: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Thrown internally: the process writes nothing more in the requested time, and does not end. */
export class Forever extends Error {
  override readonly name = 'Forever';
}

/** Thrown internally: the process or subshell ends here. */
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
  /** `continue` rather than `break`. */
  readonly isContinue: boolean;
  /** Number of loops to leave, from the innermost. */
  readonly loops: number;

  constructor(isContinue: boolean, loops: number) {
    super();
    this.isContinue = isContinue;
    this.loops = loops;
  }
}

/** Limits beyond which a process counts as running forever. They apply to each round of an endless loop separately. */
const MOST_STEPS = 20_000;
const MOST_ROUNDS = 10_000;
const MOST_CHARACTERS = 16_000_000;
/** Limit over all rounds of endless loops together. */
export const MOST_STEPS_IN_ALL = 250_000;
const MOST_CHARACTERS_IN_ALL = 4 * MOST_CHARACTERS;
/** The end of the year 9999; a process that runs longer counts as running forever. */
const LAST_MOMENT = 253_402_300_799_999;
/** Maximum length of a value and of a file. */
export const LONGEST_VALUE = 65_536;
const MOST_FILES = 1_000;
/** Folders that every image is assumed to have. */
const USUAL_FOLDERS = new Set(['/', '/bin', '/dev', '/etc', '/home', '/root', '/tmp', '/usr', '/var']);

export interface MachineOptions {
  readonly startedAt: number;
  readonly environment: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly hostname: string;
  /** Of the output before this time only the part that a log keeps is needed, so rounds of an endless loop before it may be skipped. */
  readonly interestedFrom?: number;
  /** The process is suspended at this time, with the files it has then. */
  readonly until?: number;
  /** Number of output lines, from the end, that are needed; 0 if only the files are. */
  readonly lines?: number;
  /** Only the end of the process is needed, not its output. */
  readonly onlyItsEnd?: boolean;
  /** Overrides `MOST_STEPS_IN_ALL`. */
  readonly mostSteps?: number;
  /** For `exec`: an unknown command is an error instead of a server. */
  readonly interactive?: boolean;
}

/** State of a process of the simulated shell. In it, time passes only by `sleep`. */
export class Machine {
  time: number;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  /** By path; the path of an empty folder ends in a slash. */
  readonly files: Map<string, string>;
  /** `$0`, `$1` and so on. */
  parameters: readonly string[] = ['sh'];
  readonly hostname: string;
  readonly interestedFrom: number;
  readonly wantedLines: number;
  readonly onlyItsEnd: boolean;
  readonly interactive: boolean;
  /** `$?` */
  status = 0;
  /** Status of the last `$( )` of the current command. */
  substitutionStatus = 0;
  /** `set -e` */
  stopsOnError = false;
  /** `set -u` */
  stopsOnUnset = false;
  /** Above zero while the status of a command is being tested, for example by `if` or `&&`: `set -e` does not apply then. */
  asked = 0;
  /** Nesting depth of loops, and of `eval`. */
  loops = 0;
  evals = 0;
  directory = '/';
  /** `exit` was called. */
  exited = false;
  /** Total output of the process. */
  characters = 0;
  lines = 0;
  /** Name of an unknown command that the process reached; such a process may be a server. */
  unknown: string | undefined;
  /** The process was abandoned because it exceeded a limit. */
  exhausted = false;
  readonly #until: number;
  readonly #mostSteps: number;
  /** Steps in all rounds. */
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

  /** Called before the characters are concatenated. */
  spend(characters: number): void {
    this.#spent += characters;
    this.#spentInAll += characters;
    if (this.#spent > MOST_CHARACTERS || this.#spentInAll > MOST_CHARACTERS_IN_ALL) throw this.#tooMuch();
  }

  #tooMuch(): Forever {
    this.exhausted = true;
    return new Forever();
  }

  /** Resets the total counts after output was delivered to a reader. */
  rest(): void {
    this.#roundBeganAt -= this.steps;
    this.steps = 0;
    this.#spentInAll = 0;
  }

  /** Resets all counts for a new command at a terminal. */
  resetCounts(): void {
    this.rest();
    this.#roundBeganAt = 0;
    this.#rounds = 0;
    this.#spent = 0;
  }

  /** Starts another round of an endless loop. If rounds differ, none can be skipped, so their number is limited. */
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
    // Copying a full file for each further line would take quadratic time.
    if (before.length >= LONGEST_VALUE) return;
    if (!this.files.has(path) && this.files.size >= MOST_FILES) return;
    this.files.set(path, (before + text).slice(0, LONGEST_VALUE));
  }
}
