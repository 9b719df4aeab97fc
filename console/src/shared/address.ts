import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';

/** A search parameter of the address: state that a link should keep. `undefined` removes it. */
export function useAddressParam(name: string): readonly [string | undefined, (value: string | undefined) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string | undefined) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === undefined || value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    [name, setParams],
  );
  return [params.get(name) ?? undefined, set];
}

/** The address below a page: `/deliveries/42` is `['42']` for the page `deliveries`. Segments are decoded. */
export function useSegments(page: string): readonly string[] {
  const [path] = useLocation();
  const prefix = `/${page}/`;
  if (!path.startsWith(prefix)) return [];
  return path.slice(prefix.length).split('/').filter(Boolean).map(decoded);
}

/** Wouter hands out paths decoded in part; a `%` that is left belongs to the value. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a page or of one thing on it: `addressOf('deliveries', id)`. */
export const addressOf = (page: string, ...segments: readonly string[]): string =>
  ['', page, ...segments.map(encodeURIComponent)].join('/');

/** Goes to an address; `keep` keeps the search parameters, such as the filter of the list beside it. */
export function useGo(): (address: string, options?: { readonly keep?: boolean; readonly replace?: boolean }) => void {
  const [, navigate] = useLocation();
  return useCallback(
    (address, { keep = false, replace = false } = {}) =>
      navigate(keep ? `${address}${keptSearch()}` : address, { replace }),
    [navigate],
  );
}

/** Without the tab of the detail, which belongs to the thing that was shown. */
function keptSearch(): string {
  const params = new URLSearchParams(location.search);
  params.delete('tab');
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
