import { useState } from 'react';
import { useToasts } from '../ui/toasts.tsx';
import { asFailure, type Failure } from './failure.ts';

export interface Action<Arguments extends unknown[]> {
  /** Resolves to whether the action succeeded. */
  run(...given: Arguments): Promise<boolean>;
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
}

interface Options<Arguments extends unknown[], Result> {
  /** Shown after a success. */
  readonly done?: string | ((result: Result, ...given: Arguments) => string | undefined);
  /** A failure is shown beside the control instead of as a message: forms show it at the field. */
  readonly inline?: boolean;
  readonly after?: (result: Result, ...given: Arguments) => void;
}

/** Something that a person does to the jar, with its progress and its failure. */
export function useAction<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Promise<Result>,
  { done, inline = false, after }: Options<Arguments, Result> = {},
): Action<Arguments> {
  const toasts = useToasts();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  return {
    isRunning,
    failure,
    async run(...given) {
      setRunning(true);
      setFailure(undefined);
      try {
        const result = await act(...given);
        const message = typeof done === 'function' ? done(result, ...given) : done;
        if (message !== undefined) toasts.show({ tone: 'success', message });
        after?.(result, ...given);
        return true;
      } catch (error) {
        const found = asFailure(error);
        setFailure(found);
        if (!inline) toasts.show({ tone: 'failure', message: found.message });
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
}
