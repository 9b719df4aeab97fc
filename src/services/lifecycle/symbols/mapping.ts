import { nextTurn } from '../../../kernel/time/index.ts';

/**
 * A `mapping.txt`, as shrinkers of Android apps write it: what classes and methods were called before they were given short names.
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
  /** The lines in short code that this is about; all of them where it does not say. */
  readonly lines?: Lines;
  readonly original?: Lines;
  /** Where it was put from another class. */
  readonly className?: string;
  readonly methodName: string;
}

type Methods = ReadonlyMap<string, readonly MethodMapping[]>;

/** Where the lines about the methods of a class are, by bytes. */
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
/** Lines about methods begin with a space, remarks with a number sign. */
const NO_CLASS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x23, NEWLINE]);
const LONGEST_LINE = 10_000;
const MOST_CLASSES = 500_000;
const LARGEST_SECTION_BYTES = 1024 * 1024;
/** Of sections that have been read, as they are in the file. */
const KEPT_SECTION_BYTES = 4 * 1024 * 1024;
/** Lines that are looked at before others get their turn. */
const LINES_IN_A_TURN = 20_000;
/** Methods that were put into each other at one line. */
const MOST_FRAMES_OF_ONE = 50;

/** Finds the classes at once and reads the methods of one when it is asked for: files of many megabytes are nothing unusual. */
export class Mapping {
  readonly #file: Buffer;
  readonly #classes: ReadonlyMap<string, ClassSection>;
  readonly #methods = new Map<ClassSection, Methods>();
  #methodBytes = 0;

  private constructor(file: Buffer, classes: ReadonlyMap<string, ClassSection>) {
    this.#file = file;
    this.#classes = classes;
  }

  /** Undefined where not one line names a class. */
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

  /** What the frame stands for: several where methods were put into each other, innermost first. */
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

/** Those of the line; without a line, or where no line is told, the first that it can be. */
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

/** Shrinkers take the names of files away too; they follow from those of the classes. */
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
