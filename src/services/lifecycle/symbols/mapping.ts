import { nextTurn } from '../../../kernel/time/index.ts';

/**
 * A `mapping.txt`, as written by shrinkers of Android apps: the original names of classes and methods that were given short names.
 *
 *     com.example.Shop -> a.b:
 *         int count -> a
 *         1:5:void buy(java.lang.String):20:24 -> a
 *         1:5:void open():12 -> a
 */

interface Lines {
  readonly from: number;
  readonly to: number;
}

interface MethodMapping {
  /** The line range in the shrunk code; undefined means all lines. */
  readonly lines?: Lines;
  readonly original?: Lines;
  /** Set if the method was inlined from another class. */
  readonly className?: string;
  readonly methodName: string;
}

type Methods = ReadonlyMap<string, readonly MethodMapping[]>;

/** Byte range of a class's method lines. */
interface ClassSection {
  readonly name: string;
  readonly start: number;
  end: number;
}

export interface NamedFrame {
  readonly className?: string;
  readonly methodName?: string;
  readonly fileName?: string;
  readonly lineNumber?: number;
}

const CLASS = /^(\S+) -> (\S+):\s*$/;
const METHOD = /^\s+(?:(\d+):(\d+):)?\S+ ([^\s(]+)\([^)]*\)(?::(\d+)(?::(\d+))?)? -> (\S+)\s*$/;

const NEWLINE = 0x0a;
/** Method lines begin with whitespace, comments with a number sign. */
const NO_CLASS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x23, NEWLINE]);
const LONGEST_LINE = 10_000;
const MOST_CLASSES = 500_000;
const LARGEST_SECTION_BYTES = 1024 * 1024;
/** Cache limit for parsed sections, measured in bytes of the file. */
const KEPT_SECTION_BYTES = 4 * 1024 * 1024;
/** Lines parsed before other work gets its turn. */
const LINES_IN_A_TURN = 20_000;
/** Maximum number of methods inlined at one line. */
const MOST_FRAMES_OF_ONE = 50;

/** Indexes the classes at once and parses the methods of a class on demand: files of many megabytes are common. */
export class Mapping {
  readonly #file: Buffer;
  readonly #classes: ReadonlyMap<string, ClassSection>;
  readonly #methods = new Map<ClassSection, Methods>();
  #methodBytes = 0;

  private constructor(file: Buffer, classes: ReadonlyMap<string, ClassSection>) {
    this.#file = file;
    this.#classes = classes;
  }

  /** Returns undefined if no line names a class. */
  static async read(file: Buffer): Promise<Mapping | undefined> {
    const classes = new Map<string, ClassSection>();
    let current: ClassSection | undefined;
    let lines = 0;
    for (let start = 0, next: number; start < file.length && classes.size < MOST_CLASSES; start = next) {
      const newline = file.indexOf(NEWLINE, start);
      next = newline < 0 ? file.length : newline + 1;
      if (++lines % LINES_IN_A_TURN === 0) await new Promise<void>(nextTurn);
      if (NO_CLASS.has(file[start]) || next - start > LONGEST_LINE) continue;
      const found = CLASS.exec(file.toString('utf8', start, next));
      if (!found) continue;
      if (current) current.end = start;
      current = { name: found[1] as string, start: next, end: file.length };
      classes.set(found[2] as string, current);
    }
    return classes.size > 0 ? new Mapping(file, classes) : undefined;
  }

  className(short: string): string {
    return this.#classes.get(short)?.name ?? short;
  }

  /** The original frames: several if methods were inlined, innermost first. */
  frames(frame: NamedFrame): NamedFrame[] {
    const found = frame.className === undefined ? undefined : this.#classes.get(frame.className);
    if (!found) return [frame];
    const meant = matching(this.#methodsOf(found).get(frame.methodName ?? '') ?? [], frame.lineNumber);
    if (meant.length === 0) return [named(frame, found.name, frame.methodName)];
    return meant.slice(0, MOST_FRAMES_OF_ONE).map((method) => ({
      ...named(frame, method.className ?? found.name, method.methodName),
      ...lineOf(method, frame.lineNumber),
    }));
  }

  #methodsOf(section: ClassSection): Methods {
    const known = this.#methods.get(section);
    if (known) return known;
    const bytes = Math.min(section.end - section.start, LARGEST_SECTION_BYTES);
    if (this.#methodBytes + bytes > KEPT_SECTION_BYTES) {
      this.#methods.clear();
      this.#methodBytes = 0;
    }
    const methods = readMethods(this.#file.toString('utf8', section.start, section.start + bytes));
    this.#methods.set(section, methods);
    this.#methodBytes += bytes;
    return methods;
  }
}

function readMethods(text: string): Methods {
  const methods = new Map<string, MethodMapping[]>();
  for (const line of text.split('\n')) {
    const found = line.length > LONGEST_LINE ? undefined : METHOD.exec(line);
    if (!found) continue;
    const [, from, to, name = '', originalFrom, originalTo, short = ''] = found;
    const dot = name.lastIndexOf('.');
    const known = methods.get(short) ?? [];
    methods.set(short, known);
    known.push({
      ...(from !== undefined && { lines: { from: Number(from), to: Number(to) } }),
      ...(originalFrom !== undefined && {
        original: { from: Number(originalFrom), to: Number(originalTo ?? originalFrom) },
      }),
      ...(dot > 0 && { className: name.slice(0, dot) }),
      methodName: name.slice(dot + 1),
    });
  }
  return methods;
}

/** The methods whose range contains the line. Without a line, or without ranges, the first possible method. */
function matching(methods: readonly MethodMapping[], line: number | undefined): readonly MethodMapping[] {
  const exact = methods.filter(({ lines }) => lines && line !== undefined && line >= lines.from && line <= lines.to);
  return exact.length > 0 ? exact : methods.filter(({ lines }) => line === undefined || !lines).slice(0, 1);
}

function lineOf({ lines, original }: MethodMapping, line: number | undefined) {
  if (!lines || !original || line === undefined) return {};
  const isOneToOne = original.to - original.from === lines.to - lines.from;
  return { lineNumber: isOneToOne ? original.from + line - lines.from : original.from };
}

const NO_FILES = new Set(['SourceFile', 'Unknown Source', 'Proguard', 'R8']);

/** Shrinkers also remove file names; they are derived from class names. */
function named(frame: NamedFrame, className: string, methodName: string | undefined): NamedFrame {
  const { fileName, ...rest } = frame;
  const outer = className.slice(className.lastIndexOf('.') + 1).split('$', 1)[0] as string;
  const isLost = fileName === undefined || NO_FILES.has(fileName);
  return {
    ...rest,
    className,
    ...(methodName !== undefined && { methodName }),
    fileName: isLost ? `${outer}.java` : fileName,
  };
}
