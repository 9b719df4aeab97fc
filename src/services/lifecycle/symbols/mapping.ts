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

interface ClassMapping {
  readonly name: string;
  readonly methods: Map<string, MethodMapping[]>;
}

export interface NamedFrame {
  readonly className?: string;
  readonly methodName?: string;
  readonly fileName?: string;
  readonly lineNumber?: number;
}

const CLASS = /^(\S+) -> (\S+):\s*$/;
const METHOD = /^\s+(?:(\d+):(\d+):)?\S+ ([^\s(]+)\([^)]*\)(?::(\d+)(?::(\d+))?)? -> (\S+)\s*$/;

export class Mapping {
  readonly #classes: ReadonlyMap<string, ClassMapping>;

  private constructor(classes: ReadonlyMap<string, ClassMapping>) {
    this.#classes = classes;
  }

  /** Undefined where not one line names a class. */
  static read(text: string): Mapping | undefined {
    const classes = new Map<string, ClassMapping>();
    let current: ClassMapping | undefined;
    for (const line of text.split(/\r?\n/)) {
      const found = CLASS.exec(line);
      if (found) {
        current = { name: found[1] as string, methods: new Map() };
        classes.set(found[2] as string, current);
        continue;
      }
      const method = current && METHOD.exec(line);
      if (current && method) addMethod(current, method);
    }
    return classes.size > 0 ? new Mapping(classes) : undefined;
  }

  className(short: string): string {
    return this.#classes.get(short)?.name ?? short;
  }

  /** What the frame stands for: several where methods were put into each other, innermost first. */
  frames(frame: NamedFrame): NamedFrame[] {
    const found = frame.className === undefined ? undefined : this.#classes.get(frame.className);
    if (!found) return [frame];
    const meant = matching(found.methods.get(frame.methodName ?? '') ?? [], frame.lineNumber);
    if (meant.length === 0) return [named(frame, found.name, frame.methodName)];
    return meant.map((method) => ({
      ...named(frame, method.className ?? found.name, method.methodName),
      ...lineOf(method, frame.lineNumber),
    }));
  }
}

function addMethod({ methods }: ClassMapping, found: RegExpExecArray): void {
  const [, from, to, name = '', originalFrom, originalTo, short = ''] = found;
  const dot = name.lastIndexOf('.');
  const known = methods.get(short) ?? [];
  known.push({
    ...(from !== undefined && { lines: { from: Number(from), to: Number(to) } }),
    ...(originalFrom !== undefined && {
      original: { from: Number(originalFrom), to: Number(originalTo ?? originalFrom) },
    }),
    ...(dot > 0 && { className: name.slice(0, dot) }),
    methodName: name.slice(dot + 1),
  });
  methods.set(short, known);
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
