import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { usageError } from './errors.ts';

export interface PassphraseOptions {
  /** True if the option has no value: the passphrase is then prompted for. */
  readonly passphrase?: string | true;
  readonly passphraseFile?: string;
}

interface Terminal {
  readonly input: Pick<ReadStream, 'isTTY' | 'setRawMode' | 'setEncoding' | 'on' | 'off' | 'resume' | 'pause'>;
  readonly output: { write(text: string): unknown };
}

const LINE_ENDS = ['\r', '\n'];
const INTERRUPT = '\u0003';
const ERASE = ['\u007f', '\b'];

/** The passphrase from the command line or the environment, or from a prompt if the option has no value. Undefined if none was given. */
export async function passphraseOf(
  { passphrase, passphraseFile }: PassphraseOptions,
  env: Readonly<Record<string, string | undefined>>,
  terminal?: Terminal,
): Promise<string | undefined> {
  if (passphrase !== undefined && passphraseFile !== undefined)
    throw usageError('give either --passphrase or --passphrase-file, not both');
  if (passphraseFile !== undefined) return fromFile(passphraseFile);
  if (passphrase === true) return askPassphrase(terminal);
  return passphrase ?? (env.CLOUDJAR_PASSPHRASE || undefined);
}

export const passphraseHeader = (passphrase: string | undefined): Record<string, string> =>
  passphrase === undefined ? {} : { 'cloudjar-passphrase': encodeURIComponent(passphrase) };

function fromFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  // Some editors write a byte order mark at the start, and nearly all a line break at the end; neither is part of the passphrase.
  const [line = ''] = text.replace(/^\u{feff}/u, '').split(/\r?\n/, 1);
  if (line === '') throw usageError(`${file} is empty; its first line must be the passphrase`);
  return line;
}

const PROCESS: Terminal = { input: process.stdin, output: process.stderr };

/** Prompts on the terminal without echo. */
export async function askPassphrase({ input, output }: Terminal = PROCESS): Promise<string> {
  if (!input.isTTY)
    throw usageError(
      'the passphrase cannot be prompted for without a terminal: give --passphrase-file or set CLOUDJAR_PASSPHRASE',
    );
  output.write('Passphrase: ');
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.resume();
  try {
    return await typedLine(input);
  } finally {
    input.setRawMode(false);
    input.pause();
    output.write('\n');
  }
}

function typedLine(input: Terminal['input']): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const take = (text: string): void => {
      for (const character of text) {
        if (ERASE.includes(character)) typed = typed.slice(0, -1);
        else if (character !== INTERRUPT && !LINE_ENDS.includes(character)) typed.push(character);
        else {
          input.off('data', take);
          if (character === INTERRUPT) reject(usageError('no passphrase was given'));
          else resolve(typed.join(''));
          break;
        }
      }
    };
    input.on('data', take);
  });
}
