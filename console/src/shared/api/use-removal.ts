import { type QueryClient, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Action, useAction } from './use-action.ts';

interface Options<Arguments extends unknown[], Result> {
  /** Shown after a success. */
  readonly done: string | ((result: Result, ...given: Arguments) => string | undefined);
  /** Leaves what was removed. */
  readonly after: (result: Result, ...given: Arguments) => void;
}

const REMOVAL = ['removal'];

/**
 * Removes what the page shows. Until the page has left it nothing is read: the live stream can announce the removal before its answer
 * arrives, and a read would show for a moment that the thing was not found. Afterwards everything that is still shown is read again.
 */
export function useRemoval<Arguments extends unknown[], Result>(
  remove: (...given: Arguments) => Promise<Result>,
  { done, after }: Options<Arguments, Result>,
): Action<Arguments> {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationKey: REMOVAL,
    mutationFn: (given: Arguments) => remove(...given),
    onMutate: () => client.cancelQueries(),
    onSuccess: (result, given) => after(result, ...given),
    onSettled: () => client.invalidateQueries(),
  });
  return useAction((...given: Arguments) => mutateAsync(given), { done });
}

/** True while somebody removes what the page shows. */
export function useIsRemoving(): boolean {
  return useIsMutating({ mutationKey: REMOVAL }) > 0;
}

/** The same at this moment, outside of rendering. */
export const isRemovingIn = (client: QueryClient): boolean => client.isMutating({ mutationKey: REMOVAL }) > 0;
