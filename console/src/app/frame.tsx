import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { PAGES } from '../pages.ts';
import { addressOf, useGo } from '../shared/address.ts';
import { control, dataOf } from '../shared/api/control.ts';
import { useData } from '../shared/api/use-data.ts';
import { useKeys } from '../shared/keys.tsx';
import { useTheme } from '../shared/theme.ts';
import { Bottom } from './bottom.tsx';
import styles from './frame.module.css';
import { KeyHelp } from './key-help.tsx';
import { Navigation } from './navigation.tsx';
import { PageView } from './page-view.tsx';
import { CommandPalette } from './palette.tsx';
import { Top } from './top.tsx';

/** The frame around every page: search and clock at the top, pages at the left, what just happened at the bottom. */
export function Frame() {
  const [location] = useLocation();
  const go = useGo();
  const [, toggleTheme] = useTheme();
  const [showsKeys, showKeys] = useState(false);
  const [showsPalette, showPalette] = useState(false);
  const [showsMenu, showMenu] = useState(false);
  const status = useData(['status'], () => dataOf(control.GET('/')), {});
  const services = typeof status.data === 'object' ? status.data.services.map(({ name }) => name) : undefined;
  const pages = PAGES.filter(
    ({ service }) => service === undefined || services === undefined || services.includes(service),
  );
  const path = location.split('/')[1] ?? '';
  const page = pages.find((each) => each.path === path) ?? (path === '' ? pages[0] : undefined);

  useKeys([
    ...pages.flatMap(({ letter, title, path: to }) =>
      letter ? [{ key: `g ${letter}`, does: title, run: () => go(addressOf(to)) }] : [],
    ),
    { key: 't', does: 'Change the theme', run: toggleTheme },
    { key: '?', does: 'All keys', run: () => showKeys(true) },
  ]);
  // Before the page is painted: what is seen can be used.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      showPalette(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes with every change of the address
  useEffect(() => showMenu(false), [location]);
  useEffect(() => {
    document.title = `${page?.title ?? 'Not found'} - Cloudjar`;
  }, [page]);

  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Top openPalette={() => showPalette(true)} openMenu={() => showMenu((shown) => !shown)} />
      <Navigation pages={pages} current={page} isShown={showsMenu} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Suspense fallback={<p className={styles.loading}>Loading the page…</p>}>
          <PageView page={page} />
        </Suspense>
      </main>
      <Bottom />
      {showsKeys && <KeyHelp close={() => showKeys(false)} />}
      {showsPalette && <CommandPalette pages={pages} close={() => showPalette(false)} />}
    </div>
  );
}
