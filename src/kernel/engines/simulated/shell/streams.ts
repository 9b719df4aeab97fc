import { LONGEST_VALUE, type Machine, type Output } from './machine.ts';

/** Where the two streams of a command lead. */
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

/** Lets text go where its stream leads. */
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
