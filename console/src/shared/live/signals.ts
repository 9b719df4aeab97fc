import type { Frame } from './frame.ts';

/**
 * What a page is interested in: `requests`, `deliveries`, `changes`, `work`, `clock`, `state` (all state was replaced), or the beginning of
 * a path that somebody has written to, such as `/_jar/faults`.
 */
export type Signal = 'requests' | 'deliveries' | 'changes' | 'work' | 'clock' | `/${string}`;

/** Whether a frame of the live stream may have changed something that depends on one of these signals. */
export function concerns(frame: Frame, signals: readonly Signal[]): boolean {
  if (frame.stateReplaced) return signals.length > 0;
  return signals.some((signal) => {
    switch (signal) {
      case 'requests':
        return frame.requests.count > 0;
      case 'deliveries':
        return frame.requests.outbound > 0 || frame.written.some((path) => path.startsWith('/_jar/deliveries'));
      case 'changes':
        return frame.changes.count > 0;
      case 'work':
        return frame.workChanged;
      case 'clock':
        return frame.clockMoved;
      default:
        return frame.written.some((path) => path.startsWith(signal) || signal.startsWith(path));
    }
  });
}
