import { useEffect, useState } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, TextField } from 'react-aria-components';
import { addressOf, useGo } from '../shared/address.ts';
import type { Page, PaletteEntry } from '../shared/page.ts';
import { Dialog } from '../shared/ui/dialog.tsx';
import styles from './palette.module.css';

interface Props {
  readonly pages: readonly Page[];
  readonly close: () => void;
}

const TYPING_MS = 150;
const MOST_SHOWN = 30;

/** Finds pages, actions, and the things of every page: a resource, a delivery, a user. */
export function CommandPalette({ pages, close }: Props) {
  const go = useGo();
  const [text, setText] = useState('');
  const found = useFound(pages, text);
  const items = found.map((entry, index) => ({ ...entry, id: `${index}` }));
  return (
    <Dialog title="Search or do" close={close} hideTitle>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <TextField aria-label="Search or do" className={styles.field as string} autoFocus>
          <Input className={styles.input as string} placeholder="A page, an action, an id, a name…" />
        </TextField>
        <ListBox
          className={styles.list as string}
          aria-label="Found"
          items={items}
          selectionMode="none"
          renderEmptyState={() => <p className={styles.nothing}>Nothing found.</p>}
          onAction={(key) => {
            const entry = found[Number(key)];
            if (!entry) return;
            close();
            go(entry.address);
          }}
        >
          {({ id, title, kind }) => (
            <ListBoxItem id={id} className={styles.item as string} textValue={title}>
              <span className={styles.name}>{title}</span>
              <span className={styles.kind}>{kind}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
    </Dialog>
  );
}

function useFound(pages: readonly Page[], text: string): readonly PaletteEntry[] {
  const [found, setFound] = useState<readonly PaletteEntry[]>([]);
  const wanted = text.trim().toLowerCase();
  useEffect(() => {
    const abort = new AbortController();
    const own = pages.map(({ title, path }) => ({ title, kind: 'Page', address: addressOf(path) }));
    const fits = ({ title }: PaletteEntry): boolean =>
      wanted.split(/\s+/).every((word) => title.toLowerCase().includes(word));
    setFound(own.filter(fits));
    const timer = setTimeout(async () => {
      const search = async (page: Page): Promise<readonly PaletteEntry[]> => {
        if (!page.palette) return [];
        const { palette } = await page.palette();
        const actions = (palette.actions ?? []).filter(fits);
        const things = wanted === '' ? [] : ((await palette.search?.(wanted, abort.signal)) ?? []);
        return [...actions, ...things];
      };
      // As they come: a page whose search is slow or fails does not delay the others.
      for (const page of pages) {
        search(page)
          .then((more) => abort.signal.aborted || setFound((before) => [...before, ...more].slice(0, MOST_SHOWN)))
          .catch(() => {});
      }
    }, TYPING_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [pages, wanted]);
  return found;
}
