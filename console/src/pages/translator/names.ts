import { useCallback } from 'react';
import { useData } from '../../shared/api/use-data.ts';
import { readLanguages } from './api.ts';

/** Names of languages in English: those of the list, and of the browser for languages that only the detector knows. */
export function useNames(): (code: string) => string {
  const { data } = useData(['translator', 'languages'], readLanguages);
  return useCallback((code) => data?.translation?.[code]?.name ?? browserName(code), [data]);
}

const displayed = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function browserName(code: string): string {
  try {
    return displayed.of(code) ?? code;
  } catch {
    return code;
  }
}
