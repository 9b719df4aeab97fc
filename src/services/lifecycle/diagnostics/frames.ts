import type { Frame } from './collections.ts';
import {
  addressOf,
  type Content,
  readBinaries,
  readThreads,
  type SentBinary,
  type SentException,
  type SentFrame,
  textOf,
} from './read-log.ts';

/** Code that is nobody's own: what platforms and their libraries begin with. */
const FRAMEWORKS =
  /^(java|javax|jdk|sun|android|androidx|dalvik|libcore|kotlin|kotlinx|org\.apache|org\.json|com\.android|com\.google\.android|com\.facebook\.react|System|Microsoft|Mono|Xamarin|Windows|MS|UnityEngine|Java\.Interop|node)(\.|$)/;

const isAppClass = (className: string | undefined): boolean => className !== undefined && !FRAMEWORKS.test(className);

/** Lines of stack traces that are sent as text: `at a.b.C.m(C.java:3)`, `at A.B.M(Int32 x) in C:\B.cs:line 3`, `at f (app.js:3:7)`. */
const LINES = [
  /^\s*at (?<name>[^\s(]+)\((?<file>[^:()]*)(?::(?<line>\d+))?\)\s*$/,
  /^\s*at (?<name>[^\s(]+)\s*\([^)]*\)(?: \[0x[0-9a-f]+\])? in (?<file>.+?):(?:line )?(?<line>\d+)\s*$/,
  /^\s*at (?<name>[^\s(]+)\s*\((?<file>[^()]+?):(?<line>\d+)(?::\d+)?\)\s*$/,
  /^\s*at (?<name>[^\s(]+)\s*\([^)]*\)/,
];

/** Longer texts are looked at up to here. */
const MOST_LINES = 1000;
const LONGEST_LINE = 1000;

/** Programs and libraries of an app that are looked for symbols for. */
const MOST_OWN = 100;

/** The frames in the text of a stack trace. */
function readStackTrace(trace: string): SentFrame[] {
  const frames: SentFrame[] = [];
  for (const line of trace.split('\n', MOST_LINES)) {
    const found = line.length > LONGEST_LINE ? undefined : LINES.map((form) => form.exec(line)).find((match) => match);
    if (!found?.groups) continue;
    const { name = '', file, line: number } = found.groups;
    const dot = name.lastIndexOf('.');
    frames.push({
      ...(dot > 0 && { className: name.slice(0, dot) }),
      methodName: name.slice(dot + 1),
      ...(file && { fileName: file }),
      ...(number !== undefined && { lineNumber: Number(number) }),
      code: line.trim().replace(/^at /, ''),
    });
  }
  return frames;
}

/** Those that were sent one by one, or else those in the text. */
const sentFramesOf = ({ frames, stackTrace }: SentException): readonly SentFrame[] =>
  frames.length > 0 || stackTrace === undefined ? frames : readStackTrace(stackTrace);

export const framesOf = (exception: SentException): Frame[] =>
  sentFramesOf(exception).map((frame) => ({ ...frame, isAppCode: isAppClass(frame.className) }));

/** Where the machine code of a native crash was: in the app itself or in a library. */
export class NativeCode {
  /** In the order of their addresses. */
  readonly #binaries: readonly SentBinary[];
  readonly #home: string;

  constructor(content: Content) {
    this.#binaries = readBinaries(content.binaries).sort((a, b) => (a.startAddress < b.startAddress ? -1 : 1));
    const program = textOf(content.applicationPath) ?? '';
    this.#home = program.slice(0, program.lastIndexOf('/') + 1);
  }

  frame(frame: SentFrame): Frame {
    const binary = this.#binaryAt(addressOf(frame.address));
    const isAppCode = binary === undefined ? isAppClass(frame.className) : this.#isOwn(binary);
    return { ...frame, ...(binary && { framework: binary.name }), isAppCode };
  }

  /** What belongs to the app, for which it has symbols. */
  get own(): readonly SentBinary[] {
    return this.#binaries.filter((binary) => this.#isOwn(binary)).slice(0, MOST_OWN);
  }

  /** The offset of the frame in its binary, by which the same place is recognized wherever it was loaded. */
  place(frame: Frame): string {
    const address = addressOf(frame.address);
    const binary = this.#binaryAt(address);
    return binary && address !== undefined ? `${binary.name}+${address - binary.startAddress}` : (frame.address ?? '');
  }

  #isOwn({ path }: SentBinary): boolean {
    return this.#home !== '' && path.startsWith(this.#home);
  }

  #binaryAt(address: bigint | undefined): SentBinary | undefined {
    if (address === undefined) return undefined;
    let [low, high] = [0, this.#binaries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#binaries[middle] as SentBinary).startAddress <= address) low = middle + 1;
      else high = middle;
    }
    const binary = this.#binaries[low - 1];
    return binary && address <= binary.endAddress ? binary : undefined;
  }
}

/** The frames of the thread that crashed, of a report whose exception has none. */
export function crashedFramesOf(content: Content, native: NativeCode): Frame[] {
  const threads = readThreads(content.threads);
  const crashed = threads.find(({ id }) => id === String(content.errorThreadId)) ?? threads[0];
  return (crashed?.exception?.frames.length ? crashed.exception.frames : (crashed?.frames ?? [])).map((frame) =>
    native.frame(frame),
  );
}
