import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';

/** A key of the keyboard, with what it does here. */
export interface Key {
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
}

interface Keys {
  /** The newest registration of a key wins; returns what ends it. */
  register(keys: readonly Key[]): () => void;
  readonly registered: () => readonly Key[];
}

const Context = createContext<Keys | undefined>(undefined);

/** Single keys, which do nothing while a person types. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const layers = useRef<(readonly Key[])[]>([]);
  const [keys] = useState<Keys>(() => ({
    register(added) {
      layers.current = [...layers.current, added];
      return () => {
        layers.current = layers.current.filter((layer) => layer !== added);
      };
    },
    registered: () => {
      const found = new Map<string, Key>();
      for (const layer of layers.current) for (const key of layer) found.set(key.key, key);
      return [...found.values()];
    },
  }));
  // Before the page is painted: what is seen can be used.
  useLayoutEffect(() => {
    let prefix = '';
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const all = keys.registered();
      const pressed = `${prefix}${event.key}`;
      const key = all.find((each) => each.key === pressed);
      // `g` then a letter: a prefix waits for the next key.
      prefix = !key && all.some((each) => each.key.startsWith(`${pressed} `)) ? `${pressed} ` : '';
      if (!key) return;
      event.preventDefault();
      key.run();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [keys]);
  return <Context value={keys}>{children}</Context>;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"],[role="listbox"],[role="menu"],.xterm')) return true;
  return target.isContentEditable || target.matches('input,textarea,select');
}

export function useKeyTable(): Keys {
  const keys = useContext(Context);
  if (!keys) throw new Error('there is no KeysProvider');
  return keys;
}

/** Registers keys as long as the component is shown. */
export function useKeys(given: readonly Key[]): void {
  const { register } = useKeyTable();
  const latest = useRef(given);
  latest.current = given;
  const names = given.map(({ key }) => key).join('\n');
  useLayoutEffect(() => {
    const wrapped = names
      .split('\n')
      .filter(Boolean)
      .map((name): Key => {
        const now = (): Key | undefined => latest.current.find(({ key }) => key === name);
        return { key: name, does: now()?.does ?? '', run: () => now()?.run() };
      });
    return register(wrapped);
  }, [names, register]);
}
