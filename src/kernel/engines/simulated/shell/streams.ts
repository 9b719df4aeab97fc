import { LONGEST_VALUE, type Machine, type Output } from './machine.ts';

/** Targets of the two output streams of a command. */
export interface Streams {
  readonly stdout: Target;
  readonly stderr: Target;
}

export type Target =
  | { readonly kind: 'stream'; readonly stream: 'stdout' | 'stderr' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'capture'; readonly captured: { text: string } };

export const OUTSIDE: Streams = {
  stdout: { kind: 'stream', stream: 'stdout' },
  stderr: { kind: 'stream', stream: 'stderr' },
};

/** Writes text to the target of its stream. */
export function* emit(text: string, target: Target, machine: Machine): Generator<Output, void> {
  if (text === '') return;
  machine.spend(text.length);
  if (target.kind === 'file') machine.write(target.path, text, true);
  else if (target.kind === 'capture') {
    target.captured.text = (target.captured.text + text).slice(0, LONGEST_VALUE);
  } else {
    machine.characters += text.length;
    machine.lines += text.split('\n').length - 1;
    yield { at: machine.time, stream: target.stream, text };
  }
}
