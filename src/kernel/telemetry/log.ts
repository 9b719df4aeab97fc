import { writeSync } from 'node:fs';
import { wallNow } from '../time/timers.ts';
import type { LineStyle } from './colours.ts';
import { printableLines } from './printable.ts';
import { redactText, redactValue } from './redact.ts';
import { standardError } from './standard-error.ts';

export { redactUrl } from './redact.ts';

const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY };

export type LogLevel = keyof typeof LEVELS;
export type LineLevel = Exclude<LogLevel, 'silent'>;

/** Fields first, then the message; an error may be passed instead of fields. */
export interface LogMethod {
  (message: string): void;
  (fields: object, message?: string): void;
}

export interface Logger extends Readonly<Record<LineLevel, LogMethod>> {
  readonly level: LogLevel;
  /** Whether a line of this level would be written; for lines that are costly to build. */
  enabled(level: LineLevel): boolean;
  child(fields: object): Logger;
  /** A line without redaction; the caller guarantees that fields and message contain no secrets. For lines written with every request. */
  clean(level: LineLevel, fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Resolves when everything logged so far has been passed to the operating system. */
  flush(): Promise<void>;
}

export interface LogStream {
  write(line: string): unknown;
  /** A terminal interprets control characters, and JSON may contain some of them unescaped. */
  readonly isTTY?: boolean;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Default: standard error, because standard output is for the output of commands. */
  readonly stream?: LogStream;
  /** Writes lines for people in the current style; if absent, JSON lines. */
  readonly readable?: (() => LineStyle) | undefined;
}

/** Writes JSON lines or lines for people, with secrets redacted. */
export function createLogger(options: LoggerOptions): Logger {
  return new RedactingLogger(new LineWriter(options), options.level, {});
}

class RedactingLogger implements Logger {
  readonly level: LogLevel;
  readonly #writer: LineWriter;
  readonly #bound: Readonly<Record<string, unknown>>;

  constructor(writer: LineWriter, level: LogLevel, bound: Readonly<Record<string, unknown>>) {
    this.#writer = writer;
    this.level = level;
    this.#bound = bound;
  }

  readonly trace: LogMethod = (first: object | string, message?: string) => this.#log('trace', first, message);
  readonly debug: LogMethod = (first: object | string, message?: string) => this.#log('debug', first, message);
  readonly info: LogMethod = (first: object | string, message?: string) => this.#log('info', first, message);
  readonly warn: LogMethod = (first: object | string, message?: string) => this.#log('warn', first, message);
  readonly error: LogMethod = (first: object | string, message?: string) => this.#log('error', first, message);
  readonly fatal: LogMethod = (first: object | string, message?: string) => this.#log('fatal', first, message);

  enabled(level: LineLevel): boolean {
    return LEVELS[level] >= LEVELS[this.level];
  }

  child(fields: object): Logger {
    return new RedactingLogger(this.#writer, this.level, { ...this.#bound, ...redactFields(fields) });
  }

  clean(level: LineLevel, fields: Readonly<Record<string, unknown>>, message: string): void {
    if (this.enabled(level)) this.#writer.write({ level, fields: { ...this.#bound, ...fields }, message });
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  #log(level: LineLevel, first: object | string, message: string | undefined): void {
    if (!this.enabled(level)) return;
    const isText = typeof first === 'string';
    const text = isText ? first : (message ?? (first instanceof Error ? first.message : undefined));
    const fields = isText ? this.#bound : { ...this.#bound, ...redactFields(first) };
    this.#writer.write({ level, fields, message: text === undefined ? undefined : redactText(text) });
  }
}

function redactFields(fields: object): Record<string, unknown> {
  const named = fields instanceof Error ? { err: fields } : fields;
  return redactValue(named) as Record<string, unknown>;
}

interface Line {
  readonly level: LineLevel;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string | undefined;
}

type Sink = (line: Line) => void;

/**
 * Writes through pino, or as lines for people. Either is loaded with the first line, so that a jar that logs nothing starts faster. Lines
 * are queued while it loads; if the process ends before that, they are written without it.
 */
class LineWriter {
  readonly #stream: LogStream | undefined;
  readonly #readable: LoggerOptions['readable'];
  #waiting: Line[] = [];
  #sink: Sink | undefined;
  #loading: Promise<void> | undefined;
  #flush: () => Promise<void> = async () => {};

  constructor({ stream, readable }: LoggerOptions) {
    this.#stream = stream;
    this.#readable = readable;
  }

  write(line: Line): void {
    if (this.#sink) {
      this.#sink(line);
    } else {
      this.#waiting.push(line);
      this.#loading ??= this.#load();
    }
  }

  async flush(): Promise<void> {
    await this.#loading;
    await this.#flush();
  }

  async #load(): Promise<void> {
    process.once('exit', this.#writeWaiting);
    const sink = await (this.#readable ? this.#loadReadable(this.#readable) : this.#loadPino());
    process.off('exit', this.#writeWaiting);
    for (const line of this.#waiting) sink(line);
    this.#waiting = [];
    this.#sink = sink;
  }

  async #loadPino(): Promise<Sink> {
    // In the bundle, a CommonJS package has only a default export.
    const { default: pino } = await import('pino');
    const stream = this.#stream ?? (process.stderr.isTTY ? process.stderr : undefined);
    const destination = stream?.isTTY ? onTerminal(stream) : (stream ?? standardError(pino.destination));
    // Levels are filtered and secrets redacted before: pino only adds the time and writes.
    const options = { level: 'trace', base: null, formatters: { level: nameLevel }, serializers: { err: asIs } };
    const log = pino(options, destination);
    // Errors are ignored: if the reader is gone, nobody misses the lines.
    this.#flush = () => new Promise((done) => log.flush(() => done()));
    return ({ level, fields, message }) => log[level](fields, message);
  }

  async #loadReadable(style: () => LineStyle): Promise<Sink> {
    const { readableLine } = await import('./readable-log.ts');
    const stream = this.#stream ?? process.stderr;
    return ({ level, fields, message }) =>
      stream.write(`${readableLine({ level, time: wallNow(), ...fields, msg: message }, style())}\n`);
  }

  readonly #writeWaiting = (): void => {
    for (const { level, fields, message } of this.#waiting) {
      const text = `${JSON.stringify({ level, ...fields, msg: message })}\n`;
      if (this.#stream) this.#stream.write(text);
      else writeSync(2, text);
    }
  };
}

const nameLevel = (level: string) => ({ level });
const asIs = (value: unknown) => value;

const onTerminal = (stream: LogStream): LogStream => ({ write: (line) => stream.write(printableLines(line)) });
