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

/** Prefixes of platform and library code, which does not belong to the app. */
const FRAMEWORKS =
  /^(java|javax|jdk|sun|android|androidx|dalvik|libcore|kotlin|kotlinx|org\.apache|org\.json|com\.android|com\.google\.android|com\.facebook\.react|System|Microsoft|Mono|Xamarin|Windows|MS|UnityEngine|Java\.Interop|node)(\.|$)/;

const isAppClass = (className: string | undefined): boolean => className !== undefined && !FRAMEWORKS.test(className);

/** Line formats of textual stack traces: `at a.b.C.m(C.java:3)`, `at A.B.M(Int32 x) in C:\B.cs:line 3`, `at f (app.js:3:7)`. */
const LINES = [
  /^\s*at (?<name>[^\s(]+)\((?<file>[^:()]*)(?::(?<line>\d+))?\)\s*$/,
  /^\s*at (?<name>[^\s(]+)\s*\([^)]*\)(?: \[0x[0-9a-f]+\])? in (?<file>.+?):(?:line )?(?<line>\d+)\s*$/,
  /^\s*at (?<name>[^\s(]+)\s*\((?<file>[^()]+?):(?<line>\d+)(?::\d+)?\)\s*$/,
  /^\s*at (?<name>[^\s(]+)\s*\([^)]*\)/,
];

/** Longer traces are truncated. */
const MOST_LINES = 1000;
const LONGEST_LINE = 1000;

/** Maximum number of app binaries for which symbols are looked up. */
const MOST_OWN = 100;

/** Parses the frames of a textual stack trace. */
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

/** The frames sent individually, otherwise those of the textual trace. */
const sentFramesOf = ({ frames, stackTrace }: SentException): readonly SentFrame[] =>
  frames.length > 0 || stackTrace === undefined ? frames : readStackTrace(stackTrace);

export const framesOf = (exception: SentException): Frame[] =>
  sentFramesOf(exception).map((frame) => ({ ...frame, isAppCode: isAppClass(frame.className) }));

/** Locates native frames: in the app itself or in a library. */
export class NativeCode {
  /** Sorted by address. */
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

  /** The binaries of the app, which symbols can describe. */
  get own(): readonly SentBinary[] {
    return this.#binaries.filter((binary) => this.#isOwn(binary)).slice(0, MOST_OWN);
  }

  /** The frame's offset within its binary, which is independent of the load address. */
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

/** The frames of the crashed thread, for reports whose exception has no frames. */
export function crashedFramesOf(content: Content, native: NativeCode): Frame[] {
  const threads = readThreads(content.threads);
  const crashed = threads.find(({ id }) => id === String(content.errorThreadId)) ?? threads[0];
  return (crashed?.exception?.frames.length ? crashed.exception.frames : (crashed?.frames ?? [])).map((frame) =>
    native.frame(frame),
  );
}
