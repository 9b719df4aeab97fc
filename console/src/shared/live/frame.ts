import type { components, operations } from '../api/control.ts';

type ListOf<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': { value: (infer Row)[] } } } };
}
  ? Row
  : never;

export type RequestRow = ListOf<'Jar_ListRequests'>;
export type ChangeRow = ListOf<'Jar_ListChanges'>;

/** What `GET /_jar/live` sends: everything since the last frame, counted exactly, with a sample of the newest. */
export type SentFrame = components['schemas']['Jar_Live_tick'];

/** A frame, with what differs from the one before. */
export type Frame = SentFrame & { readonly clockMoved: boolean; readonly workChanged: boolean };

/** More than this between two frames is not the passing of time, but somebody who moved the clock. */
const MOVED_MS = 5_000;

export function compared(sent: SentFrame, before: SentFrame | undefined): Frame {
  const drift = before ? offsetOf(sent) - offsetOf(before) : 0;
  return {
    ...sent,
    clockMoved:
      before !== undefined && (Math.abs(drift) > MOVED_MS || (sent.mode === 'virtual' && sent.now !== before.now)),
    workChanged:
      before !== undefined &&
      (JSON.stringify(sent.work) !== JSON.stringify(before.work) || sent.nextDue !== before.nextDue),
  };
}

const offsetOf = ({ now, systemAt }: SentFrame): number => Date.parse(now) - Date.parse(systemAt);
