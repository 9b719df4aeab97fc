import { useCallback, useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const STORED = 'cloudjar-theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const chosen = (): Theme | undefined => {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
};

const current = (): Theme => chosen() ?? (prefersDark.matches ? 'dark' : 'light');

export function applyTheme(): void {
  document.documentElement.dataset.theme = current();
  for (const listener of listeners) listener();
}

prefersDark.addEventListener('change', applyTheme);

/** The theme: that of the system until the person chooses. */
export function useTheme(): readonly [Theme, () => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  const toggle = useCallback(() => {
    localStorage.setItem(STORED, current() === 'dark' ? 'light' : 'dark');
    applyTheme();
  }, []);
  return [theme, toggle];
}
