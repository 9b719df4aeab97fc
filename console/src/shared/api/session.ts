/** Tells the frame that the session has ended, from wherever a request was refused. */
type Listener = () => void;
const listeners = new Set<Listener>();

export const sessionEnded = {
  announce: (): void => {
    for (const listener of listeners) listener();
  },
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
