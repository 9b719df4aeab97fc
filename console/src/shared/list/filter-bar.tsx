import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAddressParam } from '../address.ts';
import type { Failure } from '../api/failure.ts';
import { useKeys } from '../keys.tsx';
import { Choice } from '../ui/choice.tsx';
import styles from './filter-bar.module.css';

export interface QuickFilter {
  /** In the address. */
  readonly id: string;
  readonly title: string;
}

interface Props {
  readonly placeholder: string;
  /** Prepared filters, of which one can be chosen. */
  readonly quick?: readonly QuickFilter[];
  /** The failure of the list: that of an invalid filter is shown here. */
  readonly failure?: Failure | undefined;
  /** The search parameter that keeps the text, for a page with a second list. */
  readonly param?: string;
  readonly children?: ReactNode;
}

const TYPING_MS = 250;
export const FILTER_PARAM = 'filter';
export const QUICK_PARAM = 'show';

/** Filters a list by a text or an OData expression; both are in the address. `/` goes here. */
export function FilterBar({ placeholder, quick = [], failure, param = FILTER_PARAM, children }: Props) {
  const [filter, setFilter] = useAddressParam(param);
  const [shown, show] = useAddressParam(QUICK_PARAM);
  const [text, setText] = useState(filter ?? '');
  const input = useRef<HTMLInputElement>(null);
  const typed = useRef(filter ?? '');
  // The address may change without typing: by the back button or a link.
  useEffect(() => {
    if ((filter ?? '') === typed.current) return;
    typed.current = filter ?? '';
    setText(filter ?? '');
  }, [filter]);
  useEffect(() => {
    if (text === typed.current) return undefined;
    const timer = setTimeout(() => {
      typed.current = text;
      setFilter(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, setFilter]);
  useKeys([{ key: '/', does: 'Filter', run: () => input.current?.focus() }]);
  const isInvalid = failure?.target === '$filter';
  return (
    <search className={styles.bar}>
      <div className={styles.box}>
        <Search size={14} aria-hidden className={styles.icon} />
        <input
          ref={input}
          className={styles.input}
          type="search"
          aria-label={placeholder}
          aria-invalid={isInvalid}
          placeholder={placeholder}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </div>
      {quick.length > 0 && (
        <Choice
          label="Prepared filters"
          value={shown}
          choices={quick.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={show}
          onClear={() => show(undefined)}
        />
      )}
      {children}
      {isInvalid && <p className={styles.error}>{failure.message}</p>}
    </search>
  );
}

/** The text of the filter bar, and the prepared filter. */
export function useFilter(): { readonly text: string | undefined; readonly quick: string | undefined } {
  const [text] = useAddressParam(FILTER_PARAM);
  const [quick] = useAddressParam(QUICK_PARAM);
  return { text, quick };
}
